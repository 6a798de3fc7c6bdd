"""From an uploaded table to S: against independent arithmetic, and every refusal."""

import re
from dataclasses import replace
from math import inf, nan, sqrt

import numpy as np
import pandas as pd
import pytest

from dpca_core import MECHANISMS, Budget
from dpca_core.data.dataset_guarantee import total_guarantee
from dpca_core.data.errors import EncodingError, RecipeError
from dpca_core.data.labels import as_text
from dpca_core.data.provenance import Mark
from dpca_core.data.recipe import Category, Combine, Missing, Number, Recipe, Scaling
from dpca_core.data.scaling import rounded_ranges
from dpca_core.preparation import prepare

TABLE = pd.DataFrame(
    {
        "who": ["a", "a", "b", "c", "c", "c"],
        "age": [20.0, 40.0, 90.0, nan, 30.0, 50.0],
        "height": [1.5, 1.7, 1.8, 1.6, 2.5, 1.9],
        "sex": ["f", "f", "m", None, "f", "x"],
    }
)
RECIPE = Recipe(
    (Number("age", 0, 80), Number("height", 1, 2)),
    (Category("sex", ("f", "m")),),
    bounds_are_public=True,
)


def rows_of(**changes):
    return prepare(TABLE, replace(RECIPE, **changes), "t.csv")


def test_bounded_rows_are_mapped_coded_and_divided():
    data = rows_of()
    expected = np.array(
        [
            [-0.5, 0, 1, 0],
            [0, 0.4, 1, 0],
            [1, 0.6, 0, 1],
            [0, 0.2, 0, 0],
            [-0.25, 1, 1, 0],
            [0.25, 0.8, 0, 0],
        ]
    ) / sqrt(3)
    assert data.rows == pytest.approx(expected)
    assert data.columns == ("age", "height", "sex: f", "sex: m")
    assert data.clipped_cells == pytest.approx(2 / 12)
    assert data.clipped_rows == 0
    assert data.private
    assert data.people == 6
    assert {leak.mark for leak in data.disclosures} == {Mark.NOTHING, Mark.DEPENDS}


def test_a_public_radius_shortens_rows():
    data = rows_of(radius=1.0)
    assert np.linalg.norm(data.rows, axis=1).max() == pytest.approx(1)
    assert data.clipped_rows == pytest.approx(4 / 6)
    assert data.unclipped_moment[0, 0] > 1.25**2


def test_rows_of_one_person_are_averaged_or_at_most_m_kept_and_s_divided_by_m():
    data = rows_of(person=("who",))
    assert data.people == len(data.rows) == 3
    # Each height is cut to its range before they are averaged.
    assert data.rows[2] * sqrt(3) == pytest.approx([0, 2 / 3, 1 / 3, 0])
    data = rows_of(person=("who",), combine=Combine.AT_MOST, most=2)
    assert (data.people, len(data.rows)) == (3, 5)
    assert data.problem(2).moment == pytest.approx(data.rows.T @ data.rows / 2)
    assert np.trace(data.moment) <= 3


def test_what_is_private_and_what_is_not():
    """The public length, and a mean that is paid for; neither the papers' way nor the file's."""
    data = rows_of(scaling=Scaling.NORM_ONLY, radius=100.0, categories=())
    assert data.private
    assert data.rows[0] == pytest.approx([0.2, 0.015])
    data = rows_of(scaling=Scaling.PRIVATE_MEAN, mean_share=0.25)
    assert data.private
    budget = Budget(1.0, 1e-6)
    assert data.split(budget)[0] == Budget(0.25, 2.5e-7)
    point = data.point(2, None, budget)
    total = total_guarantee(data, MECHANISMS["gaussian"].guarantee(*point), budget)
    assert (total.epsilon, total.delta) == pytest.approx((1.0, 1e-6)), (
        "the mean's part and the rest"
    )
    assert "25" in next(leak.cost for leak in data.disclosures if leak.name == "Centring")
    data = rows_of(scaling=Scaling.AS_IN_PAPERS)
    assert not data.private
    assert data.rows.mean(axis=0) == pytest.approx(np.zeros(4), abs=1e-12)
    assert np.linalg.norm(data.rows, axis=1).max() == pytest.approx(1)
    assert [leak.mark for leak in data.disclosures[:2]] == [Mark.READS, Mark.READS]
    data = rows_of(bounds_are_public=False)
    assert not data.private
    assert [leak.mark for leak in data.disclosures[:3]] == [Mark.READS] * 3


