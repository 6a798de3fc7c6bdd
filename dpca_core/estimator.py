"""Private PCA as a scikit-learn estimator."""

from numbers import Real
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from dpca_core.data.clipping import HUGE, to_ball
from dpca_core.example_release.terms import guarantee
from dpca_core.figures.colours import Theme
from dpca_core.figures.plot import plot
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.base import Mechanism
from dpca_core.mechanisms.published_matrix import SharedMatrixNoise
from dpca_core.mechanisms.registry import DEFAULT, MECHANISMS
from dpca_core.privacy.budget import Adjacency, Budget, Guarantee
from dpca_core.problem import Problem

_LONGEST = 1e150
"""Largest bound on a row: the square of a longer one is beyond the numbers of 64 bits."""


class PrivatePCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """PCA whose directions are differentially private.

    Rows are shortened to ``row_norm``, a bound that must be known without looking at the data. They
    are not centred, unless a public ``center`` is given: PCA about the origin otherwise. What is
    released are ``components_`` (and ``explained_variance_`` where the mechanism publishes a whole
    matrix and n is public); ``transform`` uses them on whatever rows it is given and protects
    nobody in those.

    Parameters
    ----------
    n_components
        Directions k, 1 ≤ k < number of columns.
    epsilon, delta
        The privacy asked for. δ = 0 for pure mechanisms.
    mechanism
        Key of the registry, or a mechanism with settings of its own.
    adjacency
        "add_or_remove_one" or "replace_one" row.
    row_norm
        Public bound on the length of a row (after centring); longer rows are shortened to it.
    center
        Public point (d,) to subtract; None for the origin.
    random_state
        None for fresh randomness, as a release needs it: whoever knows the seed knows the data.

    Attributes
    ----------
    components_
        (k, d), orthonormal rows.
    privacy_
        Guarantee that really holds; a function of d, k and the budget.
    explained_variance_
        (k,) second moments about ``center`` along the components, with the noise that was added,
        less its mean where that is public (one Wishart matrix), so that they may be below 0: there
        only if the mechanism publishes a matrix and rows are replaced, so that n is public.
    n_features_in_, feature_names_in_
        As everywhere in scikit-learn.
    """

    def __init__(
        self,
        n_components: int = 1,
        epsilon: float = 1.0,
        delta: float = 1e-6,
        mechanism: str | Mechanism = DEFAULT.key,
        adjacency: str = "add_or_remove_one",
        row_norm: float = 1.0,
        center: ArrayLike | None = None,
        random_state: Any = None,
    ) -> None:
        """Keep the settings as they are."""
        self.n_components = n_components
        self.epsilon = epsilon
        self.delta = delta
        self.mechanism = mechanism
        self.adjacency = adjacency
        self.row_norm = row_norm
        self.center = center
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: Any = None) -> "PrivatePCA":
        """Release directions of the rows X (n, d).

        Raises
        ------
        ValueError
            For rows that are no table of finite numbers, settings that make no sense, and a budget
            that the mechanism cannot meet: that depends on d, k and the budget only. Gap release
            also refuses at random, within its guarantee; the printed power methods, which promise
            nothing, also refuse a small eigengap. No message holds a value of a cell.
        TypeError
            For sparse tables, and cells that are neither text nor a number.
        """
        rows = check_array(_without_texts(X), dtype=np.float64, estimator=self, input_name="X")
        mechanism, budget, norm = self._mechanism(), self._budget(), self._row_norm()
        if rows.shape[1] < 2:
            raise ValueError("Found 1 feature(s), but there is no direction to choose below 2.")
        # A difference beyond the largest number would be a refusal that a row decides.
        with np.errstate(over="ignore"):
            moved = np.clip(rows - self._center(rows.shape[1]), -HUGE, HUGE)
        inside = to_ball(moved, norm).values
        problem = Problem.from_rows(inside, self.n_components)
        promised = guarantee(mechanism, rows.shape[1], self.n_components, budget)
        release = mechanism.release(problem, budget, self._generator(), 1, keep="moment")
        if release.refused[0]:
            raise ValueError(f"{mechanism.name} releases nothing: {mechanism.refusal_reason}.")
        components = release.bases[0].T
        # Last, as nothing may be kept of a fit that fails: these set the names of features.
        validate_data(self, X, skip_check_array=True)
        self.components_: Array = components
        self.privacy_: Guarantee = promised
        self.__dict__.pop("explained_variance_", None)
        if release.moment is not None and budget.adjacency is Adjacency.REPLACE_ONE:
            along = np.einsum("kd,de,ke->k", components, release.moment[0], components)
            if isinstance(mechanism, SharedMatrixNoise):
                along -= mechanism.noise_mean(rows.shape[1], budget)
            self.explained_variance_: Array = along * norm**2 / len(rows)
        return self

    def transform(self, X: ArrayLike) -> Array:
        """Project rows (n, d) on the released directions: (n, k)."""
        check_is_fitted(self)
        rows = validate_data(self, _without_texts(X), dtype=np.float64, reset=False)
        return np.asarray((rows - self._center(rows.shape[1])) @ self.components_.T)

    def inverse_transform(self, X: ArrayLike) -> Array:
        """Return points (n, d) of the released subspace, from their coordinates (n, k)."""
        check_is_fitted(self)
        coordinates = np.asarray(X, dtype=np.float64)
        return np.asarray(coordinates @ self.components_ + self._center(self.components_.shape[1]))

    def plot(self, theme: Theme = "light") -> Any:
        """Draw the loadings of the released components, as ``dpca_core.plot`` does."""
        check_is_fitted(self)
        return plot(self, theme)

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def _mechanism(self) -> Mechanism:
        if isinstance(self.mechanism, Mechanism):
            return self.mechanism
        if self.mechanism not in MECHANISMS:
            raise ValueError(
                f"No mechanism {self.mechanism!r}; choose from {', '.join(MECHANISMS)}."
            )
        return MECHANISMS[self.mechanism]

    def _budget(self) -> Budget:
        if self.adjacency not in list(Adjacency):
            choices = " or ".join(Adjacency)
            raise ValueError(f"adjacency must be {choices}, not {self.adjacency!r}.")
        return Budget(self.epsilon, self.delta, Adjacency(self.adjacency))

    def _row_norm(self) -> float:
        if not (isinstance(self.row_norm, Real) and 0 < self.row_norm <= _LONGEST):
            raise ValueError(
                f"row_norm must be a positive number of at most {_LONGEST:g}, not {self.row_norm}."
            )
        return float(self.row_norm)

    def _center(self, d: int) -> Array:
        if self.center is None:
            return np.zeros(d)
        center = np.asarray(self.center, dtype=np.float64)
        if center.shape != (d,) or not np.isfinite(center).all():
            raise ValueError(f"center must be {d} finite numbers, not of shape {center.shape}.")
        return center

    def _generator(self) -> np.random.Generator:
        if isinstance(self.random_state, np.random.RandomState):
            return np.random.default_rng(self.random_state.randint(0, 2**32, 4, dtype=np.uint64))
        return np.random.default_rng(self.random_state)


