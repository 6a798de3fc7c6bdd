"""The words of a card: its verdict, what the paper says and whether it holds, what differs."""

import re
from dataclasses import dataclass
from html import escape

from dpca_core.version import VERSION
from papers.card import Card, Setting, Statement
from papers.comparison import comparison_of
from papers.publications import PAPERS
from papers.table import Table
from ui.page.markup import element, sentence
from ui.papers import text
from ui.papers.stored import recorded_points

_SUBSCRIPT = re.compile(r"_(\w)(?!\w)")
_RAISED = re.compile(r"\^\{([^}]+)\}")


@dataclass(frozen=True)
class CardView:
    """What is shown of a card.

    Attributes
    ----------
    card
        At the settings that are chosen on it.
    results
        The table that ticks and sentences speak of; None while ours are hidden.
    seed
        Of that table.
    own
        Whether it is a run of the reader's own, and whether at settings of their own.
    """

    card: Card
    results: Table | None
    seed: int = 0
    own: bool = False
    changed: bool = False


def head(view: CardView) -> str:
    """Return paper and figure, the verdict and what it rests on."""
    one, verdict, basis = view.card, text.HIDDEN_VERDICT, ""
    if view.results is not None:
        found = one.judged(view.results)
        verdict = f"{text.SIGNS[found]} {found}"
        told = text.COMPARED.format(comparison_of(one, view.results).told())
        basis = element("p", escape(told), class_="dpca-basis")
    name = element("span", escape(text.full_name(one)), class_="dpca-whose")
    return element("p", name, " ", element("b", escape(verdict), class_="dpca-judged")) + basis


def notes(view: CardView) -> str:
    """Return what must be known of the charts: what is missing, dashed or dotted."""
    one, found = view.card, list[str]()
    if one.number.startswith(text.FIGURE):
        found += text.points_notes(recorded_points(one.key))
    if view.results is not None:
        found += text.marks_notes(one)
        found.append(_run_note(view))
    return "".join(element("p", sentence(note)) for note in found)


def _run_note(view: CardView) -> str:
    words = text.CHANGED_RUN if view.changed else text.FRESH_RUN if view.own else text.STORED_RUN
    return words.format(seed=view.seed)


def statements(view: CardView) -> str:
    """Return what the paper says, whether it holds, and what differs; or what to predict."""
    one, results = view.card, view.results
    items = "".join(_statement(statement, results) for statement in one.statements)
    theirs = element("h3", text.THEIR_WORDS) + element("ul", items, class_="dpca-statements")
    if not items:
        theirs = ""
    if results is None:
        return theirs + element("h3", text.PREDICT_TITLE) + element("p", text.PREDICT_QUESTION)
    differs, because = told(view)
    return (
        theirs
        + element("h3", text.WHAT_DIFFERS)
        + element("p", _said(differs), class_="dpca-tell")
        + element("p", _said(because), class_="dpca-because")
    )


def _said(words: str) -> str:
    return _lowered(sentence(text.tidy(words)))


def _lowered(markup: str) -> str:
    """Return markup in which a letter after an underscore is a subscript, and ^{…} is raised."""
    return _RAISED.sub(r"<sup>\1</sup>", _SUBSCRIPT.sub(r"<sub>\1</sub>", markup))


def told(view: CardView) -> tuple[str, str]:
    """Return what differs and why, by the table that is shown where that says all of it."""
    one = view.card
    if view.results is not None and view.own:
        try:
            found = one.tell(view.results)
        except (ValueError, KeyError, IndexError, ZeroDivisionError):
            found = ("nan", "")
        if not any("nan" in part.lower().split() for part in found):
            return found
    return one.tell(one.stored)


def _statement(statement: Statement, results: Table | None) -> str:
    if results is None:
        mark, kind = "?", "untold"
        said = text.UNTOLD
    else:
        true = statement.holds(results)
        mark, kind = ("✓", "holds") if true else ("✗", "fails")
        said = text.HOLDS if true else text.FAILS
    sign = element("span", mark, role="img", aria_label=said, title=said, class_="dpca-sign")
    quote = element("q", _lowered(escape(statement.words)))
    where = element("small", escape(statement.where))
    return element("li", sign, element("span", quote, " ", where), class_=f"dpca-{kind}")


def settings_markup(card: Card) -> str:
    """Return a chip for each setting, and whose choice it is."""
    chips = "".join(_chip(setting) for setting in card.settings)
    return element("h3", text.SETTINGS_LABEL) + element("ul", chips, class_="dpca-chips")


def _chip(setting: Setting) -> str:
    why = f"{text.OUR_SETTING}: {setting.why}" if setting.why else text.PRINTED_SETTING
    name, value = element("span", escape(setting.name)), element("b", escape(setting.value))
    kind = "dpca-chip" if setting.printed else "dpca-chip dpca-ours"
    return element("li", name, " ", value, " ", element("small", escape(why)), class_=kind)


def citation(view: CardView) -> tuple[str, str]:
    """Return how a card is cited, and its paper's BibTeX entry."""
    one = view.card
    cited = text.CITATION.format(
        version=VERSION,
        key=one.key,
        seed=view.seed,
        paper=text.paper_name(one),
        number=one.number,
    )
    return cited, PAPERS[one.paper].bibtex
