"""Tables as data sets, as sums and as a step: what is said of rows, and what is refused."""

import gzip
import os
from dataclasses import replace
from functools import reduce
from math import inf, nan, sqrt
from operator import add

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

from dpca_core import MECHANISMS, Budget, PrivatePCA
from dpca_core.data.clipping import to_ball, to_length_one
from dpca_core.data.disclosures import Mark
from dpca_core.data.errors import TableError
from dpca_core.data.private_mean import private_mean_of_sum
from dpca_core.data.recipe import (
    Category,
    CategoryCoding,
    Combine,
    Missing,
    Number,
    Recipe,
    RowLength,
    Scale,
    Scaling,
)
from dpca_core.data.text_file_format import EITHER, TextFileFormat
from dpca_core.mechanisms.registry import DEFAULT
from dpca_core.tables import records
from dpca_core.tables import second_moment as module
from dpca_core.tables.moments import RowSample, merge
from dpca_core.tables.prepare import data_set, prepare
from dpca_core.tables.second_moment import Cancelled, second_moment
from dpca_core.tables.transformer import RecipeTransformer
from tests.core.tables.text_tables import MADE_UP, made_up, rows_of, same, text_table, written_rows
from tests.hostile.one_sentence import require_sentence

VISITS = (
    *(("a", 20, 1.5, "f"), ("a", 40, 1.7, "f"), ("b", 90, 1.8, "m")),
    *(("c", None, 1.6, ""), ("c", 30, 2.5, "f"), ("c", 50, 1.9, "x")),
)
PEOPLE = pd.DataFrame(VISITS, columns=["who", "age", "height", "sex"])
AGE, HEIGHT, SEX = Number("age", 0, 80), Number("height", 1, 2), Category("sex", ("f", "m"))
AT_MOST_R = {"row_length": RowLength.AT_MOST_R, "category_coding": CategoryCoding.INDICATORS}
RECIPE = Recipe((AGE, HEIGHT), (SEX,), bounds_are_public=True, **AT_MOST_R)
PERSON, NO_SEX = {"person": ("who",)}, {"categories": ()}
AT_MOST_TWO = PERSON | {"combine": Combine.AT_MOST, "most": 2}
NORM_ONLY, MEAN = {"scaling": Scaling.NORM_ONLY}, {"scaling": Scaling.PRIVATE_MEAN}
PAPERS, ONE = {"scaling": Scaling.AS_IN_PAPERS}, {"row_length": RowLength.ONE}
DROP = {"missing": Missing.DROP}


def people(**changes):
    return prepare(PEOPLE, replace(RECIPE, **changes), "t.csv")


def test_what_is_cut_is_counted_and_a_key_tells_nothing_of_the_file():
    data = people()
    assert data.columns == ("age", "height", "sex: f", "sex: m")
    assert (data.clipped_cells, data.clipped_rows) == (pytest.approx(2 / 12), 0)
    assert {leak.mark for leak in data.disclosures} == {Mark.NOTHING, Mark.DEPENDS}
    assert data.key == data.identity != people().key
    assert "t.csv" not in data.key
    assert people(radius=1.0).clipped_rows == pytest.approx(4 / 6)
    kept = people(**AT_MOST_TWO)
    assert (kept.people, len(kept.rows)) == (3, 5)
    assert kept.problem(2).moment == pytest.approx(kept.rows.T @ kept.rows / 2)


def test_what_is_private_and_what_is_not():
    """The public length, and a mean that is paid for; neither the papers' way nor the file's."""
    data = people(**NORM_ONLY, **NO_SEX, radius=100.0)
    assert (data.private, [*data.rows[0]]) == (True, pytest.approx([0.2, 0.015]))
    assert people(**NORM_ONLY, **ONE).at_most_r is None, "there is no R to compare with"
    data, budget = people(**MEAN, mean_share=0.25), Budget(1.0, 1e-6)
    assert data.private
    alone = MECHANISMS["gaussian"].guarantee(*data.point(2, None, budget))
    total = data.total_guarantee(alone, budget)
    assert (total.epsilon, total.delta) == pytest.approx((1.0, 1e-6)), "the mean's part included"
    assert "25" in next(leak.cost for leak in data.disclosures if leak.name == "Centring")
    for changes, read in ((PAPERS, 2), ({"bounds_are_public": False}, 3)):
        data = people(**changes)
        assert not data.private
        assert [leak.mark for leak in data.disclosures[:read]] == [Mark.READS] * read
    # The papers' way reads the mean and the longest row; a missing number is 0 before.
    raw = PEOPLE[["age", "height"]].fillna(0).to_numpy()
    centred = raw - raw.mean(axis=0)
    expected = centred / np.linalg.norm(centred, axis=1).max()
    assert people(**PAPERS, **NO_SEX).rows == pytest.approx(expected)


