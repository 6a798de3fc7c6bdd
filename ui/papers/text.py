"""What the Papers page says: of all cards, and of one beside the table that it speaks of."""

import csv
import io
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from html import escape
from typing import NamedTuple
from urllib.parse import urlsplit

from dpca_core.text.listed import listed
from dpca_core.text.privacy_numbers import power
from dpca_core.version import VERSION
from papers.card import Card, Panel, Role, Setting, Statement, Verdict
from papers.comparison import comparison, is_printed, recorded
from papers.registry import BY_KEY, CARDS
from papers.store import HERE, PAPERS, printed_of
from papers.table import Table
from ui.page.files import NOT_PRIVATE, marked_text
from ui.page.markup import element, sentence
from ui.papers.figure import FEWEST_IN_BAND, OURS, is_chance, is_refuted
from ui.text.documents import DOCUMENTS
from ui.text.product import PAGE_TITLES


class VerdictWords(NamedTuple):
    """A verdict's sign, what the headline says of one card and of several, and what it means."""

    sign: str
    one: str
    several: str
    means: str


VERDICTS = {
    Verdict.FORMULA_HOLDS: VerdictWords(
        "●",
        "follows its formula",
        "follow their formula",
        "What is printed is a formula or an order, and our numbers follow it.",
    ),
    Verdict.ALL_HOLD: VerdictWords(
        "◐",
        "bears out every statement quoted",
        "bear out every statement quoted",
        "Every statement quoted from the paper holds in our run; values may differ.",
    ),
    Verdict.ONE_FAILS: VerdictWords(
        "○",
        "contradicts a statement",
        "contradict a statement",
        "A statement quoted from the paper fails beyond sampling error.",
    ),
    Verdict.CANNOT_BE: VerdictWords(
        "✕",
        "cannot be as printed",
        "cannot be as printed",
        "A printed value breaks a bound, or what is stated cannot come from the printed mechanism.",
    ),
    Verdict.NOT_RUN: VerdictWords(
        "–",
        "is not run here",
        "are not run here",
        "Not run, for its cost or for want of data.",
    ),
}
RECORDED = "◇"
SIGNS_SAY = f"{RECORDED} printed values on record"
MEANINGS_LABEL = "What the verdicts mean"
FILTER_LABEL, MECHANISM_LABEL, ANY_MECHANISM = "Limit to a verdict", "Mechanism", "any mechanism"
READY_LABEL, PREDICT_LABEL = "runs without a data file", "Predict first"
PREDICT_HELP = "Hides our curves and the verdict of each card until you ask for them."
PREDICT_QUESTION = (
    "Which of their sentences hold when the figure is run again? Where would a mechanism lie that "
    "keeps what it promises?"
)
SHOW, RUN, RUN_AGAIN = "Show our run", "Run it now", "Run it again"
BACK_TO_STORED = "Back to the stored run"
NUMBERS, SCRIPT, CITE = "Numbers", "Script", "Cite, or run it in a terminal"
BEFORE, AFTER = "Card before", "Next card"
OURS_ALONE = "ours"
MEMORY = "This run needs more memory than this machine has."
NO_POINTS = "No points of the paper’s own curves are on record, so none of them is drawn here."
READING = {
    Role.PRINTED: "thin: our run of the mechanism as its paper states it",
    Role.REPAIRED: "thick: our run of what keeps the same stated budget",
}
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
    """Count the cards by their verdicts, and those of which printed values are on record."""
    parts = [
        f"**{count}**\u00a0{words.one if count == 1 else words.several}"
        for verdict, words in VERDICTS.items()
        if (count := counted()[verdict])
    ]
    without = sum(not recorded(card.key) for card in CARDS)
    return (
        f"Of {len(CARDS)} printed figures, tables and theorems {listed(parts)}. Of **{without}** "
        "no printed values are on record, only words and formulas."
    )


def legend(verdict: Verdict) -> str:
    """Return a verdict beside how many cards have it."""
    return f"{VERDICTS[verdict].sign} {verdict} ({counted()[verdict]})"


def full_name(card: Card) -> str:
    """Paper, number and title of a card."""
    return f"{card.paper.name} · {card.number} · {card.title}"


def tile(card: Card, *, veiled: bool) -> str:
    """Return what stands under a card's small picture: its verdict's sign, paper and number."""
    author = re.split(r"[ ,&]", card.paper.authors)[0]
    number = card.number.replace("Figure", "Fig.").replace("Theorem", "Thm.")
    name = f"{'?' if veiled else VERDICTS[card.verdict].sign} {author} {number}"
    return f"{name} {RECORDED}" if recorded(card.key) else name


