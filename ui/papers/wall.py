"""The wall: a tile for each printed figure and table, in a column for each paper."""

from functools import cache
from html import escape

from dpca_core.mechanisms.registry import MECHANISMS
from papers.card import Card, Verdict
from papers.publications import PAPERS
from papers.registry import CARDS
from ui.page.markup import element
from ui.papers import text
from ui.papers.figures import thumbnail
from ui.papers.measurements import counted, recorded
from ui.papers.query import PapersSettings, mechanisms_run

_CIRCLE = '<circle cx="8" cy="8" r="5.6"/>'
_SHAPES = {
    Verdict.FORMULA_HOLDS: '<circle cx="8" cy="8" r="5.6" class="dpca-full"/>',
    Verdict.ALL_HOLD: f'{_CIRCLE}<path d="M8 2.4a5.6 5.6 0 0 0 0 11.2z" class="dpca-full"/>',
    Verdict.ONE_FAILS: _CIRCLE,
    Verdict.CANNOT_BE: '<path d="M3.4 3.4l9.2 9.2M12.6 3.4l-9.2 9.2"/>',
    Verdict.NOT_RUN: '<path d="M2.8 8h10.4" stroke-dasharray="2 2.2"/>',
}
"""Of the verdicts: a full circle, a half one, an empty one, a cross and dashes."""
TILES_ACROSS = {"chaudhuri": 3, "imtiaz": 2, "jiang": 1, "gonen": 1, "wang-xu": 2}
"""Tiles beside each other in the column of each paper, on a wide screen."""


def glyph(verdict: Verdict) -> str:
    """Return the sign of a verdict, to stand beside its word."""
    kind = f"dpca-glyph dpca-verdict-{verdict.name.lower().replace('_', '-')}"
    return element("svg", _SHAPES[verdict], viewBox="0 0 16 16", class_=kind, aria_hidden="true")


@cache
def wall_markup() -> str:
    """Return the tiles with their verdicts and thumbnails."""
    return "".join(_column(key) for key in PAPERS)


def _column(key: str) -> str:
    paper, own = PAPERS[key], [one for one in CARDS if one.paper == key]
    if not own:
        return ""
    year = element("span", str(paper.year))
    heading = element("h2", escape(paper.authors), " ", year, title=paper.title)
    tiles = element("div", *map(_tile, own), class_="dpca-tiles")
    style = f"--across: {TILES_ACROSS.get(key, 1)}"
    return element("section", heading, tiles, class_="dpca-column", style=style)


def _tile(card: Card) -> str:
    verdict = card.verdict
    known = card.key in recorded()
    words = [str(verdict), *([text.ON_RECORD] if known else [])]
    said = element("span", f", {', '.join(words)}", class_="dpca-said")
    name = element("b", escape(text.short_number(card)), said)
    sign = _recorded_sign() if known else ""
    foot = element("span", name, sign, glyph(verdict), class_="dpca-foot")
    return element(
        "a",
        thumbnail(card.key),
        foot,
        href=f"papers?figure={card.key}",
        class_="dpca-tile",
        title=text.full_name(card),
        data_figure=card.key,
    )


def _recorded_sign() -> str:
    """Return the sign of a card of which printed values are on record."""
    return element("span", "◇", class_="dpca-recorded", aria_hidden="true")


def filters_markup(settings: PapersSettings) -> str:
    """Return what the wall can be limited to; the verdicts, with their counts, are its legend."""
    legend = "".join(
        _verdict_button(verdict, count, settings.verdict == verdict)
        for verdict, count in counted().items()
        if count
    )
    group = element("span", legend, role="group", aria_label=text.FILTER_LABEL)
    sign = element("span", _recorded_sign(), " ", text.ON_RECORD, class_="dpca-fact")
    return group + sign + _mechanisms(settings) + _switch("ready", text.READY_LABEL, settings.ready)


def predict_markup(settings: PapersSettings) -> str:
    """Return the switch that hides our curves."""
    return _switch("predict", text.PREDICT_LABEL, not settings.reveal, title=text.PREDICT_HELP)


def _verdict_button(verdict: Verdict, count: int, pressed: bool) -> str:
    return element(
        "button",
        glyph(verdict),
        element("b", str(count)),
        " ",
        text.LEGEND[verdict][count != 1],
        type="button",
        class_="dpca-verdict",
        aria_pressed=str(pressed).lower(),
        title=text.MEANINGS[verdict],
        data_say="verdict",
        data_value=str(verdict),
    )


def _mechanisms(settings: PapersSettings) -> str:
    options = [_option(0, text.ANY_MECHANISM, not settings.uses)]
    for number, key in enumerate(mechanisms_run(), 1):
        options.append(_option(number, MECHANISMS[key].name, key == settings.uses))
    common = {"data_say": "uses", "aria_label": text.MECHANISM_LABEL}
    return element("select", *options, **common)


def _option(number: int, name: str, selected: bool) -> str:
    return element("option", escape(name), value=str(number), selected=selected or None)


def _switch(name: str, label: str, on: bool, **attributes: object) -> str:
    box = element("input", type="checkbox", data_say=name, checked=on or None)
    return element("label", box, " ", escape(label), **attributes)
