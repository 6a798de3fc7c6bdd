"""A figure of a page as a file: what the browser asks for, and what it gets."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dpca_core.figures.bundle import bundle_text
from dpca_core.figures.colours import Theme
from dpca_core.figures.figure_table import figure_table
from dpca_core.figures.html_page import drawn_part, html_page, sentence_part
from dpca_core.figures.layout import Spec
from dpca_core.figures.picture import picture
from dpca_core.text.spreadsheets import csv_text
from ui.figures.component_messages import finite_number
from ui.figures.downloads import Download, Format, not_private_download, not_private_picture
from ui.figures.markup import FORMATS

MOST_LETTERS = 1000
"""Of any text in a request, titles included."""
WIDTHS = (200, 4000)
"""Of a figure, in pixels."""
MOST_REQUESTS = 8
"""That one message of the browser holds."""
_NAME = re.compile(r"[\w-]{1,80}")
_AXIS = re.compile(r"y\d?")


@dataclass(frozen=True)
class FigureRequest:
    """What a button beside a figure asks for.

    Attributes
    ----------
    number
        By chance: no two requests have the same.
    id
        Of the content that the browser showed.
    chart
        Key of the chart, where a page has several; else "".
    figure
        Name of the part that it is drawn in.
    axis
        Name of a y axis, if only the panel above it is meant.
    name
        Of the file, without what is common to all.
    said
        Title and subtitle, as they stood above the figure.
    width
        At which it was drawn, in pixels.
    index, frame
        Number of the stop at which the page is read, and of the release that it shows.
    """

    number: float
    id: str
    chart: str
    figure: str
    axis: str | None
    name: str
    format: Format
    said: tuple[str, str]
    width: float
    theme: Theme
    index: int
    frame: int

    @property
    def file_name(self) -> str:
        """Return the name of the file."""
        return f"dpca-{self.name}.{self.format.name.lower()}"


FigureOf = Callable[[dict[str, Any], FigureRequest], Spec | None]
"""Finds the figure of a request in a page's content."""


def figure_requests(said: object) -> list[FigureRequest]:
    """Return the requests of a message, which a browser can make anything of."""
    return [
        request
        for each in (said[-MOST_REQUESTS:] if isinstance(said, list) else ())
        if (request := _request(each)) is not None
    ]


def chart_figure(content: dict[str, Any], request: FigureRequest) -> Spec | None:
    """Find the figure of a page whose content is a list of charts."""
    charts = (chart["figure"] for chart in content["charts"] if chart["key"] == request.chart)
    return next(charts, None)


def figure_file(figure: Spec, asked: FigureRequest, settings: str) -> Download:
    """Return a figure as the file that was asked for.

    Parameters
    ----------
    settings
        Data and settings of the page, which stand below the title; "" for none. Where a figure
        holds ``at``, that stands there too: where its page was read.
    """
    title, sub = asked.said
    sub = f"{figure['at']}: {sub}" if "at" in figure else sub
    sub = f"{sub.removesuffix('.')}. {settings}" if settings else sub
    if asked.format is Format.CSV:
        text = csv_text(figure_table(figure, asked.axis))
        return not_private_download(asked.file_name, text, asked.format)
    drawn = picture(figure, asked.width, asked.theme, asked.axis)
    if asked.format is not Format.HTML:
        said = title, sub
        return not_private_picture(asked.file_name, drawn, said, asked.format, asked.theme)
    parts = [sentence_part(title, "h1"), sentence_part(sub), drawn_part(drawn, title)]
    page = html_page(title, parts, bundle_text(), asked.theme)
    return not_private_download(asked.file_name, page, asked.format)


def _request(said: object) -> FigureRequest | None:
    """Read one request; None for anything that is none."""
    try:
        return _read(said) if isinstance(said, dict) else None
    except ValueError:
        return None


def _read(said: dict[str, Any]) -> FigureRequest:
    name, axis, form = _text(said, "name"), said.get("axis"), _text(said, "format")
    if form not in FORMATS or not _NAME.fullmatch(name):
        raise ValueError("a file has a name and a format")
    if axis is not None and not _AXIS.fullmatch(_text(said, "axis")):
        raise ValueError("no panel lies above such an axis")
    return FigureRequest(
        number=_number(said, "number"),
        id=_text(said, "id"),
        chart=_text(said, "chart"),
        figure=_text(said, "figure"),
        axis=axis,
        name=name,
        format=Format[form],
        said=(_text(said, "title"), _text(said, "sub")),
        width=min(max(_number(said, "width"), WIDTHS[0]), WIDTHS[1]),
        theme="dark" if said.get("dark") is True else "light",
        index=int(_number(said, "index")),
        frame=int(_number(said, "frame")),
    )


def _number(said: dict[str, Any], name: str) -> float:
    found = finite_number(said.get(name) or 0)
    if found is None:
        raise ValueError(f"{name} is no number")
    return found


def _text(said: dict[str, Any], name: str) -> str:
    found = said.get(name) or ""
    if not isinstance(found, str):
        raise ValueError(f"{name} is no text")
    return found[:MOST_LETTERS]