def test_no_row_is_refused_and_no_rows_are_a_problem_like_any_other():
    recipe = replace(RECIPE, **DROP)
    for rows, left in (([], 0), ([3], 0), ([0], 1)):
        table = PEOPLE.iloc[rows]
        data, found = prepare(table, recipe, "t"), second_moment(table, recipe)
        assert (data.people, len(data.rows), found.rows) == (1, left, left)
        for problem in (data.problem(1), found.problem(1)):
            assert (problem.n, np.isfinite(problem.spectrum).all()) == (1, True)


def test_rows_that_need_more_memory_than_is_free_are_not_kept(monkeypatch):
    monkeypatch.setattr("dpca_core.tables.rows.free_memory", lambda: 10_000)
    with pytest.raises(MemoryError, match="more memory than is free"):
        people()


# --- What is refused ---


def age(*ends):
    return {"numbers": (Number("age", *ends), HEIGHT)}


def sex(*values, **more):
    return {"categories": (Category("sex", values, **more),)}


def scale(*more):
    return NO_SEX | {"scales": (Scale("sex", *more),)}


def form(*marks, **more):
    return {"number_format": TextFileFormat(*marks, **more)}


REFUSED = [
    (NO_SEX | {"numbers": ()}, "at least two columns"),
    ({"numbers": (AGE, AGE)}, "The column age is chosen twice"),
    ({"numbers": (AGE, Number("z" * 10**6, 0, 1))}, "has no column “zzz"),
    *((age(4, 0), "rise from low to high, not 4 to 0"), (age(0, 5e-324), "rise from low to high")),
    *((age(-inf, inf), "a public range from low to high"), (sex("f", " m"), "ends with a space")),
    *((sex("f", "m", labels="a"), "one label for"), (sex("f", "m", labels="aa"), "none twice")),
    *((sex("f", "m", "f"), "the value f twice"), (sex(*map(str, range(2001))), "2,003 columns")),
    (scale(("f",)), "2 to 20 values, in their"),
    (scale(("f", "m"), (" m",)), "m both as a value and as a code"),
    *(({"person": ("nobody",)}, "no column “nobody”"), ({"person": ("who",) * 2}, "chosen twice")),
    *((PERSON | {"most": 0}, "at least one row"), (PAPERS | ONE, "choose one of")),
    *((form("x"), "separated by"), (form(decimal=";"), "point or a comma")),
    *((form(thousands="."), "other than the decimal"), (form(";", EITHER, ","), "thousands")),
    *((form(thousands="xx"), "between thousands"), (NORM_ONLY, "a public norm bound R")),
    *((form(encoding="rot13"), "encoding must be one"), (form(encoding="utf-16"), "CSV UTF-8")),
    *((form(unnamed=-1), "columns without names"), (form(skip=-1), "can be skipped")),
]
REFUSED_SUMS = [
    (PAPERS, "only at the end of a stream"),
    (sex(*map(str, range(10_000))), "limit is 10,000"),
]


def test_what_cannot_be_followed_is_one_sentence():
    for use, cases in ((people, REFUSED), (lambda **to: summed(RECIPE, **to), REFUSED_SUMS)):
        for changes, words in cases:
            with pytest.raises(ValueError, match=words) as caught:
                use(**changes)
            require_sentence(caught.value)


def test_the_mean_is_paid_for_rows_at_most_1_and_length_comes_after_it():
    """The mean of rows made of length 1 before it would be right as well; of raw rows unbounded."""
    rows = np.random.default_rng(4).uniform([-0.6, -1, -1], [1.4, 1, 1], (80, 3))
    numbers = tuple(Number(name, -1, 1) for name in "abc")
    recipe = Recipe(numbers, **MEAN, mean_share=0.5, bounds_are_public=True)
    data = prepare(pd.DataFrame(rows, columns=[*"abc"]), recipe, "t")
    inside = to_ball(np.clip(rows, -1, 1), sqrt(3)).values
    assert data.rows == pytest.approx(inside)
    exact = data.problem(1, None, Budget(1e6, 1e-3), seed=1)
    unit, short = (f(inside - inside.mean(axis=0)) for f in (to_length_one, to_ball))
    assert exact.moment == pytest.approx(unit.T @ unit, abs=1e-2)
    assert exact.true_problem.moment == pytest.approx(unit.T @ unit)
    reference = data.problem(1).reference_problem.moment
    assert reference == pytest.approx(short.values.T @ short.values)


