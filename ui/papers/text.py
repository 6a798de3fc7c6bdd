"""Every sentence of the Papers page that is not a card's own."""

import re
from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from dpca_core.text.listed import listed
from dpca_core.text.privacy_numbers import power
from papers.card import Card, Link, Role, Verdict
from papers.comparison import is_printed
from papers.publications import PAPERS
from ui.papers.parts import Part, parts_of
from ui.papers.stored import FEWEST_IN_BAND, Printed
from ui.papers.styles import is_chance, is_refuted
from ui.text.product import PAGE_TITLES
from ui.text.words import progress_text

PHRASES = {
    Verdict.FORMULA_HOLDS: ("follows its formula", "follow their formula"),
    Verdict.ALL_HOLD: ("bears out every statement quoted", "bear out every statement quoted"),
    Verdict.ONE_FAILS: ("contradicts a statement", "contradict a statement"),
    Verdict.CANNOT_BE: ("cannot be as printed", "cannot be as printed"),
    Verdict.NOT_RUN: ("is not run here", "are not run here"),
}
"""What the headline says of one card, and of several."""
LEGEND = {
    Verdict.FORMULA_HOLDS: ("formula holds", "formulas hold"),
    Verdict.ALL_HOLD: ("all statements hold", "all statements hold"),
    Verdict.ONE_FAILS: ("a statement fails", "a statement fails"),
    Verdict.CANNOT_BE: ("cannot be so", "cannot be so"),
    Verdict.NOT_RUN: ("not run", "not run"),
}
"""What the legend of the wall says of one card, and of several."""
SIGNS = {
    Verdict.FORMULA_HOLDS: "●",
    Verdict.ALL_HOLD: "◐",
    Verdict.ONE_FAILS: "○",
    Verdict.CANNOT_BE: "✕",
    Verdict.NOT_RUN: "–",
}
"""Of the verdicts, beside their words."""
MEANINGS = {
    Verdict.FORMULA_HOLDS: "What is printed is a formula or an order, and our numbers follow it.",
    Verdict.ALL_HOLD: "Every statement quoted from the paper holds in our run; values may differ.",
    Verdict.ONE_FAILS: "A statement quoted from the paper fails beyond sampling error.",
    Verdict.CANNOT_BE: (
        "A printed value breaks a bound, or what is stated cannot come from the printed mechanism."
    ),
    Verdict.NOT_RUN: "Not run, for its cost or for want of data.",
}
COMPARED = "Compared with {}"
WITHOUT = "Of **{}** no printed values are on record, only words and formulas."
RECORDED = "◇"
SIGNS_SAY = f"{RECORDED} printed values on record"
"""What the sign on a tile says."""
MEANINGS_LABEL = "What the verdicts mean"
FILTER_LABEL = "Limit to a verdict"
MECHANISM_LABEL, ANY_MECHANISM = "Mechanism", "any mechanism"
READY_LABEL = "runs without a data file"
PREDICT_LABEL = "Predict first"
PREDICT_HELP = "Hides our curves and the verdict of each card until you ask for them."
HIDDEN_VERDICT = "not shown yet"
THEIR_WORDS = "Their words"
HOLDS, FAILS, UNTOLD = "holds", "does not hold", "holds?"
WHAT_DIFFERS = "What differs"
PREDICT_TITLE = "Predict first"
PREDICT_QUESTION = (
    "Which of their sentences hold when the figure is run again? Where would a mechanism lie that "
    "keeps what it promises?"
)
SHOW = "Show our run"
SETTINGS_LABEL = "Settings"
PRINTED_SETTING, OUR_SETTING = "printed", "ours"
BEFORE, AFTER = "Card before", "Next card"
POSITION = "{number} of {count}"
LINK_TO, COMPARE_IN = "Open in {page}", "Compare in {page}"
RUN, RUN_AGAIN = "Run it now", "Run it again"
BACK_TO_STORED = "Back to the stored run"
NUMBERS, SCRIPT, CITE = "Numbers", "Script", "Cite, or run it in a terminal"
NOT_LIVE = "Not run here while you wait: all of it takes {time} of one processor."
NEEDS = "Running it again needs {files}; what is shown is stored with the project."
FIGURE = "Figure"
"""How the numbers of figures begin; tables and theorems have no curves."""
NO_POINTS = "No points of the paper’s own curves are on record, so none of them is drawn here."
MARKED, MARKED_ELSEWHERE = (
    "Hollow marks: {page} ({read}).",
    "Hollow marks: {page} ({read}), not the paper.",
)
APPROXIMATE = "Dashed: an approximate sampler, so nothing is certified."
READING = {
    Role.PRINTED: "thin: our run of the mechanism as its paper states it",
    Role.REPAIRED: "thick: our run of what keeps the same stated budget",
}
BAND = "bands hold 80\u00a0% of {count} releases"
APPROXIMATE_ROW = "{names}: an approximate sampler, so nothing is certified."
REFUTED_ROW = "Struck out: its guarantee is refuted."
REFUTED = "Dotted: its guarantee is refuted."
OURS, OWN_RUN, IN_PAPER = "ours", "this run", "printed in the paper"
PRINTED_MARK = "◇ printed in the paper"
OUR_MARK = "● ours, with 80\u00a0% of up to {count} releases"
OUR_DOT = "● ours"
GREY_BAND = "Grey: random directions, 80\u00a0% of them."
STORED_RUN = "Stored run, seed {seed}."
FRESH_RUN = "Your run, seed {seed}, over the stored one."
CHANGED_RUN = "At your settings, seed {seed}."
THEOREMS_TITLE = "What is proved, and what became of it"
MEMORY = "This run needs more memory than this machine has."
CITATION = "dpca {version}, card {key}, seed {seed}: {paper}, {number}."


