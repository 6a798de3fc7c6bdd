"""Recipes and lines that the tests of total reading share."""

import numpy as np

from dpca_core.data.recipe import Category, Number, Recipe

RECIPE = Recipe(
    (Number("a", -10, 10), Number("b", 0, 2000)),
    (Category("c", ("x", "1", "01", "NA", "ü")),),
    radius=1.2,
    bounds_are_public=True,
)


def close(found, expected):
    return np.allclose(found, expected, rtol=1e-9, atol=1e-9)
