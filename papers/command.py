"""The command line: runs figures again and prints them beside what is printed."""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter

import numpy as np

from papers.comparison import comparison_of
from papers.experiment import Experiment, Results, Scale, Series, Verdict
from papers.publications import PAPERS
from papers.registry import EXPERIMENTS
from papers.store import at_hand, printed_of, results_of, run, store, with_stored
from papers.tables import DataMissingError

MOST_PLACES = 12
"""Places of an axis that a table prints: of a longer one some are left out, and it says so."""
WITHOUT_DATA, FAILED, WRONG_USE = 2, 1, 2
"""Exit codes: no data, a verdict that the numbers do not bear out, an unknown figure."""


def settings_text(experiment: Experiment) -> Iterator[str]:
    """Say which settings are printed and which are ours."""
    width = max(len(setting.name) for setting in experiment.settings)
    for setting in experiment.settings:
        whose = "printed" if setting.printed else f"ours: {setting.why}"
        yield f"  {setting.name:{width}}  {setting.value}  [{whose}]"


def _place_text(experiment: Experiment, series: Series, x: float) -> str:
    axis = experiment.panels[series.panel].x
    return axis.names[int(x)] if axis.scale is Scale.NAMES else f"{axis.label} = {x:g}"


def _printed(experiment: Experiment) -> dict[tuple[str, float], float]:
    table = printed_of(experiment.key)
    rows = zip(table["series"], table["x"], table["value"], strict=True)
    return {(str(series), float(x)): float(value) for series, x, value in rows}


def table_text(experiment: Experiment, results: Results) -> Iterator[str]:
    """Yield the value on record, ours with its deviation, and the difference, by place."""
    known = _printed(experiment)
    yield f"  {'':44}{'on record':>10}{'ours':>12}{'sd':>10}{'difference':>12}"
    for series in experiment.series:
        xs = results.xs(series.key)
        shown = xs[np.unique(np.linspace(0, len(xs) - 1, MOST_PLACES).astype(int))]
        title = experiment.panels[series.panel].title
        yield f"  {series.label}{f' ({title})' if title else ''}"
        for x in shown if len(xs) else ():
            ours, sd = results.mean(series.key, x), results.sd(series.key, x)
            spread = f"{sd:10.3g}" if len(results.values(series.key, x)) > 1 else f"{'':10}"
            there = known.get((series.key, float(x)))
            theirs = f"{'':10}" if there is None else f"{there:10.6g}"
            apart = "" if there is None else f"{ours - there:+12.3g}"
            yield f"    {_place_text(experiment, series, x):42}{theirs}{ours:12.5g}{spread}{apart}"
        if len(xs) > len(shown):
            yield f"    … {len(xs) - len(shown)} places left out; --out writes all"


def card_text(experiment: Experiment, results: Results) -> Iterator[str]:
    """Yield a whole card."""
    paper = PAPERS[experiment.paper]
    yield f"{paper.name}, {experiment.number}: {experiment.title}"
    yield experiment.asks
    yield from settings_text(experiment)
    yield from table_text(experiment, results)
    for statement in experiment.statements:
        mark = "✓" if statement.holds(results) else "✗"
        yield f"  {mark} “{statement.words}” ({statement.where})"
    yield f"Verdict: {experiment.judged(results)}"
    yield f"Compared with {comparison_of(experiment, results).told()}"
    yield from experiment.told(results)


def one(experiment: Experiment, asked: argparse.Namespace) -> int:
    """Run a figure, print its card, and write what was asked for."""
    results = run(experiment, seed=asked.seed, repetitions=asked.repetitions, only_at_hand=True)
    for series in experiment.series:
        if not at_hand(series):
            print(f"“{series.label}” is as stored: {series.needs} is not at hand.", file=sys.stderr)
    print(*card_text(experiment, with_stored(experiment, results)), sep="\n")
    if asked.out is not None:
        results.table.to_csv(asked.out, index=False)
        print(f"{len(results.table):,} releases written to {asked.out}")
    if asked.store:
        if not all(at_hand(series) for series in experiment.series):
            raise DataMissingError("Nothing is stored while a part of the figure cannot be run.")
        print(f"Stored in {store(experiment.key, results).name}")
    return 0


def everything(asked: argparse.Namespace) -> int:
    """Run all figures, or with ``--fast`` those that somebody can wait for; one line each."""
    counted: Counter[Verdict] = Counter()
    failures, ran = 0, 0
    for experiment in EXPERIMENTS:
        start, how, results = perf_counter(), "stored", results_of(experiment.key)
        try:
            if experiment.live or not asked.fast:
                fresh = run(
                    experiment,
                    seed=asked.seed,
                    repetitions=asked.repetitions,
                    only_at_hand=True,
                )
                results, how = with_stored(experiment, fresh), "run"
                ran += 1
        except DataMissingError as missing:
            how = f"stored; {str(missing).split(' is not')[0]} is not at hand"
        verdict = experiment.judged(results)
        experiment.told(results)
        agrees = verdict is experiment.verdict
        failures += not agrees
        counted[verdict] += 1
        said = "" if agrees else f"  FAILED: the card says “{experiment.verdict}”"
        took = perf_counter() - start
        print(f"{experiment.key:18} {verdict:18} {took:6.1f} s  {how}{said}", flush=True)
    verdicts = ", ".join(f"{counted[v]} {v}" for v in Verdict if counted[v])
    stated = sum(comparison_of(one, results_of(one.key)).printed > 0 for one in EXPERIMENTS)
    print(
        f"{len(EXPERIMENTS)} cards ({ran} run), {stated} of them with printed values on record: "
        f"{verdicts}; {failures} failures"
    )
    return FAILED if failures else 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return its exit code."""
    known = {experiment.key: experiment for experiment in EXPERIMENTS}
    parser = argparse.ArgumentParser(
        prog="python -m papers",
        description="Run figures and tables of the papers again.",
        epilog=f"Figures: {', '.join(known)}.",
    )
    parser.add_argument("figure", help="a figure's key, or “all”")
    parser.add_argument("--repetitions", type=_positive, help="releases at each place")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, help="write the single releases as CSV")
    parser.add_argument("--store", action="store_true", help="replace the stored releases")
    parser.add_argument(
        "--fast", action="store_true", help="with “all”: what takes under 10 s each"
    )
    asked = parser.parse_args(arguments)
    try:
        if asked.figure == "all":
            return everything(asked)
        if asked.figure not in known:
            print(f"There is no figure {asked.figure!r}: {', '.join(known)}.", file=sys.stderr)
            return WRONG_USE
        return one(known[asked.figure], asked)
    except DataMissingError as missing:
        print(missing, file=sys.stderr)
        return WITHOUT_DATA
    except OSError as error:
        print(f"{asked.out} cannot be written: {error.strerror}.", file=sys.stderr)
        return FAILED


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("one at least")
    return number
