"""The file of a release: a function of its public terms and of the draw alone.

``Terms`` hold what is public before anything is drawn (terms.py). ``draw`` is the only function
that sees private rows, and it returns nothing but the release (draw.py). ``release_csv`` gets these
two and nothing else; the tests in tests/core/example_release compare the files of neighbouring
tables byte by byte.
"""

import csv
import io

from dpca_core.data.provenance import FREE, SIZE
from dpca_core.example_release.draw import Drawn
from dpca_core.example_release.terms import Terms
from dpca_core.mechanisms.mechanism import parameters
from dpca_core.privacy.budget import Notion
from dpca_core.text.guarantee_sentences import LABELS, between, promise
from dpca_core.text.spreadsheets import neutralise_formulas

NOT_PRIVATE = "Not private: computed from the true data"
EXAMPLE = (
    "Example, not for publication: floating point is outside the proof. To publish, use Release"
)
"""Second line of every file."""
CAVEAT = (
    "Each further file spends the budget again. The guarantee assumes that whatever is declared "
    "public, the mechanism, k, ε and δ were chosen without looking at the data. The proof does not "
    "cover floating-point arithmetic, the pseudo-random generator or timing."
)
SEEN = f"{SIZE}: public, as the report of each person is seen ({FREE})"


def release_csv(terms: Terms, drawn: Drawn) -> str:
    """Write a release as CSV, its guarantee or the lack of one on top.

    Text is quoted, and nothing in it opens a formula, wherever a program splits the lines.
    """
    out = io.StringIO()
    out.writelines(f"# {neutralise_formulas(line)}\n" for line in _head(terms))
    if drawn.basis is None:
        refusal = f"The mechanism refused: {terms.mechanism.refuses}. The refusal is the release."
        out.write(f"# {neutralise_formulas(refusal)}\n")
        return out.getvalue()
    writer = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow(["column", *(f"direction_{i + 1}" for i in range(terms.k))])
    for name, row in zip(terms.columns, drawn.basis, strict=True):
        writer.writerow([neutralise_formulas(name), *(float(v) for v in row)])
    return out.getvalue()


def _head(terms: Terms) -> list[str]:
    mechanism, found = terms.mechanism, terms.guarantee
    said_of_it = (
        f"{p.label} {getattr(mechanism, p.name):g}".lower() for p in parameters(mechanism)
    )
    settings = "; ".join(said_of_it)
    first = f"dpca example release: the top {terms.k} directions by {mechanism.name}"
    label = LABELS[found.standing][0].lower()
    lines = [
        f"Guarantee: {promise(found)}, {between(found, terms.one)} ({label}; {found.source})",
    ]
    if not terms.private:
        lines, first = [first, f"No guarantee: {_why_not(terms)}."], NOT_PRIVATE
    if settings:
        lines.append(f"Settings: {settings}")
    local = found.notion is Notion.LOCAL
    said = (SEEN if local and text.startswith(f"{SIZE}:") else text for text in terms.statements)
    caveat = [CAVEAT] if terms.private else []
    return [first, EXAMPLE, f"Data: {terms.name}", *lines, *said, *caveat]


def _why_not(terms: Terms) -> str:
    if not terms.declared_private:
        return "the preprocessing reads the data without spending budget"
    return (terms.guarantee.erratum or "no noise was added").rstrip(".")