def head(view: View) -> str:
    """Return paper and figure, the verdict and what it rests on."""
    name = element("span", escape(full_name(view.card)), class_="dpca-whose")
    if view.results is None:
        return element("p", name, " ", element("b", "not shown yet", class_="dpca-judged"))
    found = view.card.judged(view.results)
    verdict = element("b", f"{VERDICTS[found].sign} {found}", class_="dpca-judged")
    basis = escape(f"Compared with {comparison(view.card, view.results)}")
    return element("p", name, " ", verdict) + element("p", basis, class_="dpca-basis")


def chart_words(card: Card, panel: Panel) -> tuple[str, str]:
    """Return title and subtitle of a chart; of several charts the notes say how they are read."""
    label = panel.y.label
    if panel.title:
        return panel.title, label
    measured = label[:1].upper() + label[1:] if label[1:2].islower() else label
    return measured, "" if len(card.panels) > 1 else reading_key(card)


def reading_key(card: Card) -> str:
    """Say what lines, bands and marks are."""
    most = max(card.trials_of(series) for series in card.series)
    if card.panels[0].x.names:
        many = f", with 80\u00a0% of up to {most} releases" if most > 1 else ""
        return f"◇ printed in the paper; ● ours{many}"
    roles = {series.role for series in card.series if series.mechanism is not None}
    band = [f"bands hold 80\u00a0% of {most} releases"] if most >= FEWEST_IN_BAND else []
    return "; ".join([words for role, words in READING.items() if role in roles] + band)


def notes(view: View) -> str:
    """Return what must be known of the charts: what is missing, dashed or dotted."""
    card, found = view.card, list[str]()
    rows = bool(card.panels[0].x.names)
    if not rows and card.number.startswith("Figure"):
        sources = printed_of(card.key)[["page", "read"]].drop_duplicates()
        found += [NO_POINTS] if not any(map(is_printed, sources["read"])) else []
        for page, read in sources.itertuples(index=False):
            elsewhere = "" if is_printed(read) else ", not the paper"
            found.append(f"Hollow marks: {page} ({read}){elsewhere}.")
    if view.results is None:
        return "".join(element("p", sentence(note)) for note in found)
    if len(card.panels) > 1 and (key := reading_key(card)):
        found.append(f"{key[:1].upper()}{key[1:]}.")
    if any(is_refuted(series.mechanism) for series in card.series):
        found.append(f"{'Struck out' if rows else 'Dotted'}: its guarantee is refuted.")
    if approximate := listed([*dict.fromkeys(s.label for s in card.series if s.approximate)]):
        found.append(f"{approximate}: an approximate sampler, so nothing is certified.")
    if rows and any(map(is_chance, card.series)):
        found.append("Grey: random directions, 80\u00a0% of them.")
    if view.chosen:
        found.append(f"At your settings, seed {view.seed}.")
    elif view.own:
        found.append(f"Your run, seed {view.seed}, over the stored one.")
    else:
        found.append(f"Stored run, seed {view.seed}.")
    return "".join(element("p", sentence(note)) for note in found)


def statements(view: View) -> str:
    """Return what the paper says, whether it holds, and what differs; or what to predict."""
    items = "".join(_statement(each, view.results) for each in view.card.statements)
    theirs = element("h3", "Their words") + element("ul", items, class_="dpca-statements")
    theirs = theirs if items else ""
    if view.results is None:
        return theirs + element("h3", PREDICT_LABEL) + element("p", PREDICT_QUESTION)
    differs, because = map(_said, told(view))
    said = element("p", differs, class_="dpca-tell"), element("p", because, class_="dpca-because")
    return theirs + element("h3", "What differs") + "".join(said)


def _said(words: str) -> str:
    """Return a sentence in which numbers stay with their units and symbols."""
    tidy = re.sub(r"(?<=\d) ?%", "\u00a0%", words).replace(" = ", "\u00a0=\u00a0")
    return _lowered(sentence(tidy))


def _lowered(markup: str) -> str:
    """Return markup in which a letter after an underscore is a subscript, and ^{…} is raised."""
    return _RAISED.sub(r"<sup>\1</sup>", _SUBSCRIPT.sub(r"<sub>\1</sub>", markup))


def told(view: View) -> tuple[str, str]:
    """Return what differs and why, by the table that is shown where that says all of it."""
    if view.results is not None and view.own:
        try:
            found = view.card.tell(view.results)
        except (ValueError, KeyError, IndexError, ZeroDivisionError):
            found = ("nan", "")
        if not any("nan" in part.lower().split() for part in found):
            return found
    return view.card.tell(view.card.stored)