def headline(counts: Mapping[Verdict, int], recorded: int) -> str:
    """Count the cards by their verdicts, and those of which printed values are on record."""
    total = sum(counts.values())
    parts = [
        f"**{count}**\u00a0{PHRASES[verdict][count != 1]}"
        for verdict, count in counts.items()
        if count
    ]
    without = WITHOUT.format(total - recorded)
    return f"Of {total} printed figures, tables and theorems {listed(parts)}. {without}"


def paper_name(card: Card) -> str:
    """Authors and year of a card's paper."""
    return PAPERS[card.paper].name


def full_name(card: Card) -> str:
    """Paper, number and title of a card."""
    return " · ".join(filter(None, [paper_name(card), card.number, card.title]))


def seconds_text(seconds: float) -> str:
    """Write about how long something takes."""
    for size, unit in ((86400.0, "days"), (3600.0, "hours"), (60.0, "minutes")):
        if seconds >= 1.5 * size:
            return f"about {seconds / size:.0f} {unit}"
    return f"about {max(seconds, 1):.0f} seconds"


def running(share: float) -> str:
    """Say how far a run is; nothing once it is complete."""
    return progress_text(share)


def chart_words(card: Card, part: Part, *, shown: bool) -> tuple[str, str]:
    """Return title and subtitle of a chart: what is measured, and how it is to be read.

    Of several charts the notes below say how they are read.
    """
    panel, label = card.panels[part.panel], card.panels[part.panel].y.label
    if title := ": ".join(filter(None, [panel.title, part.title])):
        return title, label
    measured = label[:1].upper() + label[1:] if label[1:2].islower() else label
    return measured, "; ".join(reading_key(card)) if shown else ""


def reading_key(card: Card) -> list[str]:
    """Say what lines, bands and marks are."""
    rows = bool(card.panels[0].x.names)
    return rows_key(card) if rows else lines_key(card)


def lines_key(card: Card) -> list[str]:
    """Say what thin, thick and dotted lines are, as far as a figure has them."""
    roles = {series.role for series in card.series if series.mechanism is not None}
    parts = [words for role, words in READING.items() if role in roles]
    most = most_releases(card)
    return [*parts, BAND.format(count=most)] if most >= FEWEST_IN_BAND else parts