def _without_texts(table: ArrayLike) -> ArrayLike:
    """Return what scikit-learn may look at: it writes texts, complex numbers and lists into errors.

    Raises
    ------
    ValueError, TypeError
        For a cell or a shape that it would refuse with the cell, and for masked values.
    """
    if scipy.sparse.issparse(table):
        return table
    if np.ma.is_masked(table):
        raise ValueError("X holds masked values: fill or drop them first.")
    found = np.empty(0)
    try:
        found = np.asarray(table)
        if found.dtype.kind in "OSU":
            found.astype(np.float64)
    except OverflowError:
        raise ValueError("X holds a number beyond those of 64 bits.") from None
    except ValueError:
        raise ValueError("X holds text, or rows of different lengths: make it numbers.") from None
    except MemoryError:
        raise
    except Exception as wrong:
        if isinstance(wrong, TypeError) and _holds_na(found):
            raise ValueError("X holds missing values (NA): fill or drop them first.") from None
        # What an object says while it is made a number may be its value.
        raise TypeError(
            "X holds something else than numbers: an argument must be a string or a real number."
        ) from None
    if found.dtype.kind == "c":
        raise ValueError("Complex data not supported: X must hold real numbers.")
    if found.ndim != 2:
        raise ValueError(
            f"Expected a table (n, d), not an array of {found.ndim} dimension(s). Reshape your "
            "data: a single row is X.reshape(1, -1)."
        )
    return table


def _holds_na(cells: NDArray[Any]) -> bool:
    """Tell whether a cell is the missing value of pandas, of which a number cannot be made."""
    return any(type(cell).__name__ == "NAType" for cell in cells.flat)
