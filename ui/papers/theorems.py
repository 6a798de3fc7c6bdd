"""The papers' theorems and lemmas, what became of each, and where that is shown."""

from dataclasses import dataclass
from html import escape

from papers.publications import PAPERS
from papers.registry import BY_KEY
from ui.figures.markup import element
from ui.papers import text
from ui.text.documents import DOCUMENTS
from ui.text.page_titles import PAGE_TITLES

PAPERS_PAGE = "papers"
"""This page: the place is one of its cards."""
_TRUE, _REFUTED, _CORRECTED, _CITED = "holds", "refuted", "corrected", "cited"


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


THEOREMS = (
    Theorem("chaudhuri", "Theorem 5", "MOD-SULQ is (ε, δ)-DP", _TRUE, "claims"),
    Theorem("chaudhuri", "Theorem 6", "PPCA is ε-DP", _TRUE, "claims"),
    Theorem("chaudhuri", "Theorem 7", "people enough for PPCA", _TRUE, "sample_size"),
    Theorem("chaudhuri", "Theorem 8", "people too few for any pure mechanism", _CORRECTED,
            "sample_size"),
    Theorem("chaudhuri", "Theorem 9", "people too few for MOD-SULQ, by growth with d", _CITED,
            "papers#jiang-table-1"),
    Theorem("chaudhuri", "Theorem 13, Lemmas 10 to 18 but 15", "caps, packings, Fano", _CITED,
            "sample-size"),
    Theorem("chaudhuri", "Theorem 15", "a bound on MOD-SULQ’s correlation", _TRUE, "sample_size"),
    Theorem("imtiaz", "Theorem 1", "SN is ε-DP", _REFUTED, "claims#absent"),
    Theorem("imtiaz", "Theorem 2", "what SN captures: sign and order are wrong", _CORRECTED,
            "errata"),
    Theorem(
        "imtiaz", "Note of 2017, Claim", "a pure mechanism has all positive semidefinite matrices "
        "in its support", _CORRECTED, "errata",
    ),
    Theorem("jiang", "Theorems 1 and 2", "Laplace and Gaussian noise, classical", _TRUE, "claims"),
    Theorem("jiang", "Theorem 3", "Laplace noise is ε-DP", _TRUE, "claims"),
    Theorem("jiang", "Theorem 4", "Wishart noise is ε-DP", _REFUTED, "claims#absent"),
    Theorem("jiang", "Theorem 5", "when Wishart noise is smaller than Laplace’s", _CITED,
            "papers#jiang-table-1"),
    Theorem("jiang", "Theorem 6", "how far the subspace turns", _CORRECTED, "errata"),
    Theorem("jiang", "Theorem 7", "people enough for its mechanism, by another proof", _TRUE,
            "sample-size"),
    Theorem("jiang", "Theorem 8", "people too few for any pure mechanism", _CITED, "sample-size"),
    Theorem("jiang", "Theorem 9", "what a low-rank approximation loses", _CITED,
            "papers#jiang-table-1"),
    Theorem("jiang", "Theorem 10", "a lower bound, printed the other way round", _CORRECTED,
            "errata"),
    Theorem("jiang", "Lemmas 1 and 2", "tail of Wishart noise, size of the first eigenvalue", _TRUE,
            "papers#jiang-table-1"),
    Theorem("gonen", "Theorem 5", "local and global sensitivity", _CORRECTED, "eigengap"),
    Theorem("gonen", "Theorem 9, Corollaries 12 and 13", "noise by smooth sensitivity", _CORRECTED,
            "claims"),
    Theorem("gonen", "Lemma 11", "how far a few people move the gap; the proof’s ends are swapped",
            _TRUE, "errata"),
    Theorem("gonen", "Lemmas 14 to 16", "people enough where there is a gap", _TRUE,
            "sample_size"),
    Theorem("wang-xu", "Theorems 1 and 2", "lower and upper bound in the local model, said to meet",
            _CORRECTED, "sample_size"),
    Theorem("wang-xu", "Theorems 3 to 5", "sparse directions and their support", _CITED, "local"),
)  # fmt: skip


def theorems_markup() -> str:
    """Return the list, a paper after the other."""
    parts = [element("h2", escape(text.THEOREMS_TITLE))]
    for key, paper in PAPERS.items():
        rows = "".join(_row(theorem) for theorem in THEOREMS if theorem.paper == key)
        heading = element("h3", escape(paper.name))
        parts.append(element("section", heading, element("ul", rows)))
    return "".join(parts)


def _row(theorem: Theorem) -> str:
    kind = f"dpca-standing dpca-stands-{theorem.standing}"
    page, _, card = theorem.place.partition("#")
    here = card if page == PAPERS_PAGE else None
    link = element("a", escape(theorem.title), href=theorem.address, data_figure=here)
    return element(
        "li",
        element("b", escape(theorem.name)),
        element("span", escape(theorem.says)),
        element("span", escape(theorem.standing), class_=kind),
        link,
    )
