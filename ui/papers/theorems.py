"""The papers' theorems and lemmas, what became of each, and where that is shown."""

import csv
from dataclasses import dataclass
from functools import cache
from html import escape

from papers.publications import PAPERS
from papers.registry import BY_KEY
from papers.store import HERE
from ui.page.markup import element
from ui.papers import text
from ui.text.documents import DOCUMENTS
from ui.text.product import PAGE_TITLES

PAPERS_PAGE = "papers"
"""This page: the place is one of its cards."""


@dataclass(frozen=True)
class Theorem:
    """A result of a paper.

    Attributes
    ----------
    standing
        "holds", "refuted", "corrected" or "cited": used as it is, not drawn.
    place
        A page of the workbench by its name in the address, with a section or a card behind "#", or
        a document of docs.
    """

    paper: str
    name: str
    says: str
    standing: str
    place: str

    @property
    def address(self) -> str:
        """Where it is shown, from this page."""
        page, _, anchor = self.place.partition("#")
        if page in DOCUMENTS:
            return f"proofs?document={page}"
        if page == PAPERS_PAGE:
            return f"{page}?figure={anchor}"
        return f"{page}#{anchor}" if anchor else page

    @property
    def title(self) -> str:
        """What the place is called."""
        page, _, anchor = self.place.partition("#")
        if page == PAPERS_PAGE:
            return text.short_number(BY_KEY[anchor])
        return PAGE_TITLES.get(page, PAGE_TITLES["proofs"])


@cache
def theorems() -> tuple[Theorem, ...]:
    """Return the list of ``papers/theorems.csv``."""
    with (HERE / "theorems.csv").open(encoding="utf-8", newline="") as file:
        return tuple(Theorem(**row) for row in csv.DictReader(file))


def theorems_markup() -> str:
    """Return the list, a paper after the other."""
    parts = [element("h2", escape(text.THEOREMS_TITLE))]
    for key, paper in PAPERS.items():
        rows = "".join(_row(theorem) for theorem in theorems() if theorem.paper == key)
        heading = element("h3", escape(paper.name))
        parts.append(element("section", heading, element("ul", rows)))
    return element("div", *parts, class_="dpca-theorems")


def _row(theorem: Theorem) -> str:
    kind = f"dpca-standing dpca-stands-{theorem.standing}"
    elsewhere = {"target": "_blank", "rel": "noopener"}
    link = element("a", escape(theorem.title), href=theorem.address, **elsewhere)
    return element(
        "li",
        element("b", escape(theorem.name)),
        element("span", escape(theorem.says)),
        element("span", escape(theorem.standing), class_=kind),
        link,
    )
