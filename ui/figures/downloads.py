"""The files a visitor can save from pages that read the true data, each marked as not private.

Only functions of this module make a ``Download``. The browser makes nothing by itself:
``static/charts/downloads.js`` saves what is sent, and draws pictures of the figures it gets, which
carry the mark. What is to be published, *Release* makes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from dpca_core.figures.colours import Theme
from dpca_core.figures.html_page import figure_json
from dpca_core.figures.layout import Spec
from dpca_core.figures.picture import with_heading
from ui.page.files import NOT_PRIVATE

SENT_TIMES = 3
"""Answers that a file comes with: one that is overtaken by the next is never seen."""


class Format(StrEnum):
    """A format by its media type; of a picture the browser gets the figure."""

    CSV = "text/csv"
    PYTHON = "text/x-python"
    HTML = "text/html"
    SVG = "image/svg+xml"
    PNG = "image/png"


@dataclass(frozen=True)
class Download:
    """A file on its way to the browser.

    Attributes
    ----------
    name
        File name.
    text, format
        Content.
    """

    name: str
    text: str
    format: Format

    def to_message(self, number: int) -> dict[str, Any]:
        """Return what a component needs to save the file; a new number makes it save again."""
        return {
            "name": self.name,
            "text": self.text,
            "type": str(self.format),
            "number": number,
        }


@dataclass
class Outbox:
    """Files of a session that are on their way to one component."""

    _number: int = 0
    _left: list[tuple[int, dict[str, Any]]] = field(default_factory=list)

    def add(self, file: Download) -> None:
        """Send a file with the next answers."""
        self._number += 1
        self._left.append((SENT_TIMES, file.to_message(self._number)))

    def take(self) -> list[dict[str, Any]]:
        """Return the files that go with an answer; the browser saves each number once."""
        sent = [message for _, message in self._left]
        self._left = [(times - 1, message) for times, message in self._left if times > 1]
        return sent


def not_private_download(name: str, text: str, form: Format) -> Download:
    """Return a file whose first line says that it was computed from the true data."""
    return Download(name, _marked(text, form), form)


def not_private_picture(
    name: str, drawn: Spec, said: Sequence[str], form: Format, theme: Theme
) -> Download:
    """Return a figure that the browser makes a picture of: title, subtitle and mark stand above it.

    Parameters
    ----------
    said
        Title and subtitle.
    """
    title, sub = said
    sentences = ((title, 16, 650, "ink"), (sub, 13, 400, "grey"), (NOT_PRIVATE, 12, 650, "accent"))
    text = figure_json(with_heading(drawn, sentences, theme))
    return Download(name, text, form)


def _marked(text: str, form: Format) -> str:
    if form is Format.HTML:
        head, body, rest = text.partition("<body>")
        start = f"<!-- {NOT_PRIVATE} -->\n{head}{body}"
        return f"{start}<p><strong>{NOT_PRIVATE}</strong></p>{rest}"
    return f"# {NOT_PRIVATE}\n{text}"