# --- Sums ---

ROWS = 3000
SUMMED = replace(MADE_UP, radius=1.1, **AT_MOST_R)
LINES = made_up(0, ROWS)
CONTENT = written_rows(LINES)


def summed(recipe=SUMMED, content=CONTENT, *, sample=0, mean=None, on_progress=None, **changes):
    recipe, options = replace(recipe, **changes), {"sample": sample, "mean": mean}
    return second_moment(text_table(content, recipe), recipe, on_progress=on_progress, **options)


def facts(found, *names):
    return [getattr(found, name) for name in names]


@pytest.fixture(autouse=True)
def many_batches(monkeypatch):
    monkeypatch.setattr(records, "RUN", 2**15)


CHANGES = [
    *(PERSON, AT_MOST_TWO, ONE, {}, DROP, NORM_ONLY | {"radius": 40.0}, {"radius": None}, NO_SEX),
    *({"numbers": ()}, MEAN, MEAN | ONE | PERSON, NORM_ONLY | ONE | {"radius": None}),
]


@pytest.mark.parametrize("changes", CHANGES, ids=str)
@pytest.mark.parametrize(("narrow", "size"), [(512, 10), (3, 2000)])
def test_a_sum_is_that_of_all_rows_kept_and_of_its_parts(changes, narrow, size, monkeypatch):
    """Where threads add up, and where S is too large for that; and it says as much of the rows."""
    monkeypatch.setattr(module, "_NARROW", narrow)
    recipe = replace(SUMMED, **changes)
    whole, found = prepare(text_table(CONTENT, recipe), recipe, "x"), summed(recipe, sample=size)
    assert same(found.problem(2).moment, whole.moment)
    assert same(found.total, whole.rows.sum(axis=0))
    assert (found.rows, found.people) == (len(whole.rows), whole.people)
    every = {row.tobytes() for row in whole.rows}
    assert found.sample.rows.shape == (min(size, len(whole.rows)), whole.d)
    assert all(row.tobytes() in every for row in found.sample.rows)
    if not recipe.person:
        parts = (written_rows(LINES[start : start + 700]) for start in range(0, ROWS, 700))
        added = reduce(merge, [summed(recipe, part, sample=size) for part in parts])
        assert same(added.moment, found.moment)
        assert same(added.total, found.total)
        said = ("rows", "people", "read", "clipped", "cut", "columns", "recipe")
        assert facts(added, *said) == facts(found, *said)
        found = added
    if recipe.scaling is not Scaling.PRIVATE_MEAN:
        data = data_set(found, "x")
        assert same(*(one.problem(1).reference_problem.moment for one in (data, whole)))
        said = ("people", "columns", "private", "disclosures", "clipped_cells", "clipped_rows")
        assert facts(data, *said) == facts(whole, *said)
        assert data.identity == data.key != data_set(found, "x").identity
        return
    with pytest.raises(ValueError, match="private mean"):
        data_set(found, "x")
    budget, rng = Budget(1.0, 1e-6), np.random.default_rng(5)
    mean = private_mean_of_sum(found.total, found.rows, budget.split(0.1)[0], rng)
    about_mean = whole.problem(1, budget=budget, seed=5)
    assert same(summed(recipe, mean=mean).moment, about_mean.moment)


def test_progress_rises_to_the_whole_and_a_cancelled_sum_is_none():
    seen = []
    with pytest.raises(Cancelled, match=r"cancelled after [\d,]+ rows; there is no result\."):
        summed(on_progress=lambda p: p.rows < 250)
    summed(on_progress=seen.append)
    rows = [p.rows for p in seen]
    assert (rows, rows[-1]) == (sorted(rows), ROWS)
    assert all(p.rows_per_second > 0 for p in seen)


