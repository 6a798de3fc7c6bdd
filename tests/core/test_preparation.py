"""A table becomes rows in the unit ball: against a naive reference, and every refusal."""

import re
from dataclasses import replace
from itertools import product
from math import inf, nan, sqrt

import numpy as np
import pandas as pd
import pytest

from dpca_core import MECHANISMS, Budget, Problem, sweep
from dpca_core.codebooks.codebook import EntryUse
from dpca_core.codebooks.read_codebook import read_codebook
from dpca_core.data.clipping import to_ball, to_length_one
from dpca_core.data.dataset import Dataset
from dpca_core.data.dataset_guarantee import total_guarantee
from dpca_core.data.errors import EncodingError, RecipeError
from dpca_core.data.mean_direction import offset_shares
from dpca_core.data.provenance import Mark
from dpca_core.data.recipe import (
    Category,
    CategoryCoding,
    Combine,
    Missing,
    MissingPerson,
    Number,
    Reading,
    Recipe,
    RowLength,
    Scaling,
)
from dpca_core.data.scaling import rounded_ranges
from dpca_core.metrics import quality, random_baseline, without_noise
from dpca_core.preparation import prepare
from dpca_core.readers.file_access import Upload
from sample_data import CATALOGUE
from sample_data.made_up_clinic import clinic_csv, codebook_csv
from tests.references.prepared_rows import prepared

TINY = float(np.finfo(float).tiny)
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


def file_of(rows):
    return csv([dict(zip("abc", row, strict=True)) for row in np.asarray(rows).tolist()])


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


@pytest.mark.parametrize("who", ["each row", "averaged", "two columns", "case ignored", "own"])
def test_a_hostile_row_changes_no_other(who):
    recipe = replace(RECIPE, **PERSONS[who], **LENGTHS["of length 1"])
    rows = [row | {"who": f"person {i % 25}", "clinic": "1"} for i, row in enumerate(table(3))]
    base = prepare(csv(rows), recipe, "t", Reading.TOTAL).rows
    for line in (
        "1e308,1e308,-1e308,f,north,P1,1",
        "999,999,999,9,9,999,999",
        ",,,,,,",
        'x,y,z,é,"q,P1',
        "5e-324,60,2.5,,,P1,1",
        "nan,inf,-inf,nan,inf,nan,inf",
    ):
        content = csv(rows).content + line.encode() + b"\n"
        found = prepare(Upload("t.csv", content), recipe, "t", Reading.TOTAL).rows
        assert np.array_equal(found[: len(base)], base), line
        assert len(base) <= len(found) <= len(base) + 1


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
        changed = frame.replace("refused", "unwell")
        wrong = csv(changed.to_dict("records")) if isinstance(given, Upload) else changed
        with pytest.raises(ValueError, match=r"not a number|does not hold numbers"):
            prepare(wrong, recipe, "t")


# --- Naively, by hand ---

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


def rows_of(**changes):
    return prepare(PEOPLE, replace(BY_HAND, **changes), "t.csv")


def test_bounded_rows_are_mapped_coded_divided_and_counted():
    data = rows_of()
    ages, heights = [-0.5, 0, 1, 0, -0.25, 0.25], [0, 0.4, 0.6, 0.2, 1, 0.8]
    codes = [[1, 0], [1, 0], [0, 1], [0, 0], [1, 0], [0, 0]]
    expected = np.column_stack([ages, heights, codes]) / sqrt(3)
    assert data.rows == pytest.approx(expected)
    assert data.columns == ("age", "height", "sex: f", "sex: m")
    assert (data.clipped_cells, data.clipped_rows) == (pytest.approx(2 / 12), 0)
    assert {leak.mark for leak in data.disclosures} == {Mark.NOTHING, Mark.DEPENDS}
    shortened = rows_of(radius=1.0)
    assert shortened.clipped_rows == pytest.approx(4 / 6)
    assert shortened.unclipped_moment[0, 0] > 1.25**2
    kept = rows_of(person=("who",), combine=Combine.AT_MOST, most=2)
    assert (kept.people, len(kept.rows)) == (3, 5)
    assert kept.problem(2).moment == pytest.approx(kept.rows.T @ kept.rows / 2)


def test_what_is_private_and_what_is_not():
    """The public length, and a mean that is paid for; neither the papers' way nor the file's."""
    data = rows_of(scaling=Scaling.NORM_ONLY, radius=100.0, categories=())
    assert data.private
    assert data.rows[0] == pytest.approx([0.2, 0.015])
    data, budget = rows_of(scaling=Scaling.PRIVATE_MEAN, mean_share=0.25), Budget(1.0, 1e-6)
    assert data.private
    assert data.split(budget)[0] == Budget(0.25, 2.5e-7)
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


