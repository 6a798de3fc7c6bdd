"""The files a visitor can save: a release with its guarantee, or one marked as not private.

There is no third way: whatever leaves the server is a ``Download``, and only the two functions here
make one. What the browser saves by itself is marked in ``static/charts/downloads.js``.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from dpca_core.example_release.csv_file import NOT_PRIVATE, release_csv
from dpca_core.example_release.draw import Drawn
from dpca_core.example_release.terms import Terms

__all__ = ["NOT_PRIVATE", "Download", "Format", "not_private_download", "release_download"]


class Format(StrEnum):
    """A format by its media type."""

    CSV = "text/csv"
    PYTHON = "text/x-python"
    HTML = "text/html"


@dataclass(frozen=True)
class Download:
    """A file on its way to the browser.

    Attributes
    ----------
    name
        File name.
    text, format
        Content.
    guaranteed
        Whether it is a function of a release and of public settings alone.
    """

    name: str
    text: str
    format: Format
    guaranteed: bool

    def to_message(self, number: int) -> dict[str, Any]:
        """Return what a component needs to save the file; a new number makes it save again."""
        return {
            "name": self.name,
            "text": self.text,
            "type": str(self.format),
            "guaranteed": self.guaranteed,
            "number": number,
        }


def release_download(terms: Terms, drawn: Drawn) -> Download:
    """Return the file of a release: nothing private is in it but what was drawn."""
    name = f"dpca-release-{terms.mechanism.key}.csv"
    return Download(name, release_csv(terms, drawn), Format.CSV, guaranteed=terms.private)


def not_private_download(name: str, text: str, form: Format) -> Download:
    """Return a file whose first line says that it was computed from the true data."""
    return Download(name, _marked(text, form), form, guaranteed=False)


def _marked(text: str, form: Format) -> str:
    if form is Format.HTML:
        head, body, rest = text.partition("<body>")
        start = f"<!-- {NOT_PRIVATE} -->\n{head}{body}"
        return f"{start}<p><strong>{NOT_PRIVATE}</strong></p>{rest}"
    return f"# {NOT_PRIVATE}\n{text}"