def _statement(statement: Statement, results: Table | None) -> str:
    if results is None:
        mark, kind, said = "?", "untold", "holds?"
    elif statement.holds(results):
        mark, kind, said = "✓", "holds", "holds"
    else:
        mark, kind, said = "✗", "fails", "does not hold"
    sign = element("span", mark, role="img", aria_label=said, title=said, class_="dpca-sign")
    quote = element("q", _lowered(escape(statement.words)))
    where = element("small", escape(statement.where))
    return element("li", sign, element("span", quote, " ", where), class_=f"dpca-{kind}")


def settings_markup(card: Card) -> str:
    """Return a chip for each setting, and whose choice it is."""
    chips = "".join(map(_chip, card.settings))
    return element("h3", "Settings") + element("ul", chips, class_="dpca-chips")


def _chip(setting: Setting) -> str:
    name, value = element("span", escape(setting.name)), element("b", escape(setting.value))
    why = element("small", escape(f"ours: {setting.why}" if setting.why else "printed"))
    kind = "dpca-chip dpca-ours" if setting.why else "dpca-chip"
    return element("li", name, " ", value, " ", why, class_=kind)


def choice_text(value: float) -> str:
    """Write a value of a setting that can be changed on its card."""
    return power(value) if 0 < value < 0.001 else f"{value:g}"


def link_name(address: str) -> str:
    """Say what a link opens: all mechanisms of a figure beside each other, or a page."""
    found = urlsplit(address)
    words = "Compare in" if "view=all" in found.query else "Open in"
    return f"{words} {PAGE_TITLES[found.path]}"


def facts(card: Card) -> list[str]:
    """Say why a card is not run here, and what running it needs."""
    found = []
    if not card.live:
        long, minutes = card.seconds >= 90, card.seconds / 60
        time = f"{minutes:.0f} minutes" if long else f"{card.seconds:.0f} seconds"
        found.append(f"Not run here while you wait: it takes about {time} of one processor.")
    if card.needs:
        files = ", ".join(card.needs)
        found.append(f"Running it again needs {files}; what is shown is stored with the project.")
    return found


def citation(view: View) -> str:
    """Return how a card is cited."""
    card = view.card
    which = f"card {card.key}, seed {view.seed}: {card.paper.name}, {card.number}"
    return f"dpca {VERSION}, {which}."


def numbers_csv(view: View) -> str:
    """Return single releases and numbers on record as CSV, with their source.

    A number that is not ours has no trial; one that is not in the paper is no printed number.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["series", "x", "trial", "value", "printed", "source"])
    known = printed_of(view.card.key)[["series", "x", "value", "page", "read"]]
    for series, x, value, page, read in known.itertuples(index=False):
        both = ["", f"{value:g}"] if is_printed(read) else [f"{value:g}", ""]
        writer.writerow([series, f"{x:g}", "", *both, f"{page} ({read})"])
    if view.results is not None:
        table = view.results.rows[["series", "x", "trial", "value"]]
        for series, x, trial, value in table.itertuples(index=False):
            writer.writerow([series, f"{x:g}", trial, f"{value:.9g}", "", OURS])
    return marked_text(out.getvalue())


_SCRIPT = '''"""Runs a card of the Papers page again: {name}.

Run it in the project's folder, in the environment that `make run` sets up:

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


class Theorem(NamedTuple):
    """A result of a paper, what became of it, and where that is shown.

    It "holds", is "refuted", "corrected" or "cited": used as it is, not drawn. ``place`` is a page
    of the workbench, with a section or a card behind "#", or a document of docs.
    """

    paper: str
    name: str
    says: str
    standing: str
    place: str

    @property
    def link(self) -> tuple[str, str]:
        """Where it is shown, from this page, and what that is called."""
        page, _, anchor = self.place.partition("#")
        if page in DOCUMENTS:
            return f"proofs?document={page}", PAGE_TITLES["proofs"]
        if page == "papers":
            return f"papers?figure={anchor}", BY_KEY[anchor].number
        return self.place, PAGE_TITLES[page]


@cache
def theorems() -> list[Theorem]:
    """Return the list of ``papers/theorems.csv``."""
    with (HERE / "theorems.csv").open(encoding="utf-8", newline="") as file:
        return [Theorem(**row) for row in csv.DictReader(file)]


def theorems_markup(paper: str) -> str:
    """Return the theorems and lemmas of a paper."""
    found = list[str]()
    for theorem in (each for each in theorems() if each.paper == paper):
        address, title = theorem.link
        standing = f"dpca-standing dpca-stands-{theorem.standing}"
        cells = (
            element("b", escape(theorem.name)),
            element("span", escape(theorem.says)),
            element("span", theorem.standing, class_=standing),
            element("a", escape(title), href=address, target="_blank", rel="noopener"),
        )
        found.append(element("li", *cells))
    heading = element("h3", escape(PAPERS[paper].name))
    return element("section", heading, element("ul", *found))
