"""A recipe as a step of scikit-learn."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.utils.validation import check_is_fitted

from dpca_core import PrivatePCA
from dpca_core.data.errors import RecipeError, TableError
from dpca_core.data.recipe import Category, Missing, Number, Recipe, Scale, Scaling
from dpca_core.tables.prepare import prepare
from dpca_core.tables.transformer import RecipeTransformer

RECIPE = Recipe(
    (Number("age", 0, 100), Number("weight", 0, 200, missing=("999",))),
    (Category("sex", ("f", "m")),),
    bounds_are_public=True,
    scales=(Scale("pain", ("none", "some", "much")),),
)


def people(n=300, seed=0):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "name": [f"P{i}" for i in range(n)],
            "pain": rng.choice(["none", "some", "much", None], n),
            "age": rng.normal(50, 30, n),
            "weight": rng.choice([999, 60, 80, 100], n),
            "sex": rng.choice(["f", "m", "x"], n),
        }
    )


def test_rows_are_those_of_the_recipe_each_by_itself():
    table, step = people(), RecipeTransformer(RECIPE)
    found = step.fit_transform(table)
    assert np.array_equal(found, prepare(table, RECIPE, "t").rows)
    assert np.array_equal(step.transform(table[7:9]), found[7:9])
    assert step.transform(table[:0]).shape == (0, 5)
    names = ["age", "weight", "pain", "sex: f", "sex: m"]
    assert step.get_feature_names_out().tolist() == names
    assert step.feature_names_in_.tolist() == list(table.columns)
    framed = RecipeTransformer(RECIPE).set_output(transform="pandas").fit_transform(table[7:9])
    assert list(framed.columns) == names


def test_it_is_cloned_and_stands_before_a_private_pca():
    pipeline = make_pipeline(
        RecipeTransformer(RECIPE), PrivatePCA(2, row_norm=1, epsilon=100, random_state=1)
    )
    scores = clone(pipeline).fit(people()).transform(people(50, 1))
    assert scores.shape == (50, 2)
    with pytest.raises(NotFittedError):
        check_is_fitted(clone(RecipeTransformer(RECIPE).fit(people())))


@pytest.mark.parametrize(
    ("recipe", "table", "words"),
    [
        (RECIPE, people().drop(columns="age"), "no column “age”"),
        (RECIPE, people().assign(age=pd.Timestamp("2020")), "values of type timestamp"),
        (replace(RECIPE, person=("name",)), people(), "Each row stays one here"),
        (replace(RECIPE, missing=Missing.DROP), people(), "Each row stays one here"),
        (replace(RECIPE, scaling=Scaling.PRIVATE_MEAN), people(), "use public ranges"),
    ],
)
def test_what_cannot_be_followed_is_refused_by_fit(recipe, table, words):
    with pytest.raises((RecipeError, TableError), match=words):
        RecipeTransformer(recipe).fit(table)


def test_arrays_without_names_are_refused():
    with pytest.raises(TypeError, match="must be a data frame"):
        RecipeTransformer(RECIPE).fit(np.zeros((3, 4)))
