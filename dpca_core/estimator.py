"""Private PCA as a scikit-learn estimator."""

import warnings
from collections.abc import Iterator
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import scipy
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from dpca_core.data.clipping import to_ball
from dpca_core.data.pair_differences import of_pairs, problem_of_pairs
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.registry import DEFAULT, guarantee, mechanism_of
from dpca_core.privacy.budget import (
    Adjacency,
    Budget,
    Guarantee,
    PrivacyWarning,
    Standing,
    with_preparation,
)
from dpca_core.problem import Problem
from dpca_core.tables.moments import Moments

if TYPE_CHECKING:
    from dpca_core.figures.colours import Theme

_LONGEST, _HUGE = 1e150, 1e300
"""Largest bound on a row: the square of a longer one is beyond the numbers of 64 bits; what larger
differences are cut to."""
_FILL = "fill them, or drop their rows"


class PrivatePCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """PCA whose directions are differentially private.

    Rows are shortened to ``row_norm``, and centred by a public ``center`` alone; or ``pairs`` of
    them are compared, which needs neither. What is released
    are the attributes below; ``transform`` protects nobody in the rows that it is given.

    Parameters
    ----------
    n_components
        Directions; None for as many as there are columns, which only mechanisms that publish a
        whole matrix give.
    epsilon, delta
        The privacy asked for. δ = 0 for pure mechanisms.
    mechanism
        Key of the registry, or a mechanism with settings of its own.
    adjacency
        "add_or_remove_one" or "replace_one" row.
    row_norm
        Public bound on the length of a row, after centring; None for 1, with a warning.
    center
        Public point (d,) to subtract; None for the origin.
    random_state
        None for a release: whoever knows the seed knows the data.
    pairs
        Whether the rows are differences of random pairs, each of length 1 (docs/pairs.md): with
        "replace_one" and a curator, in comparable units.

    Attributes
    ----------
    components_
        (k, d), orthonormal rows.
    privacy_
        Guarantee that really holds; a function of d, k and the budget.
    explained_variance_
        (k,) second moments about ``center`` along the components, noise included but for its mean
        (so they may be below 0): there only if the mechanism publishes a matrix and rows are
        replaced, so that n is public, where no row is left out for what it holds. Not of pairs,
        which have no unit.
    """

    def __init__(
        self,
        n_components: int | None = 1,
        epsilon: float = 1.0,
        delta: float = 1e-6,
        mechanism: str | Mechanism = DEFAULT.key,
        adjacency: str = "add_or_remove_one",
        row_norm: float | None = None,
        center: ArrayLike | None = None,
        random_state: Any = None,
        pairs: bool = False,
    ) -> None:
        self.n_components = n_components
        self.epsilon = epsilon
        self.delta = delta
        self.mechanism = mechanism
        self.adjacency = adjacency
        self.row_norm = row_norm
        self.center = center
        self.random_state = random_state
        self.pairs = pairs

    def fit(self, X: "ArrayLike | Moments", y: Any = None) -> "PrivatePCA":
        """Release directions of the rows X (n, d), or of sums of rows in the unit ball.

        The recipe of sums takes the place of ``row_norm`` and ``center``; what a private mean of
        theirs cost comes on top of ``privacy_``.

        Raises
        ------
        ValueError, TypeError
            For rows that are no table of finite numbers, settings that make no sense, and a budget
            that the mechanism cannot meet, by d, k and the budget only. Gap release also refuses at
            random, within its guarantee; the printed power methods, which promise nothing, also
            refuse a small eigengap. No message holds a value of a cell.

        Warns
        -----
        PrivacyWarning
            For settings alone: ``check`` tells of what the rows hold.
        """
        mechanism, norm = mechanism_of(self.mechanism), self._row_norm()
        budget = Budget(self.epsilon, self.delta, cast(Adjacency, self.adjacency))
        rng = self._generator()
        bounded = self.row_norm is not None or self.center is not None
        if self.pairs and (bounded or isinstance(X, Moments)):
            raise ValueError("Pairs need rows, not sums, and no row_norm or center: omit these.")
        if isinstance(X, Moments):
            if self.row_norm not in (None, 1) or self.center is not None:
                raise ValueError(
                    "Leave row_norm and center out: the rows of sums are in the unit ball already."
                )
            problem = X.problem(self._directions(len(X.total), mechanism))
            selects_rows = X.recipe.selects_rows
            promised = mechanism.guarantee(problem, budget)
            promised = with_preparation(promised, budget, selects_rows=selects_rows)
        else:
            rows, selects_rows = self._moved(X), False
            k = self._directions(rows.shape[1], mechanism)
            promised = guarantee(mechanism, rows.shape[1], k, budget)
            if self.pairs:
                promised = of_pairs(promised)
                problem = problem_of_pairs(rows, k, None if self.random_state is None else rng)
            else:
                problem = Problem.from_rows(to_ball(rows, norm).values, k)
        for doubt in self._doubts(mechanism, promised, X):
            warnings.warn(doubt, PrivacyWarning, stacklevel=2)
        release = mechanism.release(problem, budget, rng, 1, keep="moment")
        if release.refused[0]:
            raise ValueError(f"{mechanism.name} releases nothing: {mechanism.refuses}.")
        # Last, as nothing may be kept of a fit that fails: these set the names of features.
        if isinstance(X, Moments):
            self.__dict__.pop("feature_names_in_", None)
            self.n_features_in_ = problem.d
        else:
            validate_data(self, X, skip_check_array=True)
        self.components_: Array = release.bases[0].T
        self.privacy_: Guarantee = promised
        self.__dict__.pop("explained_variance_", None)
        n_is_public = budget.adjacency is Adjacency.REPLACE_ONE and not selects_rows
        if release.moment is not None and n_is_public and not self.pairs:
            along = np.einsum("kd,de,ke->k", self.components_, release.moment[0], self.components_)
            along -= mechanism.calibrate(problem, budget).mean
            self.explained_variance_: Array = along * norm**2 / problem.n
        return self

    def transform(self, X: ArrayLike) -> Array:
        """Project rows (n, d) on the released directions: (n, k)."""
        check_is_fitted(self)
        rows = check_array(_numbers(X), estimator=self, input_name="X")
        validate_data(self, X, reset=False, skip_check_array=True)
        return np.asarray((rows - self._center(rows.shape[1])) @ self.components_.T)

    def inverse_transform(self, X: ArrayLike) -> Array:
        """Return points (n, d) of the released subspace, from their coordinates (n, k)."""
        check_is_fitted(self)
        coordinates = np.asarray(X, dtype=np.float64)
        return np.asarray(coordinates @ self.components_ + self._center(self.components_.shape[1]))

    def check(self, X: ArrayLike) -> str:
        """Say what these settings make of the rows X (n, d): not private, for their owner alone."""
        if self.pairs:
            return "Pairs of rows are compared, and none is shortened."
        moved, norm = self._moved(X), self._row_norm()
        lengths = np.linalg.norm(moved, axis=1)
        squares = np.square(to_ball(moved, norm).values).mean(axis=0)
        said = [
            f"Read from the data, not for publication: {np.sum(lengths > norm):,} of {len(moved):,}"
            f" rows are longer than row_norm = {norm:g} and would be shortened to it; half of all "
            f"are longer than {np.median(lengths):.4g}, and the longest is {lengths.max():.4g}."
        ]
        if empty := np.sum(lengths == 0):
            said.append(f"Rows at the center, which count for nothing: {empty:,}.")
        if (share := squares.max() / (squares.sum() or 1)) > 0.5:
            most = _column(X, int(squares.argmax()))
            said.append(f"Then {share:.0%} of all variation is in {most}.")
        still = np.flatnonzero(np.ptp(moved, axis=0) == 0).tolist()
        if constant := [_column(X, j) for j in still]:
            said.append(f"The same value in every row: {', '.join(constant)}.")
        return " ".join(said)

    def plot(self, theme: "Theme" = "light") -> Any:
        """Draw the loadings of the released components, as ``dpca_core.plot`` does."""
        from dpca_core.figures.plot import plot

        check_is_fitted(self)
        return plot(self, theme)

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def _moved(self, X: ArrayLike) -> Array:
        """Rows (n, d) less the center, d ≥ 2."""
        rows = check_array(_numbers(X), estimator=self, input_name="X", ensure_min_features=2)
        # A difference beyond the largest number would be a refusal that a row decides.
        with np.errstate(over="ignore"):
            return np.asarray(np.clip(rows - self._center(rows.shape[1]), -_HUGE, _HUGE))

    def _directions(self, d: int, mechanism: Mechanism) -> int:
        k = d if self.n_components is None else self.n_components
        if not (isinstance(k, Integral) and 1 <= k <= d):
            raise ValueError(
                f"n_components must be a whole number from 1 to {d}, the number of columns, or "
                f"None for all of them, not {k!r}."
            )
        if k == d and not mechanism.publishes_matrix:
            raise ValueError(
                f"n_components must be below {d} with {mechanism.name}, which gives fewer "
                f"directions than there are columns: mechanism={DEFAULT.key!r} gives all of them."
            )
        return int(k)

    def _row_norm(self) -> float:
        norm = 1.0 if self.row_norm is None else self.row_norm
        if not (isinstance(norm, Real) and 0 < norm <= _LONGEST):
            raise ValueError(
                f"row_norm must be a positive number of at most {_LONGEST:g}, not {norm!r}."
            )
        return float(norm)

    def _center(self, d: int) -> Array:
        if self.center is None:
            return np.zeros(d)
        center = np.asarray(self.center)
        real = center.shape == (d,) and center.dtype.kind in "iuf"
        if not (real and np.isfinite(center).all()):
            raise ValueError(f"center must be a list of {d} finite numbers, or None.")
        return center.astype(np.float64)

    def _generator(self) -> np.random.Generator:
        seed = self.random_state
        if isinstance(seed, np.random.RandomState):
            seed = seed.randint(0, 2**32, 4, dtype=np.uint64)
        return np.random.default_rng(seed)

    def _doubts(
        self, mechanism: Mechanism, promised: Guarantee, given: "ArrayLike | Moments"
    ) -> Iterator[str]:
        """What is to be said against the settings, from nothing but settings."""
        if promised.standing not in (Standing.PROVED, Standing.CORRECTED):
            yield (
                f"{mechanism.name} does not keep what epsilon and delta ask for "
                f"({promised.standing}): privacy_ says what holds, and mechanism="
                f"{DEFAULT.key!r} keeps it."
            )
        if isinstance(given, Moments):
            if not given.recipe.bounds_are_public:
                yield (
                    "The recipe does not say that its ranges and lists are public: what was read "
                    "from the data to make it is not private."
                )
        elif self.row_norm is None and not self.pairs:
            yield (
                "row_norm is not given, so rows are shortened to length 1: give a bound that is "
                "known without the data, which may be row_norm=1."
            )


