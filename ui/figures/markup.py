"""Markup that Python writes for the browser: whatever text stands in it is escaped here."""

import re
from collections.abc import Mapping
from functools import lru_cache
from html import escape

from dpca_core.figures.colours import palette
from dpca_core.figures.presentation_palette import room_colours
from dpca_core.text.privacy_numbers import with_subscripts
from ui.text.chart_words import CHART_WORDS

_MARKS = re.compile(r"\*\*([^*]+)\*\*|\[\[([^\]]+)\]\]")
MOST_SENTENCES = 10_000
"""Sentences whose markup is kept: most of an answer is said again by the next one."""
FORMATS = ("CSV", "PNG", "SVG", "HTML")
"""What can be saved of a figure."""


def element(tag: str, *children: str, **attributes: object) -> str:
    """Return an element.

    Parameters
    ----------
    children
        Markup.
    attributes
        ``data_part`` for ``data-part``, ``class_`` for ``class``; True for an attribute without a
        value; those that are None are left out.
    """
    names = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
    written = "".join(
        f" {name}" if value is True else f' {name}="{escape(str(value))}"'
        for name, value in names.items()
        if value is not None
    )
    return f"<{tag}{written}>{''.join(children)}</{tag}>"


def page_root(kind: str, skeleton: str) -> str:
    """Return the element of a page that draws, around its skeleton."""
    return element("div", skeleton, class_=f"dpca dpca-{kind}", data_ready="false")


def palette_style() -> str:
    """Return a style sheet in which each role of a colour is a property, in both themes.

    A dark room has some colours of its own.
    """
    usual = _declarations(palette())
    room = _declarations(room_colours())
    return f".dpca {{ {usual} }}\n.dpca-present .dpca {{ {room} }}"


def _declarations(colours: Mapping[str, tuple[str, str]]) -> str:
    """Return what declares the colours (on light, on dark) of roles."""
    return " ".join(
        f"{_property(role)}: light-dark({light}, {dark});"
        for role, (light, dark) in colours.items()
    )


def _property(role: str) -> str:
    """Return the property of a role, with a hyphen for what no name may hold."""
    return "--" + re.sub(r"\W", "-", role)


def role_style(role: str) -> str:
    """Return the declarations of the colours of a role: ``--role``, and ``--text`` for words."""
    return f"--role: var({_property(role)}); --text: var({_property(role + '/text')})"


@lru_cache(maxsize=MOST_SENTENCES)
def sentence(text: str) -> str:
    """Return a sentence with its ``**bold**`` and ``[[accented]]`` words as elements."""
    marked = with_subscripts(escape(text))
    return _MARKS.sub(lambda m: f"<b>{m[1]}</b>" if m[1] else f"<em>{m[2]}</em>", marked)


def sentences(said: Mapping[str, str | None]) -> dict[str, str]:
    """Return sentences as markup, by the part of the page in which the browser writes them."""
    return {name: sentence(text or "") for name, text in said.items()}


def button(text: str, **attributes: object) -> str:
    """Return a button with a text."""
    attributes = {"type": "button", "class_": "dpca-button"} | attributes
    return element("button", escape(text), **attributes)


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
