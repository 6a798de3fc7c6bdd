"""Markup of the pages that have not moved to ``ui.page``."""

import re
from collections.abc import Mapping
from html import escape

from ui.page.markup import element, sentence
from ui.text.chart_words import CHART_WORDS

FORMATS = ("CSV", "PNG", "SVG", "HTML")
"""What can be saved of a figure."""


def page_root(kind: str, skeleton: str) -> str:
    """Return the element of a page that draws, around its skeleton."""
    return element("div", skeleton, class_=f"dpca dpca-{kind}", data_ready="false")


def sentences(said: Mapping[str, str | None]) -> dict[str, str]:
    """Return sentences as markup, by the part of the page in which the browser writes them."""
    return {name: sentence(text or "") for name, text in said.items()}


def switch(off: str, on: str, part: str, **attributes: object) -> str:
    """Return a button with two texts, of which the browser shows the second where ``data-on`` is.

    Parameters
    ----------
    part
        The name by which the browser finds it.
    """
    texts = (
        element("span", escape(off), class_="dpca-off"),
        element("span", escape(on), class_="dpca-on"),
    )
    common: dict[str, object] = {"type": "button", "class_": "dpca-button", "data_part": part}
    return element("button", *texts, **(common | attributes))


def help_button(text: str, **attributes: object) -> str:
    """Return the question mark that shows an explanation."""
    common: dict[str, object] = {"type": "button", "class_": "dpca-hover"}
    return element("button", "?", **common, aria_label=text, data_tip=text, **attributes)


def save_buttons(name: str, part: str, axis: str | None = None) -> str:
    """Return the quiet buttons that save a figure.

    Parameters
    ----------
    name
        Of the file, and in what the buttons are called.
    part
        The part of the page in which the figure is drawn.
    axis
        The y axis of the only panel that is saved, such as "y2"; None for the whole figure.
    """
    file = re.sub(r"[\W_]+", "-", name.lower())
    buttons = "".join(
        element(
            "button",
            form,
            type="button",
            aria_label=CHART_WORDS["download_as"].format(name=name, format=form),
            data_format=form,
        )
        for form in FORMATS
    )
    place = {"data_name": file, "data_figure": part, "data_axis": axis}
    return element("span", buttons, class_="dpca-take", **place)


def progress_row() -> str:
    """Return how far measuring is, and the button that stops it."""
    stop = switch(CHART_WORDS["stop"], CHART_WORDS["resume"], "stop")
    common = {"max": 1, "value": 0, "aria_label": CHART_WORDS["measured"]}
    bar = element("progress", class_="dpca-progress", data_part="bar", **common)
    stopped = element("span", CHART_WORDS["stopped"], class_="dpca-stopped-note")
    said = element("span", element("span", data_part="progress"), stopped, role="status")
    return element("div", bar, said, stop, class_="dpca-work dpca-idle", data_part="work")
