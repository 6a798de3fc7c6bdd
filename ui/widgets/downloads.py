"""The files a visitor can save: a release with its guarantee, or one marked as not private.

There is no third way: whatever leaves the server is a ``Download``, and only the two functions here
make one. What the browser saves by itself is marked in ``figures/js/downloads.js``.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from dpca_core.release.csv_file import NOT_PRIVATE, release_csv
from dpca_core.release.draw import Drawn
from dpca_core.release.terms import Terms

__all__ = ["NOT_PRIVATE", "Download", "Format", "not_private", "released"]


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
    guaranteed
        Whether it is a function of a release and of public settings alone.
    """

    name: str
    text: str
    format: Format
    guaranteed: bool

    def numbered(self, number: int) -> dict[str, Any]:
        """Return what a component needs to save it; a new number asks for saving again."""
        return {
            "name": self.name,
            "text": self.text,
            "type": str(self.format),
            "guaranteed": self.guaranteed,
            "number": number,
        }


def released(terms: Terms, drawn: Drawn) -> Download:
    """Return the file of a release: nothing private goes in but what was drawn."""
    name = f"dpca-release-{terms.mechanism.key}.csv"
    return Download(name, release_csv(terms, drawn), Format.CSV, guaranteed=terms.private)


def not_private(name: str, text: str, form: Format) -> Download:
    """Return a file that says first of all that the true data went into it."""
    return Download(name, _marked(text, form), form, guaranteed=False)


def _marked(text: str, form: Format) -> str:
    if form is Format.HTML:
        head, body, rest = text.partition("<body>")
        said = f"<!-- {NOT_PRIVATE} -->\n{head}{body}"
        return f"{said}<p><strong>{NOT_PRIVATE}</strong></p>{rest}"
    return f"# {NOT_PRIVATE}\n{text}"