def rows_key(card: Card) -> list[str]:
    """Say what the marks of a table's rows are."""
    most = most_releases(card)
    ours = OUR_MARK.format(count=most) if most > 1 else OUR_DOT
    return [PRINTED_MARK, ours]


def most_releases(card: Card) -> int:
    """Return the largest number of releases at a place."""
    return max(card.trials_of(series) for series in card.series)


def marks_notes(card: Card) -> list[str]:
    """Say how the charts of a card are read, as far as their own titles do not."""
    found = []
    if len(parts_of(card)) > 1:
        key = "; ".join(reading_key(card))
        found.append(f"{key[:1].upper()}{key[1:]}." if key else "")
    rows = any(bool(panel.x.names) for panel in card.panels)
    if any(is_refuted(series.mechanism) for series in card.series):
        found.append(REFUTED_ROW if rows else REFUTED)
    approximate = dict.fromkeys(s.label for s in card.series if s.approximate)
    if approximate:
        names = ", ".join(approximate)
        found.append(APPROXIMATE_ROW.format(names=names) if rows else APPROXIMATE)
    if rows and any(is_chance(series) for series in card.series):
        found.append(GREY_BAND)
    return [note for note in found if note]


def points_notes(points: Sequence[Printed]) -> list[str]:
    """Say whose the marks of a figure are, and that no curve of the paper is on record."""
    sources = dict.fromkeys((point.page, point.read) for point in points)
    found = [] if any(is_printed(read) for _, read in sources) else [NO_POINTS]
    for page, read in sources:
        words = MARKED if is_printed(read) else MARKED_ELSEWHERE
        found.append(words.format(page=page, read=read))
    return found


def mark_name(point: Printed) -> str:
    """Say whose number a mark is: the paper's, or of what else it was taken from."""
    return IN_PAPER if is_printed(point.read) else point.page


def choice_text(value: float) -> str:
    """Write a value of a setting that can be changed on its card."""
    return power(value) if 0 < value < 0.001 else f"{value:g}"


def short_number(card: Card) -> str:
    """Return a card's number as a tile has room for it."""
    return card.number.replace(FIGURE, "Fig.").replace("Theorem", "Thm.")


def legend(verdict: Verdict, count: int) -> str:
    """Return what a verdict is called beside how many cards have it."""
    return f"{SIGNS[verdict]} {count} {LEGEND[verdict][count != 1]}"


def tile(card: Card, *, known: bool, veiled: bool) -> str:
    """Return what stands under a card's small picture: its verdict's sign, paper and number."""
    author = re.split(r"[ ,&]", PAPERS[card.paper].authors)[0]
    name = f"{author} {short_number(card)}"
    sign = "?" if veiled else SIGNS[card.verdict]
    return f"{sign} {name} {RECORDED}" if known else f"{sign} {name}"


def facts(card: Card) -> list[str]:
    """Say why a card is not run here, and what running it needs."""
    found = []
    if not card.live:
        found.append(NOT_LIVE.format(time=seconds_text(card.seconds)))
    if card.needs:
        found.append(NEEDS.format(files=", ".join(card.needs)))
    return found


def address(link: Link) -> str:
    """Return where another page shows a card's settings."""
    query = f"?{urlencode(link.query)}" if link.query else ""
    return f"{link.page}{query}" + (f"#{link.anchor}" if link.anchor else "")


def link_name(link: Link) -> str:
    """Say what a link opens: all mechanisms of a figure beside each other, or a page."""
    words = COMPARE_IN if link.query.get("view") == "all" else LINK_TO
    return words.format(page=PAGE_TITLES[link.page])


def command(card: Card) -> str:
    """Return the command that runs a card again."""
    return f"python -m papers {card.key}"


def refused(error: Exception) -> str:
    """Say why a run could not be made."""
    return MEMORY if isinstance(error, MemoryError) else str(error)


def tidy(sentence: str) -> str:
    """Return a sentence in which numbers stay with their units and symbols."""
    return re.sub(r"(?<=\d) ?%", "\u00a0%", sentence).replace(" = ", "\u00a0=\u00a0")