@pytest.mark.parametrize("packed", [False, True])
def test_a_file_that_becomes_shorter_is_no_sum_of_fewer_rows(tmp_path, packed):
    path = tmp_path / ("t.csv.gz" if packed else "t.csv")
    path.write_bytes(gzip.compress(CONTENT * 20, 0) if packed else CONTENT * 20)

    def cut(progress):
        os.truncate(path, path.stat().st_size // 2)

    with pytest.raises(TableError, match=r"became shorter|is a damaged gzip"):
        second_moment(path, SUMMED, on_progress=cut)


def test_parts_add_up_only_where_they_were_made_alike_and_share_nobody():
    persons, part = summed(**PERSON), summed()
    for one, other, says in (
        (part, summed(radius=1.0), "prepared differently"),
        (part, summed(mean=np.full(SUMMED.width, 0.1)), "prepared differently"),
        (part, summed(**NO_SEX), "prepared differently"),
        (persons, persons, "may lie in both parts"),
    ):
        with pytest.raises(ValueError, match=says):
            merge(one, other)
    free = (Number("age", nan, nan), Number("wide", nan, nan))
    again = [summed(numbers=free, radius=90.0, **NORM_ONLY) for _ in range(2)]
    assert merge(*again).rows == 2 * ROWS, "a range that was not asked for is NaN: it equals none"


def test_a_sample_is_of_the_rows_that_drew_the_smallest_of_random_numbers():
    rows, drawn = np.arange(40.0)[:, None], np.random.default_rng(5).random(40)
    for step in (7, 40):
        parts = (slice(start, start + step) for start in range(0, 40, step))
        found = reduce(add, [RowSample.of(8, drawn[part], rows[part]) for part in parts]).rows[:, 0]
        assert sorted(found) == sorted(np.argsort(drawn)[:8])


# --- Answers on scales are one number each: directions survive that indicators lose ---

ANSWERS = ("strongly disagree", "disagree", "neither", "agree", "strongly agree")
QUESTIONS = ["informed", "listened", "pain"]
SCALES = Recipe((), scales=tuple(Scale(name, ANSWERS) for name in QUESTIONS))
INDICATORS = Recipe((), tuple(Category(name, ANSWERS) for name in QUESTIONS))


def shares_within_18_degrees(table, recipe, seed):
    """Of 200 releases at ε = 1, how often each of the first two directions is near its own."""
    problem = second_moment(table, recipe).problem(2)
    found = DEFAULT.release(problem, Budget(1.0, 1e-6), rng=seed, trials=200).bases
    cosines = np.abs(np.einsum("tdk,dk->tk", found, problem.basis))
    return np.mean(cosines >= np.cos(np.radians(18)), axis=0)


@pytest.mark.chance(1e-9)
@pytest.mark.parametrize("seed", range(5))
def test_with_scales_both_first_directions_survive_and_with_indicators_one_is_lost(seed):
    """1,200 patients: how they were cared for is in two answers, how they are in one."""
    rng = np.random.default_rng(seed)
    care, health = rng.normal(size=(2, 1200))
    noise = rng.normal(size=(3, 1200)).T
    table = pd.DataFrame(2 + np.column_stack([care, care, health]) + 0.8 * noise, columns=QUESTIONS)
    table = table.round().clip(0, 4).replace(dict(enumerate(ANSWERS)))
    assert shares_within_18_degrees(table, SCALES, seed).min() >= 0.9
    assert shares_within_18_degrees(table, INDICATORS, seed)[1] < 0.9


# --- A step of scikit-learn ---


def test_as_a_step_of_scikit_learn_rows_are_those_of_the_recipe_each_by_itself():
    many, step = pd.DataFrame(made_up(0, 300)).convert_dtypes(), RecipeTransformer(MADE_UP)
    found = step.fit_transform(many)
    assert np.array_equal(found, rows_of(many, MADE_UP))
    assert step.transform(many[:0]).shape == (0, MADE_UP.width)
    assert step.feature_names_in_.tolist() == list(many.columns)
    framed = step.set_output(transform="pandas").transform(many[7:9])
    assert np.array_equal(framed, found[7:9])
    assert tuple(framed.columns) == MADE_UP.coded_names
    # It is cloned, and stands before a private PCA.
    private = PrivatePCA(2, row_norm=1, epsilon=100, random_state=1)
    pipeline = clone(make_pipeline(RecipeTransformer(MADE_UP), private))
    assert pipeline.fit(many).transform(many[:50]).shape == (50, 2)
    for changes, table, words in (
        ({}, many.drop(columns="age"), "no column “age”"),
        (PERSON, many, "Each row stays one here"),
        (DROP, many, "Each row stays one here"),
        (MEAN, many, "use public ranges"),
        ({}, np.zeros((3, 4)), "must be a data frame"),
    ):
        with pytest.raises((ValueError, TypeError), match=words):
            RecipeTransformer(replace(MADE_UP, **changes)).fit(table)
