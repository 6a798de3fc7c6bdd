"""What the Papers page says: of all cards, and of one beside the table that it speaks of."""

import csv
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from html import escape

from dpca_core.text.listed import listed
from dpca_core.version import VERSION
from papers.card import Card, Verdict
from papers.comparison import comparison, is_printed, recorded
from papers.registry import CARDS
from papers.store import HERE, printed_of
from papers.table import Table
from ui.page.files import NOT_PRIVATE, csv_text, marked_text
from ui.page.markup import element, sentence
from ui.papers.figure import OURS
from ui.text.product import PAGE_TITLES

with (HERE / "verdicts.csv").open(encoding="utf-8", newline="") as _file:
    VERDICTS = {Verdict(row["verdict"]): row for row in csv.DictReader(_file)}
"""A verdict's sign, what the headline says of one card and of several, and what it means."""
THEOREMS = (HERE / "theorems.md").read_text("utf-8")
RECORDED = "◇"
PREDICT = "Predict first"
PREDICT_HELP = "Hides our curves and the verdict of each card until you ask for them."
PREDICT_QUESTION = (
    "Which of their sentences hold when the figure is run again? Where would a mechanism lie that "
    "keeps what it promises?"
)
SHOW, RUN, RUN_AGAIN = "Show our run", "Run it now", "Run it again"
BACK_TO_STORED = "Back to the stored run"
MEMORY = "This run needs more memory than this machine has."
LINES_SAY = (
    "Thin: our run of the mechanism as its paper states it. Thick: our run of what keeps the same "
    "stated budget. Dotted: its guarantee is refuted. Bands hold 80\u00a0% of the releases."
)
ROWS_SAY = (
    "◇ printed in the paper; ● ours, with 80\u00a0% of the releases. Struck out: its guarantee is "
    "refuted."
)
_SUBSCRIPT, _RAISED = re.compile(r"_(\w)(?!\w)"), re.compile(r"\^\{([^}]+)\}")


@dataclass(frozen=True)
class View:
    """A card as it is shown: at the settings chosen on it, beside the table spoken of.

    ``results`` are None while ours are hidden; ``own`` where they are a run of the reader's own,
    at the settings ``chosen``.
    """

    card: Card
    results: Table | None
    seed: int = 0
    own: bool = False
    chosen: tuple[tuple[str, float], ...] = ()


@cache
def counted() -> Counter[Verdict]:
    """Return how many cards have each verdict, as their stored tables bear it out."""
    return Counter(card.judged(card.stored) for card in CARDS)


def headline() -> str:
    """Count the cards whose verdict is against their paper."""
    return (
        f"Of {len(CARDS)} printed figures, tables and theorems **{counted()[Verdict.ONE_FAILS]}** "
        f"contradict a statement and **{counted()[Verdict.CANNOT_BE]}** cannot be as printed."
    )


def recorded_note() -> str:
    """Say of how many cards printed values are on record."""
    without = sum(not recorded(card.key) for card in CARDS)
    return f"{RECORDED} printed values on record; of the {without} others only words and formulas"


def legend(verdict: Verdict) -> str:
    """Return a verdict beside how many cards have it."""
    return f"{VERDICTS[verdict]['sign']} {verdict} ({counted()[verdict]})"


def full_name(card: Card) -> str:
    """Paper, number and title of a card."""
    return f"{card.paper.name} · {card.number} · {card.title}"


def tile(card: Card, *, veiled: bool) -> str:
    """Return what stands under a card's small picture: its verdict's sign, paper and number."""
    author = re.split(r"[ ,&]", card.paper.authors)[0]
    number = card.number.replace("Figure", "Fig.").replace("Theorem", "Thm.")
    name = f"{'?' if veiled else VERDICTS[card.verdict]['sign']} {author} {number}"
    return f"{name} {RECORDED}" if recorded(card.key) else name


def head(view: View) -> str:
    """Return paper and figure, the verdict and what it rests on."""
    verdict, basis = "not shown yet", ""
    if view.results is not None:
        found = view.card.judged(view.results)
        verdict = f"{VERDICTS[found]['sign']} {found}"
        said = escape(f"Compared with {comparison(view.card, view.results)}")
        basis = element("p", said, class_="dpca-basis")
    name = element("span", escape(full_name(view.card)), class_="dpca-whose")
    return element("p", name, " ", element("b", verdict, class_="dpca-judged")) + basis


def notes(view: View) -> str:
    """Return how the charts are read, and what is missing or not certified in them."""
    return "".join(element("p", sentence(note)) for note in _notes(view))


def _notes(view: View) -> Iterator[str]:
    card, rows = view.card, bool(view.card.panels[0].x.names)
    yield ROWS_SAY if rows else LINES_SAY
    if not rows and card.number.startswith("Figure"):
        sources = printed_of(card.key)[["page", "read"]].drop_duplicates()
        for page, read in sources.itertuples(index=False):
            yield f"Hollow marks: {page} ({read}){'' if is_printed(read) else ', not the paper'}."
    if approximate := listed([*dict.fromkeys(s.label for s in card.series if s.approximate)]):
        yield f"{approximate}: an approximate sampler, so nothing is certified."
    if view.results is not None:
        whose = "At your settings" if view.chosen else "Your run" if view.own else "Stored run"
        over = ", over the stored one" if view.own and not view.chosen else ""
        yield f"{whose}, seed {view.seed}{over}."


