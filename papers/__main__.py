"""Runs figures again and prints them beside what is printed: ``python -m papers all --fast``."""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from math import nan
from time import perf_counter

from papers.card import Card, Run, Verdict, comparison
from papers.data import DataMissingError
from papers.registry import BY_KEY, CARDS
from papers.store import printed_values, store
from papers.table import Table


def table_text(card: Card, table: Table) -> str:
    """Write the value on record beside ours with its deviation, by place."""
    from pandas import DataFrame

    known, rows = printed_values(card.key), []
    for panel in card.panels:
        names = dict(zip(panel.x.values, panel.x.names, strict=False))
        for series in panel.series:
            for x in (x for x in panel.x.values if x in table.xs(series.key)):
                place = names.get(x, f"{panel.x.label} = {x:g}")
                ours = table.mean(series.key, x), table.sd(series.key, x)
                there = known.get((series.key, x), nan)
                rows.append((panel.title, series.label, place, there, *ours, ours[0] - there))
    columns = ["", "series", "place", "on record", "ours", "sd", "difference"]
    return DataFrame(rows, columns=columns).to_string(index=False, na_rep="", float_format="%.5g")


def card_text(card: Card, table: Table) -> Iterator[str]:
    """Yield a whole card: its settings and whose they are, its numbers, and what they say."""
    yield f"{card.paper.name}, {card.number}: {card.title}"
    yield card.asks
    for setting in card.settings:
        whose = f"ours: {setting.why}" if setting.why else "printed"
        yield f"  {setting.name}: {setting.value}  [{whose}]"
    yield table_text(card, table)
    for statement in card.statements:
        mark = "✓" if statement.holds(table) else "✗"
        yield f"  {mark} “{statement.words}” ({statement.where})"
    yield f"Verdict: {card.judged(table)}"
    yield comparison(card, table)
    yield from card.tell(table)


def one(card: Card, asked: argparse.Namespace) -> None:
    """Run a figure, print its card, and write what was asked for."""
    run = Run(card, asked.seed).finished()
    for sentence in {str(missing): None for missing in run.missing.values()}:
        print(f"Some places are as stored: {sentence}", file=sys.stderr)
    print(*card_text(card, run.whole), sep="\n")
    if asked.store and run.missing:
        raise DataMissingError("Nothing is stored while a part of the figure cannot be run.")
    if asked.store:
        print(f"Stored in {store(card.key, run.table.rows).name}")


def everything(asked: argparse.Namespace) -> int:
    """Run all figures, or with ``--fast`` those that somebody can wait for; one line each.

    Return how many have a verdict that their numbers do not bear out.
    """
    counted, failures, ran = Counter[Verdict](), 0, 0
    for card in CARDS:
        start, how, table = perf_counter(), "stored", card.stored
        try:
            if card.live or not asked.fast:
                table, how = Run(card, asked.seed).finished().whole, "run"
                ran += 1
        except DataMissingError as missing:
            how = f"stored; {str(missing).split(' is not')[0]} is not at hand"
        verdict = card.judged(table)
        card.tell(table)
        counted[verdict] += 1
        failed = verdict is not card.verdict
        failures += failed
        said = f"  FAILED: the card says “{card.verdict}”" if failed else ""
        took = perf_counter() - start
        print(f"{card.key:18} {verdict:18} {took:6.1f} s  {how}{said}", flush=True)
    verdicts = ", ".join(f"{counted[v]} {v}" for v in Verdict if counted[v])
    print(f"{len(CARDS)} cards ({ran} run): {verdicts}; {failures} failures")
    return failures


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return its exit code: 1 for a wrong verdict, 2 for want of data."""
    parser = argparse.ArgumentParser(
        prog="python -m papers", description="Run figures and tables of the papers again."
    )
    keys = ["all", *BY_KEY]
    parser.add_argument("figure", choices=keys, metavar="FIGURE", help=", ".join(keys))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--store", action="store_true", help="replace the stored releases")
    parser.add_argument("--fast", action="store_true", help="with “all”: under 10 s each")
    asked = parser.parse_args(arguments)
    if asked.figure == "all":
        return min(1, everything(asked))
    try:
        one(BY_KEY[asked.figure], asked)
    except DataMissingError as missing:
        print(missing, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