def test_the_key_tells_nothing_of_file_and_content():
    first, again = rows_of(), rows_of()
    assert re.fullmatch(r"upload:[0-9a-f]{32}", first.key)
    assert first.key == first.identity != again.key
    assert "t.csv" not in first.identity


AB = (Number("a", 0, 1), Number("b", 0, 1))


@pytest.mark.parametrize(
    ("columns", "changes", "words"),
    [
        (PEOPLE, {"numbers": (), "categories": ()}, "at least two columns"),
        (PEOPLE, {"numbers": (Number("age", nan, 80),)}, "age a public range"),
        (PEOPLE, {"numbers": (Number("age", 5, 5),)}, "must rise"),
        (PEOPLE, {"numbers": (Number("weight", 0, 1),)}, "no column weight"),
        (PEOPLE, {"numbers": (Number("sex", 0, 1),)}, "does not hold numbers"),
        (PEOPLE, {"categories": (Category("sex", ("f",)),)}, "at least two categories"),
        (PEOPLE, {"scaling": Scaling.NORM_ONLY}, "public norm bound"),
        (PEOPLE, {"radius": inf}, "positive number"),
        (PEOPLE, {"person": ("nobody",)}, "no column nobody"),
        (PEOPLE, {"person": ("who", "who")}, "who is chosen twice"),
        (PEOPLE, {"person": ("who",), "most": 0}, "at least one row"),
        (PEOPLE, {"mean_share": 1.0}, "between 0 and 1"),
        (PEOPLE, {"scaling": Scaling.AS_IN_PAPERS, "row_length": RowLength.ONE}, "choose one of"),
        ({"a": [1.0, inf], "b": [1.0, inf]}, {"numbers": AB, "categories": ()}, "infinite"),
        ({"a": [nan, nan], "b": [nan, nan]}, {"numbers": AB, "categories": ()}, "zero after"),
        (
            {"a": [1.0, nan], "b": [1.0, 2.0]},
            {"numbers": AB, "categories": (), "missing": Missing.DROP},
            "has one row left",
        ),
    ],
)
def test_what_cannot_be_followed_is_one_sentence(columns, changes, words):
    with pytest.raises((RecipeError, EncodingError), match=words) as caught:
        prepare(pd.DataFrame(columns), replace(BY_HAND, **changes), "t.csv")
    message = str(caught.value)
    assert message.endswith(".")
    assert "\n" not in message


def test_huge_values_are_clipped_without_a_warning():
    frame = pd.DataFrame({"a": [1e308, -1e308, 0.0], "b": [1.0, 2.0, 3.0]})
    data = prepare(frame, Recipe((Number("a", -1e-3, 1e-3), Number("b", 0, 4))), "t.csv")
    assert data.rows[:, 0] * sqrt(2) == pytest.approx([1, -1, 0])
    assert data.unclipped_moment is None


def test_suggested_ranges_are_round_and_cover():
    columns = [Number("a", 17, 90), Number("b", -0.0123, 4356), Number("c", 0, 99999)]
    found = [(column.low, column.high) for column in rounded_ranges(columns)]
    assert found == [(17, 90), (-100, 4400), (0, 100000)]


# --- Rows of length 1, and typical values ---

UNIT = Recipe(
    tuple(Number(name, -1, 1) for name in "abc"), row_length=RowLength.ONE, bounds_are_public=True
)


def test_rows_have_length_1_whatever_their_size_or_become_0():
    rows = np.random.default_rng(0).standard_normal((50, 4))
    for size in (1e-300, 1.0, 1e300):
        found = to_length_one(rows * size)
        assert found == pytest.approx(rows / np.linalg.norm(rows, axis=1, keepdims=True))
        assert np.linalg.norm(found, axis=1) == pytest.approx(np.ones(50), rel=1e-15)
    none = np.array([[0.0, 0.0], [TINY / 2, -TINY / 4], [5e-324, 0.0], [-0.0, 0.0]])
    assert np.array_equal(to_length_one(none), np.zeros((4, 2)))
    assert to_length_one(np.array([[TINY, 0.0]])) == pytest.approx(np.array([[1.0, 0.0]]))
    assert to_length_one(np.empty((0, 3))).shape == (0, 3)


def test_no_r_is_needed_and_none_counts():
    rows = np.random.default_rng(1).uniform(-1, 1, (40, 3))
    data = prepare(file_of(rows), UNIT, "t")
    assert data.clipped_rows == 0
    for radius in (0.1, 5.0):
        other = prepare(file_of(rows), replace(UNIT, radius=radius), "t")
        assert np.array_equal(other.rows, data.rows)
    without_r = prepare(file_of(rows * 1e5), replace(UNIT, scaling=Scaling.NORM_ONLY), "t")
    assert without_r.rows == pytest.approx(data.rows)
    assert without_r.at_most_r is None, "without a public R there is nothing to compare with"
    assert without_noise(without_r.problem(2)).captured == pytest.approx(1)


