"""A recipe as a step of scikit-learn: rows of a table become rows in the unit ball."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin

from dpca_core.data.errors import RecipeError
from dpca_core.data.recipe import Missing, Recipe, Scaling
from dpca_core.data.recipe_checks import require_valid
from dpca_core.linalg.arrays import Array
from dpca_core.tables.files import open_table
from dpca_core.tables.rows import column_names, unit_rows
from dpca_core.tables.table import Table


class RecipeTransformer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Bring the rows of a data frame into the unit ball by public choices alone.

    It learns nothing from the rows, each of which becomes what it becomes alone and stays a row:
    ``PrivatePCA`` with ``row_norm=1`` behind it keeps its promise for the rows of the frame.
    """

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe

    def fit(self, X: Any, y: Any = None) -> "RecipeTransformer":
        """Check the recipe, and that a data frame X has its columns; no row is looked at."""
        recipe = self.recipe
        require_valid(recipe)
        if recipe.names_persons or recipe.missing is Missing.DROP:
            raise RecipeError(
                "Each row stays one here: sum up with second_moment where rows of a person are "
                "combined, or rows are left out."
            )
        if recipe.scaling in (Scaling.PRIVATE_MEAN, Scaling.AS_IN_PAPERS):
            raise RecipeError("A mean of these rows cannot be subtracted here: use public ranges.")
        table = self._table(X)
        table.require(*column_names(recipe))
        self.feature_names_in_ = np.array(table.columns, dtype=object)
        self.n_features_in_ = len(table.columns)
        return self

    def transform(self, X: Any) -> Array:
        """Return the rows (n, d) of a data frame with the same columns, in the unit ball.

        A cell that cannot be read is missing, and no row is refused.
        """
        none = np.empty((0, self.recipe.width))
        return np.vstack([none, *unit_rows(self._table(X), self.recipe)])

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Return the names of the d columns after coding."""
        return np.array(self.recipe.coded_names, dtype=object)

    def _table(self, X: Any) -> Table:
        if not hasattr(X, "columns") and not hasattr(X, "column_names"):
            raise TypeError("X must be a data frame: the recipe finds its columns by their names.")
        return open_table(X, self.recipe.number_format)

    def __sklearn_is_fitted__(self) -> bool:
        """Whether ``fit`` checked a frame: ``transform`` does not depend on it."""
        return hasattr(self, "n_features_in_")
