"""A table becomes rows in the unit ball: against a naive reference, and every refusal."""

from dataclasses import replace
from itertools import product
from math import nan, sqrt

import numpy as np
import pandas as pd
import pytest

from dpca_core import MECHANISMS, Budget, sweep
from dpca_core.data.clipping import to_ball, to_length_one
from dpca_core.data.dataset import Dataset
from dpca_core.data.dataset_guarantee import total_guarantee
from dpca_core.data.mean_direction import offset_shares
from dpca_core.data.provenance import Mark
from dpca_core.data.recipe import (
    Category,
    CategoryCoding,
    Combine,
    Missing,
    MissingPerson,
    Number,
    Recipe,
    RowLength,
    Scaling,
)
from dpca_core.data.scaling import rounded_ranges
from dpca_core.metrics import quality, random_baseline, without_noise
from dpca_core.preparation import prepare
from dpca_core.readers.file_access import Upload
from sample_data import CATALOGUE
from tests.hostile.one_sentence import require_sentence
from tests.references.prepared_rows import prepared

RECIPE = Recipe(
    (
        Number("age", 0, 100, typical=40.0, missing=("999", "-1")),
        Number("pressure", 60, 220, typical=60.0),
        Number("wide", -2.5, 7.5),
    ),
    (Category("sex", ("f", "m", "x"), missing=("9",)), Category("site", ("north", "south"))),
    bounds_are_public=True,
)
PERSONS = {
    "each row": {},
    "averaged": {"person": ("who",)},
    "two columns": {"person": ("who", "clinic")},
    "case ignored": {"person": ("who",), "ids_ignore_case": True},
    "own": {"person": ("who",), "missing_person": MissingPerson.OWN},
    "at most 2": {"person": ("who",), "combine": Combine.AT_MOST, "most": 2},
}
LENGTHS = {
    "of length 1": {"row_length": RowLength.ONE, "category_coding": CategoryCoding.CENTRED},
    "at most R": {"category_coding": CategoryCoding.CENTRED},
    "shortened": {"radius": 0.8},
}


def table(seed, rows=60):
    """Rows with everything in them: missing cells and IDs, codes, values far outside."""
    rng = np.random.default_rng(seed)
    choices = {
        "age": lambda: [None, 999, -1, 1e9, *rng.integers(-20, 130, 6)],
        "pressure": lambda: [None, *rng.normal(120, 60, 6).round(1)],
        "wide": lambda: [None, -1e300, *rng.normal(2, 5, 6).round(2)],
        "sex": lambda: [None, "9", "f", "m", "x", "other"],
        "site": lambda: [None, "north", "south"],
        "who": lambda: [None, "", "P1", "p1 ", "p 1", "q", "r", "s"],
        "clinic": lambda: [None, "1", "2", "01"],
    }
    return [
        {name: rng.choice(np.array(values(), dtype=object)) for name, values in choices.items()}
        for _ in range(rows)
    ]


def csv(rows):
    lines = [",".join("" if v is None else str(v) for v in row.values()) for row in rows]
    return Upload("t.csv", "\n".join([",".join(rows[0]), *lines, ""]).encode())


def same(found, expected):
    """The same rows; those of persons without an ID may come later."""
    order = [np.lexsort(part.round(9).T) for part in (found, expected)]
    return found.shape == expected.shape and np.allclose(
        found[order[0]], expected[order[1]], atol=1e-12
    )


@pytest.mark.parametrize(("who", "length"), list(product(PERSONS, LENGTHS)))
def test_rows_are_those_of_the_reference(who, length):
    for seed, missing in product(range(2), Missing):
        recipe = replace(RECIPE, missing=missing, **PERSONS[who], **LENGTHS[length])
        rows = table(seed)
        expected = prepared(rows, recipe)
        for given in (csv(rows), pd.DataFrame(rows).convert_dtypes()):
            assert same(prepare(given, recipe, "t").rows, expected), (seed, missing)


def test_pairs_of_columns_never_run_together():
    alike = (("a", "b c"), ("a b", "c"), ("a'", "b"), ("a", "'b"), ("ab", "c"), ("a", "bc"))
    rows = [{"a": i, "b": 2 * i, "p": p, "q": q} for i, (p, q) in enumerate(alike)]
    recipe = Recipe((Number("a", 0, 9), Number("b", 0, 9)), person=("p", "q"))
    assert prepare(csv(rows), recipe, "t").people == len(alike)


