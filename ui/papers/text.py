"""What the Papers page says: of all cards, and of one beside the table that it speaks of."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from html import escape

from dpca_core.text.listed import listed
from dpca_core.version import VERSION
from papers.card import Card, Verdict, comparison, recorded
from papers.registry import CARDS
from papers.store import HERE, printed_of
from papers.table import Table
from ui.page.files import csv_text, marked_text
from ui.page.markup import element, sentence
from ui.page.words import Words
from ui.papers.figure import OURS
from ui.text.navigation import PAGE_TITLES

WORDS = Words(__file__)
SIGNS, MEANS = WORDS.table("signs"), WORDS.table("means")
"""Of the verdicts."""
THEOREMS = (HERE / "theorems.md").read_text("utf-8")


@cache
def counted() -> Counter[Verdict]:
    """Return how many cards have each verdict, as their stored tables bear it out."""
    return Counter(card.judged(card.stored) for card in CARDS)


def headline() -> str:
    """Count the cards whose verdict is against their paper."""
    fails, cannot = counted()[Verdict.ONE_FAILS], counted()[Verdict.CANNOT_BE]
    return WORDS("headline", cards=len(CARDS), fails=fails, cannot=cannot)


def tile(card: Card, *, veiled: bool) -> str:
    """Return what stands under a card's small picture: its verdict's sign, paper and number."""
    author = re.split(r"[ ,&]", card.paper.authors)[0]
    number = card.number.replace("Figure", "Fig.").replace("Theorem", "Thm.")
    name = f"{'?' if veiled else SIGNS[card.verdict]} {author} {number}"
    return f"{name} ◇" if recorded(card.key) else name


def head(card: Card, results: Table | None) -> str:
    """Return paper and figure, the verdict and what it rests on."""
    verdict, basis = WORDS("veiled"), ""
    if results is not None:
        found = card.judged(results)
        verdict, said = f"{SIGNS[found]} {found}", escape(comparison(card, results))
        basis = element("p", said, class_="dpca-basis")
    name = element("span", escape(card.name), class_="dpca-whose")
    return element("p", name, " ", element("b", verdict, class_="dpca-judged")) + basis


def notes(card: Card, results: Table | None, seed: int) -> Iterator[str]:
    """Yield how the charts are read, and what is not certified in them."""
    rows = bool(card.panels[0].x.names)
    yield WORDS("rows" if rows else "lines")
    if not rows and card.number.startswith("Figure"):
        sources = printed_of(card.key)[["page", "read", "printed"]].drop_duplicates()
        for page, read, printed in sources.itertuples(index=False):
            whose = "" if printed else ", not the paper"
            yield WORDS("hollow", page=page, read=read, not_printed=whose)
    if approximate := listed([*dict.fromkeys(s.label for s in card.series if s.approximate)]):
        yield WORDS("approximate", names=approximate)
    if results is not None:
        yield WORDS("own_run" if seed else "stored_run", seed=seed)


def statements(card: Card, results: Table | None) -> str:
    """Return what the paper says, whether it holds, and what differs; or what to predict."""
    items = []
    for statement in card.statements:
        kind = "untold"
        if results is not None:
            kind = "holds" if statement.holds(results) else "fails"
        mark, said = WORDS.each(kind)
        sign = element("span", mark, role="img", aria_label=said, title=said, class_="dpca-sign")
        quote = element("q", _raised(escape(statement.words)))
        where = element("small", escape(statement.where))
        words = element("span", quote, " ", where)
        items.append(element("li", sign, words, class_=f"dpca-{kind}"))
    theirs = element("h3", "Their words") + element("ul", *items, class_="dpca-statements")
    if results is None:
        ours = element("h3", WORDS("predict")) + element("p", WORDS("predict_question"))
    else:
        differs, because = map(_said, card.tell(results))
        ours = element("h3", "What differs") + element("p", differs, class_="dpca-tell")
        ours += element("p", because, class_="dpca-because")
    return (theirs if items else "") + ours


def _said(words: str) -> str:
    """Return a sentence in which numbers stay with their units and symbols."""
    tidy = re.sub(r"(?<=\d) ?%", "\u00a0%", words).replace(" = ", "\u00a0=\u00a0")
    return _raised(sentence(tidy))


def _raised(markup: str) -> str:
    """Return markup in which a letter after an underscore is a subscript, and ^{…} is raised."""
    lowered = re.sub(r"_(\w)(?!\w)", r"<sub>\1</sub>", markup)
    return re.sub(r"\^\{([^}]+)\}", r"<sup>\1</sup>", lowered)


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
    page = PAGE_TITLES[re.split(r"[?#]", address)[0]]
    return WORDS("link", verb="Compare" if "view=all" in address else "Open", page=page)


def facts(card: Card) -> Iterator[str]:
    """Say why a card is not run here, and what running it needs."""
    if not card.live:
        yield WORDS("slow", seconds=card.seconds)
    if card.needs:
        yield WORDS("needs", files=", ".join(card.needs))


def citation(card: Card, seed: int) -> str:
    """Return how a card is cited."""
    about = {"paper": card.paper.name, "number": card.number, "key": card.key}
    return WORDS("cite", version=VERSION, seed=seed, **about)


def numbers_csv(card: Card, results: Table) -> str:
    """Return single releases and numbers on record as CSV, with their source.

    A number that is not ours has no trial; one that is not in the paper is no printed number.
    """
    rows: list[tuple[object, ...]] = [("series", "x", "trial", "value", "printed", "source")]
    for known in printed_of(card.key).itertuples():
        both = (None, known.value) if known.printed else (known.value, None)
        rows.append((known.series, known.x, None, *both, f"{known.page} ({known.read})"))
    rows += [(*row, None, OURS) for row in results.rows.itertuples(index=False)]
    return marked_text(csv_text(rows))