def statements(view: View) -> str:
    """Return what the paper says, whether it holds, and what differs; or what to predict."""
    items = []
    for statement in view.card.statements:
        holds = None if view.results is None else statement.holds(view.results)
        mark, kind, said = _SIGNS[holds]
        sign = element("span", mark, role="img", aria_label=said, title=said, class_="dpca-sign")
        quote = element("q", _lowered(escape(statement.words)))
        where = element("small", escape(statement.where))
        items.append(element("li", sign, element("span", quote, " ", where), class_=kind))
    theirs = element("h3", "Their words") + element("ul", *items, class_="dpca-statements")
    theirs = theirs if items else ""
    if view.results is None:
        return theirs + element("h3", PREDICT) + element("p", PREDICT_QUESTION)
    differs, because = map(_said, told(view))
    said = element("p", differs, class_="dpca-tell") + element("p", because, class_="dpca-because")
    return theirs + element("h3", "What differs") + said


_SIGNS = {
    None: ("?", "dpca-untold", "holds?"),
    True: ("✓", "dpca-holds", "holds"),
    False: ("✗", "dpca-fails", "does not hold"),
}


def _said(words: str) -> str:
    """Return a sentence in which numbers stay with their units and symbols."""
    tidy = re.sub(r"(?<=\d) ?%", "\u00a0%", words).replace(" = ", "\u00a0=\u00a0")
    return _lowered(sentence(tidy))


def _lowered(markup: str) -> str:
    """Return markup in which a letter after an underscore is a subscript, and ^{…} is raised."""
    return _RAISED.sub(r"<sup>\1</sup>", _SUBSCRIPT.sub(r"<sub>\1</sub>", markup))


def told(view: View) -> tuple[str, str]:
    """Return what differs and why, by the table that is shown where that says all of it."""
    found = view.card.tell(view.results or view.card.stored)
    missing = any("nan" in part.lower().split() for part in found)
    return view.card.tell(view.card.stored) if missing else found


def settings_markup(card: Card) -> str:
    """Return a chip for each setting, and whose choice it is."""
    chips = []
    for setting in card.settings:
        name, value = element("span", escape(setting.name)), element("b", escape(setting.value))
        why = element("small", escape(f"ours: {setting.why}" if setting.why else "printed"))
        kind = "dpca-chip dpca-ours" if setting.why else "dpca-chip"
        chips.append(element("li", name, " ", value, " ", why, class_=kind))
    return element("h3", "Settings") + element("ul", *chips, class_="dpca-chips")


def link_name(address: str) -> str:
    """Say what a link opens: all mechanisms of a figure beside each other, or a page."""
    page = re.split(r"[?#]", address)[0]
    return f"{'Compare' if 'view=all' in address else 'Open'} in {PAGE_TITLES[page]}"


def facts(card: Card) -> Iterator[str]:
    """Say why a card is not run here, and what running it needs."""
    if not card.live:
        minutes = f"{card.seconds / 60:.0f} minutes"
        time = minutes if card.seconds >= 90 else f"{card.seconds:.0f} seconds"
        yield f"Not run here while you wait: it takes about {time} of one processor."
    if card.needs:
        files = ", ".join(card.needs)
        yield f"Running it again needs {files}; what is shown is stored with the project."


def citation(view: View) -> str:
    """Return how a card is cited."""
    card = view.card
    which = f"card {card.key}, seed {view.seed}: {card.paper.name}, {card.number}"
    return f"dpca {VERSION}, {which}."


def numbers_csv(view: View) -> str:
    """Return single releases and numbers on record as CSV, with their source.

    A number that is not ours has no trial; one that is not in the paper is no printed number.
    """
    rows: list[tuple[object, ...]] = [("series", "x", "trial", "value", "printed", "source")]
    known = printed_of(view.card.key)[["series", "x", "value", "page", "read"]]
    for series, x, value, page, read in known.itertuples(index=False):
        both = (None, value) if is_printed(read) else (value, None)
        rows.append((series, x, None, *both, f"{page} ({read})"))
    if view.results is not None:
        table = view.results.rows[["series", "x", "trial", "value"]]
        rows += [(*row, None, OURS) for row in table.itertuples(index=False)]
    return marked_text(csv_text(rows))


_SCRIPT = '''"""Runs a card again, in the project's folder and environment: {name}.

    .venv/bin/python {file} > again.csv
"""

import sys

from papers.card import Run
from papers.registry import BY_KEY

run = Run(BY_KEY["{key}"]{vary}, seed={seed}).finished()
print("# {mark}")
run.table.rows.to_csv(sys.stdout, index=False)
print(run.card.judged(run.whole), file=sys.stderr)
'''


def script(view: View) -> tuple[str, str]:
    """Return the name and text of a script that makes the same table."""
    key, file = view.card.key, f"dpca_{view.card.key.replace('-', '_')}.py"
    vary = f".vary(**{dict(view.chosen)!r})" if view.chosen else ""
    says = {"name": full_name(view.card), "file": file, "key": key, "vary": vary}
    return file, marked_text(_SCRIPT.format(seed=view.seed, mark=NOT_PRIVATE, **says))
