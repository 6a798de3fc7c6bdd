"""A card: a printed figure or table beside our run, what the paper says of it, and its settings."""

import re
from dataclasses import dataclass
from html import escape
from urllib.parse import urlencode

from papers.card import Card, Link, Setting, Statement
from papers.comparison import comparison_of
from papers.publications import PAPERS
from papers.registry import CARDS
from papers.table import Table
from ui.figures.markup import save_buttons
from ui.page.markup import button, element, sentence
from ui.papers import text
from ui.papers.measurements import recorded_points
from ui.papers.parts import Part, parts_of
from ui.papers.query import choices_of
from ui.papers.wall import glyph
from ui.text.page_titles import PAGE_TITLES

_SUBSCRIPT = re.compile(r"_(\w)(?!\w)")
_RAISED = re.compile(r"\^\{([^}]+)\}")
_KEYS = [one.key for one in CARDS]


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
    version
        Of the project.
    """

    card: Card
    results: Table | None
    seed: int = 0
    own: bool = False
    changed: bool = False
    version: str = ""


def card_head(view: CardView) -> str:
    """Return paper and figure, the verdict and what it rests on, and the ways to other cards."""
    one = view.card
    if view.results is None:
        verdict, basis = element("span", text.HIDDEN_VERDICT, class_="dpca-judged"), ""
    else:
        found = one.judged(view.results)
        verdict = element("span", glyph(found), escape(found), class_="dpca-judged")
        told = text.COMPARED.format(comparison_of(one, view.results).told())
        basis = element("p", escape(told), class_="dpca-basis")
    name = element("p", escape(text.full_name(one)), class_="dpca-whose")
    line = element("div", name, verdict, class_="dpca-line")
    ways = element("nav", around(one), class_="dpca-around", aria_label=text.WALL_LABEL)
    return line + ways + basis


def around(card: Card) -> str:
    """Return the ways to the cards before and after."""
    place = _KEYS.index(card.key)
    before, after = _KEYS[place - 1 : place], _KEYS[place + 1 : place + 2]
    said = text.POSITION.format(number=place + 1, count=len(_KEYS))
    return "".join(
        [
            *(_way("←", text.BEFORE, key) for key in before),
            element("span", said),
            *(_way("→", text.AFTER, key) for key in after),
        ]
    )


def _way(arrow: str, said: str, key: str) -> str:
    name = CARDS[_KEYS.index(key)]
    label = f"{said}: {text.full_name(name)}"
    return element(
        "a", arrow, href=f"papers?figure={key}", data_figure=key, aria_label=label, title=label
    )


def card_charts_markup(view: CardView) -> str:
    """Return the sections that the charts are drawn into."""
    one, shown = view.card, view.results is not None
    return "".join(_chart(one, part, shown=shown) for part in parts_of(one))


def _chart(card: Card, part: Part, *, shown: bool) -> str:
    words, sub = text.chart_words(card, part, shown=shown)
    heading = element("h2", _lowered(sentence(words)), data_part="title")
    head = element("div", heading, save_buttons(part.key, "figure"), class_="dpca-head")
    title = element("div", head, element("p", _lowered(sentence(sub))), class_="dpca-title")
    figure = element("div", data_part="figure")
    said = f"{card.asks} {words}. {sub}"
    frame = {"class_": "dpca-chart", "role": "figure", "aria_label": said, "data_part": "frame"}
    return element("section", title, element("div", figure, **frame), data_key=part.key)


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


def words_markup(view: CardView) -> str:
    """Return what the paper says, whether it holds, and what differs; or what to predict."""
    one, results = view.card, view.results
    items = "".join(_statement(statement, results) for statement in one.statements)
    theirs = element("h3", text.THEIR_WORDS) + element("ul", items, class_="dpca-statements")
    if not items:
        theirs = ""
    if results is None:
        show = button(text.SHOW, class_="dpca-button dpca-show", data_say="show", data_value="1")
        hint = element("span", text.KEY_HINT, class_="dpca-hint")
        ask = element("p", text.PREDICT_QUESTION)
        return theirs + element("h3", text.PREDICT_TITLE) + ask + element("p", show, " ", hint)
    differs, because = told(view)
    head = element("h3", text.WHAT_DIFFERS)
    return (
        theirs
        + head
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
    """Return a chip for each setting; some that are not printed can be changed."""
    chips = "".join(_chip(setting, card) for setting in card.settings)
    return element("h3", text.SETTINGS_LABEL) + element("ul", chips, class_="dpca-chips")


def _chip(setting: Setting, card: Card) -> str:
    numbers = choices_of(card)
    name = element("span", escape(setting.name))
    value = element("b", escape(setting.value))
    if setting.choices and card.vary is not None and card.live:
        options = "".join(
            element(
                "option",
                escape(
                    setting.choice_names[i] if setting.choice_names else text.choice_text(choice)
                ),
                value=str(numbers.index((setting.key, choice))),
                selected=choice == setting.chosen or None,
            )
            for i, choice in enumerate(setting.choices)
        )
        label = f"{setting.name}, {text.OUR_SETTING}"
        value = element("select", options, data_say="choose", aria_label=label)
    source = text.PRINTED_SETTING if setting.printed else text.OUR_SETTING
    why = f"{source}: {setting.why}" if setting.why else source
    tag = element("small", escape(source if setting.printed else why))
    kind = "dpca-chip" if setting.printed else "dpca-chip dpca-ours"
    return element("li", name, " ", value, " ", tag, class_=kind)


def actions_markup(view: CardView) -> str:
    """Return links to other pages, the run, downloads, citation and the command."""
    one = view.card
    parts = [_link(link) for link in one.links]
    if one.live and view.results is not None:
        parts.append(button(text.RUN_AGAIN if view.own else text.RUN, data_say="run"))
        if view.own:
            parts.append(button(text.BACK_TO_STORED, data_say="run", data_value="0"))
    if view.results is not None:
        parts.append(button(text.NUMBERS, data_say="save", data_value="numbers"))
        parts.append(button(text.SCRIPT, data_say="save", data_value="script"))
    row = element("div", *parts, class_="dpca-buttons")
    facts = []
    if not one.live:
        facts.append(text.NOT_LIVE.format(time=text.seconds_text(one.seconds)))
    if one.needs:
        facts.append(text.NEEDS.format(files=", ".join(one.needs)))
    said = "".join(element("p", escape(fact), class_="dpca-fact") for fact in facts)
    return row + said + _command(one) + _citation(view)


def _link(link: Link) -> str:
    query = f"?{urlencode(link.query)}" if link.query else ""
    anchor = f"#{link.anchor}" if link.anchor else ""
    words = text.LINK_TO.format(page=PAGE_TITLES[link.page])
    address = f"{link.page}{query}{anchor}"
    common = {"href": address, "target": "_blank", "rel": "noopener"}
    return element("a", escape(words), class_="dpca-button", **common)


def _command(card: Card) -> str:
    code = element("code", escape(text.command(card)))
    return element("p", f"{text.COMMAND_LABEL}: ", code, class_="dpca-fact")


def _citation(view: CardView) -> str:
    one = view.card
    cited = text.CITATION.format(
        version=view.version,
        key=one.key,
        seed=view.seed,
        paper=text.paper_name(one),
        number=one.number,
    )
    copy = button(text.COPY, data_copy=text.COPIED)
    inside = element("p", escape(cited)) + element("pre", escape(PAPERS[one.paper].bibtex)) + copy
    return element(
        "details", element("summary", text.CITE), inside, class_="dpca-cite", data_key=one.key
    )
