"""The skeleton of Compare's charts and ranking, and the rows of the ranking, which are filled."""

from collections.abc import Iterable
from html import escape
from typing import Any

from ui.compare.chart_words import COMPARE_WORDS
from ui.compare.text import COLUMNS, NOT_RANKED, TITLES
from ui.figures.markup import progress_row, save_buttons
from ui.page.markup import button, element, role_style, sentence

_PAGE = """\
<h1 class="dpca-answer" aria-live="polite" id="compare-answer" data-part="answer"></h1>
{progress}
<div class="dpca-halves"><section class="dpca-charts">
{captured}
<div class="dpca-reader" role="slider" tabindex="0" data-part="handle">\
<span class="dpca-tag" data-part="tag"></span></div>
<div class="dpca-frame" data-part="frame">\
<div class="dpca-figure" role="figure" aria-labelledby="{said}" data-part="figure">\
</div>\
<div class="dpca-rule" aria-hidden="true" data-part="rule"></div>{sin}</div>
</section><section class="dpca-table">
<h2>{ranking} <span data-part="at"></span></h2><p class="dpca-moving" data-part="moving"></p>
<div class="dpca-columns" aria-hidden="true">{columns}</div><div data-part="rows"></div>
</section></div>
<footer data-part="footer"></footer>
"""


def skeleton() -> str:
    """Return the page's markup."""
    pressed = {"class_": "dpca-button dpca-all", "aria_pressed": "false", "data_part": "all"}
    return _PAGE.format(
        progress=progress_row(),
        said=f"compare-answer {_ids('captured')} {_ids('sin')}",
        captured=_title("captured", "y", button(COMPARE_WORDS["all_values"], **pressed)),
        sin=_title("sin", "y2"),
        ranking=COMPARE_WORDS["ranking"],
        columns="".join(element("span", sentence(name)) for name in COLUMNS),
    )


def _title(name: str, axis: str, more: str = "") -> str:
    heading, caption = _ids(name).split()
    title = element("h2", escape(TITLES[name]), id=heading)
    head = element(
        "div", title, more, save_buttons(TITLES[name], "figure", axis), class_="dpca-head"
    )
    kind = {"class_": f"dpca-title dpca-title-{name}", "data_part": f"{name}_title"}
    return element("div", head, element("p", data_part=name, id=caption), **kind)


def _ids(name: str) -> str:
    """Return the ids of a panel's title and subtitle."""
    return f"compare-{name}-title compare-{name}"


def ranking_rows(
    rows: Iterable[dict[str, Any]], cells: tuple[str, ...], details: dict[str, str]
) -> str:
    """Return a button for each row, with an empty element for each text that the browser fills in.

    Parameters
    ----------
    rows
        With ``key``, ``name``, ``role`` and ``dash``.
    cells
        Names of the texts; an element holds the number of its own.
    details
        Labels of the smaller numbers, by name.
    """

    def cell(name: str, tag: str = "span", **attributes: object) -> str:
        return element(tag, data_cell=cells.index(name), **attributes)

    def number(label: str, value: str, interval: str) -> str:
        said = element("span", sentence(label), " ", class_="dpca-said")
        return element(
            "span", said, cell(value, "b"), " ", cell(interval, "i"), class_="dpca-number"
        )

    def detail(name: str, label: str) -> str:
        unit = f" {cell('unit')}" if name == "noise" else ""
        head = element("span", escape(label), " ", class_="dpca-label")
        return element("span", head, cell(name), unit)

    numbers = number(COLUMNS[1], "kept", "interval"), number(COLUMNS[2], "sine", "sin_interval")
    badge = cell("label", class_="dpca-badge")
    more = element("span", badge, *(detail(*each) for each in details.items()), class_="dpca-more")
    rest = [*numbers, more, cell("note", class_="dpca-note")]
    apart = element("p", escape(NOT_RANKED), class_="dpca-apart")
    return apart + "".join(_row(row, rest) for row in rows)


def _row(row: dict[str, Any], rest: Iterable[str]) -> str:
    dash = None if row["dash"] == "solid" else row["dash"]
    line = element("line", x2=30, y1=4, y2=4, stroke_width=2.2, stroke_dasharray=dash)
    sample = element("svg", line, width=30, height=8, aria_hidden="true")
    who = element("span", sample, element("b", escape(row["name"])), class_="dpca-who")
    attributes = {"type": "button", "class_": "dpca-row", "data_key": row["key"]}
    return element("button", who, *rest, **attributes, style=role_style(row["role"]))
