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
from dpca_core.data.recipe import Missing, Scaling
from dpca_core.tables.transformer import RecipeTransformer
from tests.core.tables.text_tables import MADE_UP, made_up, rows_of

PEOPLE = pd.DataFrame(made_up(0, 300)).convert_dtypes()


def test_rows_are_those_of_the_recipe_each_by_itself():
    step = RecipeTransformer(MADE_UP)
    found = step.fit_transform(PEOPLE)
    assert np.array_equal(found, rows_of(PEOPLE, MADE_UP))
    assert step.transform(PEOPLE[:0]).shape == (0, MADE_UP.width)
    assert step.feature_names_in_.tolist() == list(PEOPLE.columns)
    framed = step.set_output(transform="pandas").transform(PEOPLE[7:9])
    assert np.array_equal(framed, found[7:9])
    assert tuple(framed.columns) == MADE_UP.coded_names


def test_it_is_cloned_and_stands_before_a_private_pca():
    private = PrivatePCA(2, row_norm=1, epsilon=100, random_state=1)
    pipeline = clone(make_pipeline(RecipeTransformer(MADE_UP), private))
    assert pipeline.fit(PEOPLE).transform(PEOPLE[:50]).shape == (50, 2)
    with pytest.raises(NotFittedError):
        check_is_fitted(clone(pipeline[0]))


def test_what_cannot_be_followed_is_refused_by_fit():
    for changes, table, words in (
        ({}, PEOPLE.drop(columns="age"), "no column “age”"),
        ({"person": ("who",)}, PEOPLE, "Each row stays one here"),
        ({"missing": Missing.DROP}, PEOPLE, "Each row stays one here"),
        ({"scaling": Scaling.PRIVATE_MEAN}, PEOPLE, "use public ranges"),
        ({}, np.zeros((3, 4)), "must be a data frame"),
    ):
        with pytest.raises((ValueError, TypeError), match=words):
            RecipeTransformer(replace(MADE_UP, **changes)).fit(table)
