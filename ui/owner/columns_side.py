"""What stands beside the table of columns, as markup: sources, and what to expect before a look."""

from html import escape

from dpca_core.analysis.recommendation import released_noise, visible_gap
from dpca_core.data.recipe import Source
from dpca_core.text.privacy_numbers import epsilon_text
from ui.owner import text_columns as text
from ui.owner.column import PUBLIC, Use
from ui.owner.columns_content import private_lines
from ui.owner.decide_answers import Card, answers_of
from ui.owner.draft import Draft
from ui.page.markup import element, sentence
from ui.text.numbers import count, significant

PREVIEW_PEOPLE = 1000.0
"""Assumed until the owner gives a number."""

PREVIEW_DIRECTIONS = 2
"""k of the preview."""


def title(words: str) -> str:
    """Return the title of a part."""
    return element("h2", sentence(words))


def note(words: str) -> str:
    """Return a paragraph."""
    return element("p", escape(words))


def sources(draft: Draft) -> str:
    """Return what keeps the result from being private, or that nothing does, with its title.

    Where nothing was typed or noticed yet it is "".
    """
    items, lines = [], private_lines(draft)
    if not lines:
        return ""
    for source, subject, why in lines:
        dot = element("i", class_=f"columns-dot is-{_dot(source)}", aria_hidden="true")
        said = element("span", element("b", escape(subject)), ": ", escape(why))
        items.append(element("li", dot, said))
    heading = text.PUBLIC_TITLE if all(s in PUBLIC for s, _, _ in lines) else text.PRIVATE_TITLE
    return title(heading) + element("ul", *items, class_="columns-sources")


def preview(draft: Draft) -> str:
    """Return what to expect of the choices alone; the table is not known here."""
    answers = answers_of(draft)
    people = answers.people or PREVIEW_PEOPLE
    budget = answers.budgets.get(answers.chosen or Card.MIDDLE)
    columns = draft.width
    if budget is None or columns <= PREVIEW_DIRECTIONS:
        return note(text.PREVIEW_LATER)
    noise = released_noise(columns, budget)
    gap = visible_gap(noise, columns, PREVIEW_DIRECTIONS)
    lines = (
        (text.PREVIEW_COLUMNS, count(columns)),
        (text.PREVIEW_NOISE, text.of_people(significant(noise))),
        (text.PREVIEW_GAP, text.of_people(significant(gap))),
        (text.PREVIEW_CENTRE, _centre(draft)),
    )
    pairs = [
        element("div", element("dt", escape(label)), element("dd", escape(value)))
        for label, value in lines
    ]
    assumed = text.assumed(epsilon_text(budget.epsilon), count(people))
    return note(assumed) + element("dl", *pairs, class_="columns-preview")


def _dot(source: Source) -> str:
    """Return how a source's dot is filled."""
    if source is Source.FILE:
        return "filled"
    return "hollow" if source in PUBLIC else "half"


def _centre(draft: Draft) -> str:
    """Say what becomes 0."""
    typical = [not c["typical"].empty for c in draft.used if c.use is Use.NUMBER]
    if all(typical):
        return text.TYPICAL
    return text.TYPICAL_AND_MIDDLES if any(typical) else text.MIDDLES
