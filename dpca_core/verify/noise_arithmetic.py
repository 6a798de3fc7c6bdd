"""What one person moves a table of whole numbers by, and what noise on it costs, computed again.

Typed again on purpose: what checks a certificate shares no line with what wrote it. Formulas:
docs/release.md.
"""

from fractions import Fraction
from math import isqrt

GRID = 65_536
"""M, the length of a row of norm 1 in grid units."""
GAUSSIAN = "rounded Gaussian"
WISHARTS, LAPLACE = "rounded difference of Wisharts", "discrete Laplace"
LETTERS = {
    GAUSSIAN: {"matrix": "ab", "means": "a", "scores": "a"},
    WISHARTS: {"matrix": "s"},
    LAPLACE: {"matrix": "w", "means": "w", "scores": "w"},
}
"""The scales that each law of noise has, by table."""
BESIDE = {GAUSSIAN: GAUSSIAN, WISHARTS: LAPLACE, LAPLACE: LAPLACE}
"""The law of noise on every other table, by that on the matrix; only the Gaussian one needs δ."""

LAWS = {
    GAUSSIAN: "⌊scale·x + ½⌋ for each entry, x standard normal: scale a, and b on a matrix’s "
    "diagonal; a matrix is mirrored from its upper triangle",
    WISHARTS: "⌊s·(GGᵀ − HHᵀ) + ½⌋, G and H of d rows and d + 1 columns, their entries standard "
    "normal",
    LAPLACE: "P(z) ∝ e^(−|z|/w) for each entry; a matrix is mirrored from its upper triangle",
}
"""Each law in words, as every certificate of this format has it."""
_MADE_WHOLE = ("rounded", "discrete", "of")
"""Words of a law's name that a mechanism's key leaves out."""


def law_of_key(key: str) -> str:
    """Return the law whose name a mechanism's key spells; "" where it spells none."""
    return next((law for law in LAWS if _spelled(law) == sorted(key.split("_"))), "")


def _spelled(law: str) -> list[str]:
    words = (word for word in law.lower().split() if word not in _MADE_WHOLE)
    return sorted(word.removesuffix("s") for word in words)


def moved(name: str, noise: str, d: int, rows: int, replaced: bool) -> tuple[str, int]:
    """Return the norm of a table's change that a noise needs, and the square of its bound.

    Parameters
    ----------
    name
        ``matrix``, ``means`` or ``scores``.
    d
        Columns.
    rows
        Rows that a person may own.
    replaced
        Whether neighbours differ in one person replaced, rather than added or removed.
    """
    both = 2 if replaced else 1
    norm = {"a": "l2", "w": "l1", "s": "nuclear", "ab": "Frobenius"}[LETTERS[noise][name]]
    one = rows * GRID**2 if name == "matrix" else rows * GRID
    if noise == GAUSSIAN:
        # A row and the number of rows: √2 for the two together.
        return norm, (2 if name == "means" else 1) * both * one**2
    if name == "means":
        # √d and 1 for a row that comes or goes; twice √d where one takes another's place.
        bound = root(4 * one**2 * d) if replaced else root(one**2 * d) + one
    elif name == "scores" or noise != LAPLACE:
        bound = both * one
    elif d == 1:
        bound = one
    elif replaced:
        bound = min(root(one**2 * d**2 // 2) + one, root(one**2 * d * (d + 3) // 2))
    else:
        bound = one * (d + 1) // 2
    return norm, bound**2


def cost(letters: str, square: int, scales: dict[str, int]) -> tuple[Fraction, Fraction]:
    """Return μ² and pure ε of a table: (sensitivity/σ)², or sensitivity over scale."""
    if letters.startswith("a"):
        # A symmetric matrix has every entry off the diagonal once, at half the variance.
        return Fraction(square, (2 if letters == "ab" else 1) * scales["a"] ** 2), Fraction(0)
    return Fraction(0), Fraction(root(square), (2 if letters == "s" else 1) * scales[letters])


def root(value: int) -> int:
    """Return the smallest whole number whose square is at least this."""
    return isqrt(value - 1) + 1 if value > 0 else 0