@pytest.mark.parametrize("length", RowLength)
def test_one_person_moves_s_by_no_more_than_is_proved(length):
    """The largest change found by search: S moves by 1 in Frobenius norm, or by √2 if replaced."""
    rng, added, replaced = np.random.default_rng(3), 0.0, 0.0
    base = rng.uniform(-1, 1, (6, 3))

    def moment(rows):
        return prepare(file_of(rows), replace(UNIT, row_length=length), "t").moment

    for _ in range(60):
        x = np.clip(rng.standard_normal(3) * 10.0 ** rng.integers(-3, 3), -1, 1)
        added = max(added, np.linalg.norm(moment([*base, x]) - moment(base)))
        replaced = max(replaced, np.linalg.norm(moment([x, *base[1:]]) - moment(base)))
    assert added <= 1 + 1e-12
    assert replaced <= sqrt(2) + 1e-12
    if length is RowLength.ONE:
        assert added == pytest.approx(1)
        assert replaced > 1.3


def test_the_mean_is_paid_for_rows_at_most_1_and_length_comes_after_it():
    """The mean of rows made of length 1 before it would be right as well; of raw rows unbounded."""
    rows = np.random.default_rng(4).uniform([-0.6, -1, -1], [1.4, 1, 1], (80, 3))
    data = prepare(file_of(rows), replace(UNIT, scaling=Scaling.PRIVATE_MEAN, mean_share=0.5), "t")
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
    unit = replace(
        plain,
        key="",
        rows=to_length_one(plain.rows),
        row_length=RowLength.ONE,
        at_most_r=plain.moment,
    )
    ceiling = without_noise(unit.problem(2))
    assert ceiling.captured == pytest.approx(0.9977, abs=5e-5)
    assert ceiling.sin_theta == pytest.approx(0, abs=1e-12)
    swept = sweep(["gaussian", "ppca"], unit, epsilon=[1e4], delta=1e-6, k=2, trials=3)
    assert swept.captured.to_numpy() == pytest.approx(np.full(6, 0.9977), abs=2e-3)
    bases = np.linalg.qr(np.random.default_rng(6).standard_normal((5, plain.d, 3)))[0]
    problem = unit.problem(3)
    found, expected = quality(problem, bases), quality(plain.problem(3), bases)
    assert found.captured == pytest.approx(expected.captured)
    assert found.captured_of_all == pytest.approx(expected.captured_of_all)
    own = Problem(problem.moment, problem.n, 3)
    assert found.sin_theta == pytest.approx(quality(own, bases).sin_theta)
    assert random_baseline(problem) == pytest.approx(random_baseline(plain.problem(3)))


def test_typical_values_leave_differences_between_patients_and_middles_the_mean():
    """With the middles of ranges, direction 1 of the made-up clinic is its mean."""
    clinic = Upload("clinic.csv", clinic_csv())
    header = clinic.content.partition(b"\n")[0].decode().strip().split(",")
    entries = read_codebook("codebook.csv", codebook_csv()).entries
    known = [entry for entry in entries if entry.name in header]
    recipe = Recipe(
        tuple(
            Number(e.name, float(e.low), float(e.high), float(e.typical), e.unit, e.missing)
            for e in known
            if e.use is EntryUse.NUMBER
        ),
        tuple(Category(e.name, e.values, e.missing) for e in known if e.use is EntryUse.CATEGORY),
        person=("patient_id",),
        row_length=RowLength.ONE,
        category_coding=CategoryCoding.CENTRED,
        bounds_are_public=True,
    )
    data = prepare(clinic, recipe, "t", Reading.TOTAL)
    assert (data.people, data.d) == (900, 19)
    assert max(offset_shares(data, 3)) < 0.15
    assert without_noise(data.problem(4)).captured > 0.999
    middles = replace(
        recipe,
        numbers=tuple(replace(column, typical=None) for column in recipe.numbers),
        category_coding=CategoryCoding.INDICATORS,
        row_length=RowLength.AT_MOST_R,
    )
    assert offset_shares(prepare(clinic, middles, "t", Reading.TOTAL), 1)[0] > 0.95


def test_a_direction_with_little_in_it_has_a_share_of_the_mean_and_one_with_nothing_has_none():
    rows = np.array([[sign, 1e-9, 0.0] for sign in (0.5, -0.5)] * 20)
    data = Dataset("", "x", "x", rows, ("a", "b", "c"))
    np.testing.assert_allclose(offset_shares(data, 2), [0, 1], atol=1e-12)
    nothing = Dataset("", "x", "x", rows * [1, 0, 0], ("a", "b", "c"))
    assert np.isnan(offset_shares(nothing, 2)[1])