def test_a_number_may_carry_its_unit_and_a_code_of_letters():
    ldl = Number("ldl", 0, 10, unit="%", missing=("refused", "99"))
    recipe = Recipe((ldl, Number("sbp", 0, 200, unit="mmHg")), bounds_are_public=True)
    cells = [("7.5 %", "150"), ("2.5", "50 mmHg"), ("refused", "100mmHg"), ("99 %", "200")]
    frame = pd.DataFrame(cells, columns=["ldl", "sbp"])
    expected = np.array([[0.5, 0.5], [-0.5, -0.5], [0, 0], [0, 1]]) / sqrt(2)
    for given in (csv(frame.to_dict("records")), frame):
        assert prepare(given, recipe, "t").rows == pytest.approx(expected)


# --- What is said of the rows, and what cannot be made of a table ---

PEOPLE = pd.DataFrame(
    {
        "who": ["a", "a", "b", "c", "c", "c"],
        "age": [20.0, 40.0, 90.0, nan, 30.0, 50.0],
        "height": [1.5, 1.7, 1.8, 1.6, 2.5, 1.9],
        "sex": ["f", "f", "m", None, "f", "x"],
    }
)
BY_HAND = Recipe(
    (Number("age", 0, 80), Number("height", 1, 2)),
    (Category("sex", ("f", "m")),),
    bounds_are_public=True,
)


ALL_BUT_ONE_MISSING = Number("age", 0, 80, missing=("20", "30", "40", "90"))


def rows_of(**changes):
    return prepare(PEOPLE, replace(BY_HAND, **changes), "t.csv")


def test_what_is_cut_is_counted_and_a_key_tells_nothing_of_the_file():
    data = rows_of()
    assert data.columns == ("age", "height", "sex: f", "sex: m")
    assert (data.clipped_cells, data.clipped_rows) == (pytest.approx(2 / 12), 0)
    assert {leak.mark for leak in data.disclosures} == {Mark.NOTHING, Mark.DEPENDS}
    assert data.key == data.identity != rows_of().key
    assert "t.csv" not in data.key
    shortened = rows_of(radius=1.0)
    assert shortened.clipped_rows == pytest.approx(4 / 6)
    assert shortened.unclipped_moment[0, 0] > 1.25**2
    kept = rows_of(person=("who",), combine=Combine.AT_MOST, most=2)
    assert (kept.people, len(kept.rows)) == (3, 5)
    assert kept.problem(2).moment == pytest.approx(kept.rows.T @ kept.rows / 2)
    assert kept.unclipped_moment[3, 3] == pytest.approx(kept.moment[3, 3]), "a category is not cut"


def test_what_is_private_and_what_is_not():
    """The public length, and a mean that is paid for; neither the papers' way nor the file's."""
    data = rows_of(scaling=Scaling.NORM_ONLY, radius=100.0, categories=())
    assert data.private
    assert data.rows[0] == pytest.approx([0.2, 0.015])
    data, budget = rows_of(scaling=Scaling.PRIVATE_MEAN, mean_share=0.25), Budget(1.0, 1e-6)
    assert data.private
    alone = MECHANISMS["gaussian"].guarantee(*data.point(2, None, budget))
    total = total_guarantee(data, alone, budget)
    assert (total.epsilon, total.delta) == pytest.approx((1.0, 1e-6)), "the mean's part included"
    assert "25" in next(leak.cost for leak in data.disclosures if leak.name == "Centring")
    for changes, read in (
        ({"scaling": Scaling.AS_IN_PAPERS}, 2),
        ({"bounds_are_public": False}, 3),
    ):
        data = rows_of(**changes)
        assert not data.private
        assert [leak.mark for leak in data.disclosures[:read]] == [Mark.READS] * read
        assert np.linalg.norm(data.rows, axis=1).max() <= 1 + 1e-12


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"numbers": (), "categories": ()}, "at least two columns"),
        ({"categories": (Category("sex", ("f",)),)}, "at least two categories"),
        ({"person": ("nobody",)}, "no column nobody"),
        ({"person": ("who", "who")}, "who is chosen twice"),
        ({"person": ("who",), "most": 0}, "at least one row"),
        ({"scaling": Scaling.AS_IN_PAPERS, "row_length": RowLength.ONE}, "choose one of"),
        ({"scaling": Scaling.NORM_ONLY, "radius": 1e300, "categories": ()}, "zero after"),
        ({"numbers": (ALL_BUT_ONE_MISSING,), "missing": Missing.DROP}, "has one row left"),
    ],
)
def test_what_cannot_be_followed_is_one_sentence(changes, words):
    """Others: tests/hostile/choices.py."""
    with pytest.raises(ValueError, match=words) as caught:
        rows_of(**changes)
    require_sentence(caught.value)


