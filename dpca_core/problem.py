"""The data a mechanism works on: a second-moment sum, a size and a number of directions."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from numbers import Real
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import eigh_descending
from dpca_core.privacy.budget import Adjacency, InfeasibleBudget
from dpca_core.runtime.cached_property import cached_property
from dpca_core.runtime.offload import expected_seconds, run

Work = TypeVar("Work", bound=Callable[..., Any])
_TOLERANCE = 1e-9
"""How far rounding may take norms, symmetry and order from what they are declared to be."""
_COLUMNS_A_ROW = 8
"""Columns for each row from which on the rows are decomposed, and not their sum."""


@dataclass(frozen=True, eq=False, repr=False)
class Problem:
    """Second-moment sum S = XᵀX of n rows of norm at most 1, and the number k of directions."""

    moment: Array
    """S (d, d), in people: one person moves it by at most 1 in spectral norm."""
    n: float
    """People; any positive number where the spectrum is scaled."""
    k: int
    truth: "Problem | None" = None
    """The problem whose directions are the right answer, with the same d, n and k, where rows are
    less a private mean and are judged by the exact one; None for this one."""
    reference: "Problem | None" = None
    """The problem that captured variance is a share of, where rows are all of length 1 and are
    judged by what PCA of rows at most R captures; None for the truth."""
    rows_per_person: int = 1
    """m, the most rows that a person may have, by the recipe: never read from the data."""
    rows: Array | None = None
    """x (N, d), whose weighted sum of x·xᵀ is S; None where only the sum is kept, and in a copy for
    another process."""
    row_weight: float = 1.0
    """What each row counts in S: 1/m, times n'/n where the problem is scaled. Never n/N, which
    would read the data."""
    pairs: bool = False
    """Whether rows are differences of random pairs of the n people: private where one is replaced,
    with a trusted curator."""

    def __post_init__(self) -> None:
        """Require people, and a whole number of directions from 1 to d."""
        _require_people(self.n)
        if not (isinstance(self.k, Real) and 1 <= self.k <= self.d and self.k == int(self.k)):
            raise ValueError(f"k must be a whole number from 1 to {self.d}, not {self.k!r}.")
        object.__setattr__(self, "k", int(self.k))

    @classmethod
    def from_rows(cls, rows: ArrayLike, k: int) -> "Problem":
        """Make a problem from rows (n, d), one a person; ValueError unless in the unit ball."""
        table = real("Rows", rows)
        if table.ndim != 2 or len(table) == 0:
            raise ValueError(f"Rows must be a table (n, d) with n ≥ 1, not shape {table.shape}.")
        if not np.isfinite(table).all():
            raise ValueError("Rows hold NaN or infinite values; fill or drop them first.")
        longest = float(np.sqrt(np.einsum("ij,ij->i", table, table).max()))
        if longest > 1 + _TOLERANCE:
            raise ValueError(
                f"A row has norm {longest:.6g}; divide by a public bound and clip rows to norm 1."
            )
        return cls.from_moment(table.T @ table, len(table), k, rows=table)

    @classmethod
    def from_moment(
        cls,
        moment: ArrayLike,
        n: float,
        k: int,
        rows_per_person: int = 1,
        rows: Array | None = None,
        **judges: "Problem | None",
    ) -> "Problem":
        """Make a problem from S (d, d) of n people; ValueError unless it may be a sum of n x·xᵀ."""
        s = real("S", moment)
        if s.ndim != 2 or s.shape[0] != s.shape[1]:
            raise ValueError(f"S must be square, not {s.shape}.")
        if not np.isfinite(s).all():
            raise ValueError("S holds NaN or infinite values.")
        if len(s) < 2:
            raise ValueError("With one column there is no direction to choose; use two or more.")
        _require_people(n)
        with np.errstate(over="ignore"):
            skew, trace = np.abs(s - s.T).max(), np.trace(s)
        if skew > _TOLERANCE * max(float(np.abs(s).max()), 1e-300):
            raise ValueError("S is not symmetric.")
        if trace > n * (1 + 1e-6):
            raise ValueError(
                f"S has trace {trace:.6g} for n = {n:g} rows; rows must have norm at most 1."
            )
        s, m = s / 2 + s.T / 2, rows_per_person
        truth, reference = judges.get("truth"), judges.get("reference")
        problem = cls(s, n, k, truth, reference, m, rows, 1 / m)
        _require_no_negative("S", problem.spectrum)
        return problem

    @classmethod
    def from_spectrum(
        cls, spectrum: ArrayLike, n: float, k: int, eigenvectors: Array | None = None
    ) -> "Problem":
        """Make a problem from the eigenvalues (d,) of S, in people, and eigenvectors as columns.

        Without eigenvectors S and its directions are NaN: for mechanisms that read nothing but the
        spectrum. ValueError unless eigenvalues are finite, descending and not negative.
        """
        values = real("The spectrum", spectrum).copy()
        if values.ndim != 1 or len(values) < 2 or not np.isfinite(values).all():
            raise ValueError("The spectrum must be a list of two or more finite eigenvalues.")
        if (np.diff(values) > _TOLERANCE * max(1.0, float(np.abs(values).max()))).any():
            raise ValueError("The spectrum must be descending: sort the eigenvalues.")
        _require_no_negative("The spectrum", values)
        if eigenvectors is None:
            moment = eigenvectors = np.broadcast_to(np.nan, (len(values), len(values)))
        else:
            moment = (eigenvectors * values) @ eigenvectors.T
        problem = cls(moment, n, k)
        problem.__dict__["_eigen"] = (values, eigenvectors)
        return problem

    @property
    def d(self) -> int:
        """Number of columns."""
        return len(self.moment)

    @cached_property
    def _eigen(self) -> tuple[Array, Array]:
        if self.rows is not None and _COLUMNS_A_ROW * len(self.rows) <= self.d:
            _, sizes, vectors = np.linalg.svd(self.rows * np.sqrt(self.row_weight))
            return np.pad(np.square(sizes), (0, self.d - len(sizes))), vectors.T
        return run(expected_seconds(self.d), eigh_descending, self.moment)

    @property
    def spectrum(self) -> Array:
        """Eigenvalues (d,) of S, descending, in people."""
        return self._eigen[0]

    @property
    def eigenvectors(self) -> Array:
        """Eigenvectors (d, d) of S as columns, in the order of ``spectrum``."""
        return self._eigen[1]

    @property
    def basis(self) -> Array:
        """Top-k eigenvectors V_k (d, k): PCA without privacy."""
        return self.eigenvectors[:, : self.k]

    @property
    def gap(self) -> float:
        """Eigengap λ_k − λ_{k+1} of S, in people; after λ_d comes nothing."""
        below = self.spectrum[self.k] if self.k < self.d else 0.0
        return float(self.spectrum[self.k - 1] - below)

    @property
    def true_problem(self) -> "Problem":
        """What released directions are judged by: ``truth``, or the problem itself."""
        return self if self.truth is None else self.truth

    @property
    def reference_problem(self) -> "Problem":
        """What captured variance is a share of: ``reference``, or the truth."""
        return self.true_problem if self.reference is None else self.reference

    @property
    def judges_itself(self) -> bool:
        """Whether releases are judged by the very S that they are made from."""
        return self.truth is None and self.reference is None

    def require_neighbours(self, adjacency: Adjacency) -> None:
        """Refuse that somebody is added where pairs are compared, as n counts everybody there."""
        if self.pairs and adjacency is Adjacency.ADD_OR_REMOVE_ONE:
            raise InfeasibleBudget(
                "Differences of pairs hide a person who is replaced, and count everybody: choose "
                "neighbours of whom one is replaced."
            )

    def with_k(self, k: float) -> "Problem":
        """Return the same data with another number of directions, whole and from 1 to d."""
        return self._like(self.n, cast(int, k))

    def scaled(self, n: float) -> "Problem":
        """Return the problem of n people with the same distribution: S·(n'/n)."""
        _require_people(n)
        return self._like(n, self.k)

    def _like(self, n: float, k: int) -> "Problem":
        """Scale and ask anew, what it is judged by as well; eigenvectors stay the same array."""
        factor = n / self.n
        other = replace(
            self,
            moment=self.moment if n == self.n else self.moment * factor,
            n=n,
            k=k,
            truth=self.truth and self.truth._like(n, k),
            reference=self.reference and self.reference._like(n, k),
            row_weight=self.row_weight * factor,
        )
        other.__dict__["_eigen"] = (self.spectrum * factor, self.eigenvectors)
        other.__dict__["_memories"] = self._memories
        return other

    @cached_property
    def _memories(self) -> dict[Callable[..., Any], Callable[..., Any]]:
        return {}

    def remembered(self, work: Work) -> Work:
        """Return ``work`` with a cache shared by all k and n of these data, and freed with them."""
        return cast(Work, self._memories.setdefault(work, lru_cache(maxsize=1024)(work)))

    def __getstate__(self) -> dict[str, Any]:
        """Return what another process gets: neither the rows nor what is remembered."""
        return vars(self) | {"_memories": {}, "rows": None}

    def __repr__(self) -> str:
        """Return the sizes alone: what is printed is soon published."""
        return f"Problem(d={self.d}, k={self.k}, n={self.n:g})"


def real(name: str, values: ArrayLike) -> Array:
    """Real numbers in 64 bits, masked ones NaN; ValueError for texts, dates, ragged rows."""
    try:
        found = np.asarray(values)
        if found.dtype.kind not in "biufO":
            raise TypeError
        floats = found.astype(float, copy=False)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} must be a table of real numbers.") from None
    return (
        np.where(values.mask, np.nan, floats) if isinstance(values, np.ma.MaskedArray) else floats
    )


def _require_people(n: float) -> None:
    if not (isinstance(n, Real) and np.isfinite(n) and n > 0):
        raise ValueError(f"n must be a positive number of people, not {n!r}.")


def _require_no_negative(name: str, values: Array) -> None:
    """Require descending eigenvalues (d,) to be 0 or more, but for rounding."""
    if values[-1] < -1e-7 * max(float(values[0]), 1e-300):
        raise ValueError(f"{name} has a negative eigenvalue; S must be a sum of x·xᵀ.")