def _numbers(table: Any) -> Any:
    """Cells as finite numbers (n, d), or an error that names the column and holds no cell.

    scikit-learn would write a text or an object into its own. Sparse tables pass.
    """
    if scipy.sparse.issparse(table):
        return table
    if np.ma.is_masked(table):
        raise ValueError("X holds masked values: fill or drop them first.")
    try:
        cells = np.asarray(table)
    except ValueError:
        raise ValueError("X has rows of different lengths: make it a table.") from None
    if cells.dtype.kind not in "biufOSU":
        raise ValueError(
            "Complex data not supported, nor are dates and the like: X must hold real numbers."
        )
    if cells.ndim != 2:
        raise ValueError(
            f"Expected a table (n, d), not an array of {cells.ndim} dimension(s). Reshape your "
            "data: a single row is X.reshape(1, -1)."
        )
    numbers = np.empty(cells.shape)
    for j, column in enumerate(cells.T):
        name = _column(table, j)
        try:
            numbers[:, j] = column
        except (ValueError, OverflowError):
            raise ValueError(
                f"X holds text, or a number beyond those of 64 bits, in {name}: make it numbers, "
                "or leave it out."
            ) from None
        except Exception:
            # What an object says while it is made a number may be its value.
            if any(type(cell).__name__ == "NAType" for cell in column):
                raise ValueError(f"X holds missing values (NA) in {name}: {_FILL}.") from None
            raise TypeError(
                f"X holds something else than numbers in {name}: an argument must be a string or "
                "a real number."
            ) from None
        if not np.isfinite(numbers[:, j]).all():
            raise ValueError(f"X holds missing or infinite values (NaN, inf) in {name}: {_FILL}.")
    return numbers


def _column(table: Any, j: int) -> str:
    return f"column {table.columns[j]!r}" if hasattr(table, "columns") else f"column {j} (from 0)"