def test_suggested_ranges_are_round():
    columns = [Number("a", 17, 90), Number("b", -0.0123, 4356), Number("c", 0, 99999)]
    found = [(column.low, column.high) for column in rounded_ranges(columns)]
    assert found == [(17, 90), (-100, 4400), (0, 100000)]


# --- Rows of length 1, and typical values ---


def unit_rows(rows, **changes):
    """Rows of three columns, made of length 1."""
    numbers = tuple(Number(name, -1, 1) for name in "abc")
    recipe = Recipe(numbers, row_length=RowLength.ONE, bounds_are_public=True)
    return prepare(pd.DataFrame(rows, columns=list("abc")), replace(recipe, **changes), "t")


def test_no_r_is_needed_and_none_counts():
    rows = np.random.default_rng(1).uniform(-1, 1, (40, 3))
    data = unit_rows(rows)
    assert data.clipped_rows == 0
    for radius in (0.1, 5.0):
        assert np.array_equal(unit_rows(rows, radius=radius).rows, data.rows)
    without_r = unit_rows(rows * 1e5, scaling=Scaling.NORM_ONLY)
    assert without_r.rows == pytest.approx(data.rows)
    assert without_r.at_most_r is None, "without a public R there is nothing to compare with"
    assert without_noise(without_r.problem(2)).captured == pytest.approx(1)


def test_the_mean_is_paid_for_rows_at_most_1_and_length_comes_after_it():
    """The mean of rows made of length 1 before it would be right as well; of raw rows unbounded."""
    rows = np.random.default_rng(4).uniform([-0.6, -1, -1], [1.4, 1, 1], (80, 3))
    data = unit_rows(rows, scaling=Scaling.PRIVATE_MEAN, mean_share=0.5)
    inside = to_ball(np.clip(rows, -1, 1), sqrt(3)).values
    assert data.rows == pytest.approx(inside)
    exact = data.problem(1, None, Budget(1e6, 1e-3), seed=1)
    centred = inside - inside.mean(axis=0)
    unit, short = to_length_one(centred), to_ball(centred).values
    assert exact.moment == pytest.approx(unit.T @ unit, abs=1e-2)
    assert exact.true_problem.moment == pytest.approx(unit.T @ unit)
    assert data.reference == pytest.approx(short.T @ short)


def test_captured_of_rows_of_length_1_is_a_share_of_rows_at_most_r():
    """At a huge ε releases keep .9977 of what PCA of rows at most R keeps, whatever the way."""
    plain = CATALOGUE["rand"].make()
    made = {"rows": to_length_one(plain.rows), "row_length": RowLength.ONE}
    unit = replace(plain, key="", at_most_r=plain.moment, **made)
    ceiling = without_noise(unit.problem(2))
    assert ceiling.captured == pytest.approx(0.9977, abs=5e-5)
    assert ceiling.sin_theta == pytest.approx(0, abs=1e-12)
    swept = sweep(["gaussian", "ppca"], unit, epsilon=[1e4], delta=1e-6, k=2, trials=3)
    assert swept.captured.to_numpy() == pytest.approx(np.full(6, 0.9977), abs=2e-3)
    bases = np.linalg.qr(np.random.default_rng(6).standard_normal((5, plain.d, 2)))[0]
    found, expected = (quality(each.problem(2), bases) for each in (unit, plain))
    np.testing.assert_allclose(found[:2], expected[:2])
    assert random_baseline(unit.problem(2)) == pytest.approx(random_baseline(plain.problem(2)))


def test_typical_values_leave_differences_between_people_and_middles_the_mean():
    rows = np.random.default_rng(7).normal([-0.8, 0.7, -0.6], [0.1, 0.07, 0.05], (900, 3))
    typical = tuple(Number(n, -1, 1, at) for n, at in zip("abc", (-0.8, 0.7, -0.6), strict=True))
    assert offset_shares(unit_rows(rows), 1)[0] > 0.95
    assert max(offset_shares(unit_rows(rows, numbers=typical), 3)) < 0.15


def test_a_direction_with_little_in_it_has_a_share_of_the_mean():
    rows = np.array([[sign, 1e-9, 0.0] for sign in (0.5, -0.5)] * 20)
    data = Dataset("", "x", "x", rows, ("a", "b", "c"))
    np.testing.assert_allclose(offset_shares(data, 2), [0, 1], atol=1e-12)