def test_suggested_ranges_are_round_and_cover():
    columns = [Number("a", 17, 90), Number("b", -0.0123, 4356), Number("c", 0, 99999)]
    found = [(column.low, column.high) for column in rounded_ranges(columns)]
    assert found == [(17, 90), (-100, 4400), (0, 100000)]


def test_the_key_tells_nothing_of_file_and_content():
    first, again = rows_of(), rows_of()
    assert re.fullmatch(r"upload:[0-9a-f]{32}", first.key)
    assert first.key == first.identity != again.key
    assert "t.csv" not in first.identity


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"numbers": (), "categories": ()}, "at least two columns"),
        ({"numbers": (Number("age", nan, 80),)}, "age a public range"),
        ({"numbers": (Number("age", 5, 5),)}, "must rise"),
        ({"numbers": (Number("weight", 0, 1),)}, "no column weight"),
        ({"numbers": (Number("sex", 0, 1),)}, "does not hold numbers"),
        ({"categories": (Category("sex", ("f",)),)}, "at least two categories"),
        ({"scaling": Scaling.NORM_ONLY}, "public norm bound"),
        ({"radius": inf}, "positive number"),
        ({"person": ("nobody",)}, "no column nobody"),
        ({"person": ("who", "who")}, "who is chosen twice"),
        ({"person": ("who",), "most": 0}, "at least one row"),
        ({"mean_share": 1.0}, "between 0 and 1"),
    ],
)
def test_what_cannot_be_followed_is_one_sentence(changes, words):
    with pytest.raises((RecipeError, EncodingError), match=words) as caught:
        rows_of(**changes)
    message = str(caught.value)
    assert message.endswith(".")
    assert "\n" not in message


@pytest.mark.parametrize(
    ("columns", "changes", "words"),
    [
        (([1.0, inf], [1.0, inf]), {}, "infinite"),
        (([nan, nan], [nan, nan]), {}, "zero after preparation"),
        (([1.0, nan], [1.0, 2.0]), {"missing": Missing.DROP}, "has one row left"),
    ],
)
def test_values_that_no_spectrum_can_use(columns, changes, words):
    table = pd.DataFrame(dict(zip("ab", columns, strict=True)))
    recipe = Recipe((Number("a", 0, 1), Number("b", 0, 1)), **changes)
    with pytest.raises((RecipeError, EncodingError), match=words):
        prepare(table, recipe, "t.csv")


def test_huge_values_are_clipped_without_a_warning():
    table = pd.DataFrame({"a": [1e308, -1e308, 0.0], "b": [1.0, 2.0, 3.0]})
    data = prepare(table, Recipe((Number("a", -1e-3, 1e-3), Number("b", 0, 4))), "t.csv")
    assert data.rows[:, 0] * sqrt(2) == pytest.approx([1, -1, 0])
    assert data.unclipped_moment is None


@pytest.mark.parametrize(
    "column",
    [
        [1.0, 2.0, 2.5, nan],
        pd.to_datetime(["2020-01-01", "2020-01-02", "2020-01-01 12:00", None], format="ISO8601"),
        [True, False, "True", None],
    ],
)
def test_a_row_counts_as_the_same_category_whatever_the_others_are(column):
    whole = pd.Series(column)
    alone = pd.concat([as_text(whole[i : i + 1]) for i in whole.index])
    assert as_text(whole).equals(alone)
    assert as_text(whole).isna().tolist() == [False] * 3 + [True]


def test_numbers_can_be_categories():
    table = pd.DataFrame({"a": [1.0, 2.0, 2.5, nan], "b": [True, False, True, False]})
    categories = (Category("a", ("1", "2", "2.5")), Category("b", ("0", "1")))
    data = prepare(table, Recipe((), categories, radius=10.0), "t.csv")
    expected = np.hstack([np.eye(4, 3), [[0, 1], [1, 0], [0, 1], [1, 0]]])
    assert data.rows * 10 == pytest.approx(expected)
