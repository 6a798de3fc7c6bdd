"""Whatever is handed over: one clear sentence or the right answer, and nothing else, ever."""

import ast
import csv
import io
import json
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

from dpca_core import MECHANISMS, Adjacency, Budget, InfeasibleBudget, Problem
from dpca_core.data.encoding import categories_of
from dpca_core.data.labels import is_number
from dpca_core.data.provenance import Unit
from dpca_core.data.recipe import Category, Number, Reading, Recipe, Scaling
from dpca_core.data.scaling import suggested
from dpca_core.metrics import quality
from dpca_core.preparation import lengths, prepare
from dpca_core.readers import files as readers_files
from dpca_core.readers import table as readers_table
from dpca_core.readers.table import proposed_format, read_table
from dpca_core.release.csv_file import FORMULA
from dpca_core.streaming.second_moment import second_moment
from tests.hostile.choices import all_choices
from tests.hostile.tables import ODD_NAMES, all_files
from tests.ui.compare.test_compare import asked, content, finished
from ui.compare.export import csv_of, page_of, script_of
from ui.data.column_kinds import Roles
from ui.explore.release_file import take_release

FILES, CHOICES = all_files(), all_choices()
SECONDS, LONGEST, GZIP = 10, 300, b"\x1f\x8b"
TRACES = ("Traceback", "Error(", "<class", "object at 0x", "numpy.", "pyarrow", "None.")


@contextmanager
def bounded() -> Iterator[None]:
    """Fail what takes longer than ten seconds."""

    def late(*_: object) -> None:
        raise TimeoutError(f"It took more than {SECONDS} seconds.")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def require_sentence(error: ValueError) -> None:
    text = str(error)
    assert text.endswith(".")
    assert len(text) < LONGEST
    assert text.isprintable() or "\u200d" in text or "\u00a0" in text
    assert not re.search(r"[.!?] [A-Z“]", text), "more than one sentence"
    assert not any(trace in text for trace in TRACES)


def told(column: pd.Series) -> list:
    """Values of a column; times as whole numbers of its unit, missing ones as None."""
    if column.dtype.kind in "mM":
        numbers = iter(column.dropna().astype("int64").tolist())
        return [None if gone else next(numbers) for gone in column.isna()]
    return [None if gone else value for gone, value in zip(column.isna(), column, strict=True)]


def test_there_are_enough_cases_and_no_two_are_the_same():
    assert len(FILES) + len(CHOICES) >= 400
    assert len({file.name for file in FILES}) == len(FILES)
    assert len({choice.name for choice in CHOICES}) == len(CHOICES)
    assert all((file.says is None) != (file.holds is None) for file in FILES)
    small = [(f.file, f.make()) for f in FILES if not re.search(r"[MG]B|bomb|,000", f.name)]
    assert len(set(small)) == len(small) > 280


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_file_gives_its_sentence_or_its_table(file, monkeypatch):
    monkeypatch.setattr(readers_files, "MAX_BYTES", 2**28)
    given = file.make()
    if file.says:
        with bounded(), pytest.raises(readers_table.TableError, match=file.says) as caught:
            read_table(file.file, given)
        require_sentence(caught.value)
        return
    with bounded():
        table = read_table(file.file, given)
    assert list(table.columns) == list(file.holds)
    for name, values in file.holds.items():
        assert told(table[name]) == [None if value != value else value for value in values]


def recipes(table: pd.DataFrame) -> Iterator[Recipe]:
    """Yield what the page would do with a table, bounded in each of the four ways."""
    roles = Roles.of(table)
    found = [table[n].to_numpy(float, na_value=np.nan) for n in roles.numbers]
    finite = [v[np.isfinite(v)] for v in found]
    ends = [(float(v.min()), float(v.max())) if len(v) else (0.0, 0.0) for v in finite]
    numbers = suggested([Number(n, *e) for n, e in zip(roles.numbers, ends, strict=True)])
    values = tuple(Category(n, categories_of(table[n])) for n in roles.categories)
    for scaling in Scaling:
        radius = 1.0 if scaling is Scaling.NORM_ONLY else None
        yield Recipe(numbers, values, scaling, radius)


TABLES = [f for f in FILES if f.holds and not re.search(r"MB|,000", f.name)]


@pytest.mark.parametrize("file", TABLES, ids=lambda file: file.name)
def test_what_was_read_gives_rows_in_the_ball_or_a_sentence(file):
    table = read_table(file.file, file.make())
    for recipe in recipes(table):
        with bounded():
            try:
                data = prepare(table, recipe, "t.csv")
            except ValueError as error:
                require_sentence(error)
                continue
            assert np.isfinite(data.rows).all()
            assert np.linalg.norm(data.rows, axis=1).max() <= 1 + 1e-12
            assert np.isfinite(data.problem(1).spectrum).all()
            assert data.unclipped_moment is None or np.isfinite(data.unclipped_moment).all()


SCALED = ("thousands", "millions", "huge", "subnormal", "negative zero", "many digits",
          "signs and points")  # fmt: skip


@pytest.mark.parametrize("name", SCALED)
def test_scaled_rows_equal_exact_fractions(name):
    (file,) = (f for f in FILES if f.name == f"cells: {name}")
    table = read_table(file.file, file.make())
    recipe = next(recipes(table))
    assert [c.name for c in recipe.numbers] == ["a", "b"]
    rows = prepare(table, recipe, "t.csv").rows
    for j, column in enumerate(recipe.numbers):
        low, high = Fraction(column.low), Fraction(column.high)
        for i, value in enumerate(table[column.name]):
            naive = (2 * Fraction(value) - low - high) / (high - low) / Fraction(recipe.bound)
            assert rows[i, j] == pytest.approx(float(naive), rel=1e-12, abs=1e-15)


STREAMED = [f for f in FILES if not re.search(r"[MG]B|bomb", f.name)]


@pytest.mark.parametrize("file", STREAMED, ids=lambda file: file.name)
def test_a_stream_of_it_gives_the_same_sum_or_a_sentence(file, tmp_path):
    given, whole = file.make(), None
    ends = ".parquet" if file.file.endswith((".parquet", ".pq")) else ".csv"
    path = tmp_path / f"t{ends}{'.gz' * given.startswith(GZIP)}"
    path.write_bytes(given)
    recipe = Recipe((Number("a", -10, 10), Number("b", -10, 10)))
    if file.holds:
        form = proposed_format(readers_table.Upload(file.file, given))
        table = read_table(file.file, given)
        odd = [n for n in table if not is_number(table[n]) and 2 <= table[n].nunique() <= 50]
        used = [n for n in table if is_number(table[n])][:50]
        hot = tuple(Category(n, categories_of(table[n])) for n in odd if table[n].dtype == "str")
        recipe = Recipe(tuple(Number(n, -10, 10) for n in used), hot, number_format=form)
    with bounded():
        try:
            whole = prepare(read_table(file.file, given), recipe, "t").moment
        except ValueError as error:
            require_sentence(error)
        try:
            moment = second_moment(path, recipe, reading=Reading.STRICT).moment
        except ValueError as error:
            require_sentence(error)
            return
    assert np.isfinite(moment).all()
    if whole is not None:
        np.testing.assert_allclose(moment, whole, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("choice", CHOICES, ids=lambda choice: choice.name)
def test_choices_give_their_sentence_or_their_rows(choice):
    with bounded():
        if choice.says:
            with pytest.raises(ValueError, match=re.escape(choice.says)) as caught:
                prepare(choice.table, choice.recipe, "t.csv")
            require_sentence(caught.value)
            return
        data = prepare(choice.table, choice.recipe, "t.csv")
        np.testing.assert_allclose(data.rows, choice.rows, rtol=1e-12, atol=1e-15)
        assert np.isfinite(data.problem(1).spectrum).all()
        assert not np.isnan(lengths(choice.table, choice.recipe)).any()


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2, max_size=2))
@settings(deadline=None)
def test_suggested_ranges_are_finite_and_cover(ends):
    low, high = sorted(ends)
    (column,) = suggested([Number("x", low, high)])
    assert np.isfinite([column.low, column.high]).all()
    room = 1e-5 * max(abs(low), abs(high))
    assert column.low <= low + room
    assert column.high >= high - room


# --- Arrays ---

ARRAYS = {
    "texts": [["a", "b"], ["c", "d"]],
    "numbers as texts": [["1", "0"], ["0", "1"]],
    "rows of two lengths": [[0.1, 0.2], [0.3]],
    "complex": np.array([[0.1j, 0.2], [0.3, 0.4]]),
    "None": [[None, 0.2], [0.3, 0.4]],
    "missing": pd.DataFrame({"a": [pd.NA, 0.1], "b": [0.2, 0.3]}),
    "sparse": scipy.sparse.eye_array(2),
    "whole numbers of 400 digits": [[10**400, 0], [0, 1]],
    "a dictionary": {"a": [1, 2]},
    "a text": "0.1 0.2",
    "dates": np.array([["2020", "2021"], ["2021", "2022"]], "M8[Y]"),
    "records": np.zeros(2, [("a", float), ("b", float)]),
    "bytes": b"12",
    "a masked number": np.ma.array([[0.1, 0.2], [0.2, 9.0]], mask=[[0, 0], [0, 1]]),
    "NaN": [[np.nan, 0], [0, 1]],
    "infinite": [[np.inf, 0], [0, 1]],
    "nothing": [],
    "no columns": np.zeros((2, 0)),
    "one column": [[0.5]],
    "huge": [[1e308, 1e308], [1e308, 1e308]],
    "the largest, turned": [[0, 1.7e308], [-1.7e308, 0]],
    "the largest, negative": [[-1.7e308, 0], [0, -1.7e308]],
}


@pytest.mark.parametrize("values", ARRAYS.values(), ids=ARRAYS)
def test_arrays_that_are_no_table_are_refused_in_one_sentence(values):
    for make in (Problem.from_rows, lambda v, k: Problem.from_moment(v, 2, k)):
        with bounded(), pytest.raises(ValueError, match=r"^[A-Z]") as caught:
            make(values, 1)
        require_sentence(caught.value)


@pytest.mark.parametrize(
    ("rows", "spectrum"),
    [
        ([[True, False], [False, True]], [1, 1]),
        ([[5e-324, 0], [0, 5e-324]], [0, 0]),
        (np.array([[1, 0], [0, 0]], object), [1, 0]),
        ([[1, 0]], [1, 0]),
        (np.full((3, 2), 0.5, np.float16), [1.5, 0]),
    ],
    ids=["true and false", "subnormal", "objects", "one row", "half precision"],
)
def test_arrays_that_are_tables_of_another_kind_are_read(rows, spectrum):
    problem = Problem.from_rows(rows, 1)
    np.testing.assert_allclose(problem.spectrum, spectrum, atol=1e-15)


# --- Problems and mechanisms ---

SPECTRA = {
    "nothing": lambda d: (np.zeros(d), 1.0),
    "no gap at all": lambda d: (np.full(d, 100.0), 1000.0),
    "two equal": lambda d: (np.r_[300.0, 300.0, np.ones(d - 2)], 1000.0),
    "a gap of rounding": lambda d: (np.r_[100 * (1 + 1e-15), np.full(d - 1, 100.0)], 1000.0),
    "rank one": lambda d: (np.r_[500.0, np.zeros(d - 1)], 1000.0),
    "one person": lambda d: (np.r_[1.0, np.zeros(d - 1)], 1.0),
    "tiny": lambda d: (np.r_[1e-300, np.zeros(d - 1)], 1.0),
    "a fraction of a person": lambda d: (np.geomspace(1e-3, 1e-9, d), 0.01),
    "many people": lambda d: (np.geomspace(1e14, 1e3, d), 1e15),
    "ordinary": lambda d: (np.linspace(900.0, 100.0, d) / d, 1000.0),
}
LOG = st.floats(-6, 3).map(lambda e: 10.0**e)
DELTAS = st.one_of(st.just(0.0), st.floats(-12, -1).map(lambda e: 10.0**e))
EXAMPLES, FEW = 40, 12
SLOW = ("ppca_gibbs", "local_sparse", "smooth_gaussian")


@st.composite
def problems(draw):
    d = draw(st.integers(2, 6))
    values, n = SPECTRA[draw(st.sampled_from(sorted(SPECTRA)))](d)
    k = draw(st.sampled_from([1, d - 1]))
    if draw(st.booleans()):
        return Problem.from_moment(np.diag(values), n, k)
    turn = np.linalg.qr(np.random.default_rng(draw(st.integers(0, 9))).standard_normal((d, d)))[0]
    moment = (turn * values) @ turn.T
    return Problem.from_moment((moment + moment.T) / 2, n, k)


@pytest.mark.parametrize("mechanism", MECHANISMS.values(), ids=MECHANISMS)
def test_a_mechanism_gives_orthonormal_bases_or_says_why_not(mechanism):
    """Warnings are errors in this suite, so none of it may overflow or divide by zero."""

    @settings(deadline=None, max_examples=FEW if mechanism.key in SLOW else EXAMPLES)
    @given(problems(), LOG, DELTAS, st.sampled_from(Adjacency), st.integers(0, 2**32))
    def check(problem, epsilon, delta, adjacency, seed):
        budget = Budget(epsilon, delta, adjacency)
        with bounded():
            try:
                guarantee = mechanism.guarantee(problem, budget)
                noise = mechanism.calibrate(problem, budget)
                release = mechanism.release(problem, budget, np.random.default_rng(seed), 2)
            except InfeasibleBudget as error:
                require_sentence(error)
                return
        assert guarantee.epsilon >= 0
        assert 0 <= guarantee.delta <= 1
        assert 0.5 <= guarantee.even_odds() <= 1
        assert noise.scale >= 0
        for basis, refused in zip(release.bases, release.refused, strict=True):
            if refused:
                assert np.isnan(basis).all()
            else:
                np.testing.assert_allclose(basis.T @ basis, np.eye(problem.k), atol=1e-9)
        measured = quality(problem, release.bases[~release.refused])
        assert ((measured.sin_theta >= 0) & (measured.sin_theta < problem.d)).all()
        if problem.spectrum[0] > 0:
            shares = np.r_[measured.captured, measured.captured_of_all]
            assert ((shares > -1e-9) & (shares < 1 + 1e-9)).all()

    check()


def test_the_slowest_corner_of_each_mechanism_is_bounded():
    """The smallest ε with the largest δ and the other way round, on ties: ten seconds each."""
    values, n = SPECTRA["no gap at all"](6)
    for mechanism in MECHANISMS.values():
        for epsilon, delta in ((1e-6, 0.1), (1e3, 1e-12), (1e-6, 0.0), (1e3, 0.0)):
            problem = Problem.from_moment(np.diag(values), n, 5)
            with bounded():
                try:
                    release = mechanism.release(
                        problem, Budget(epsilon, delta), np.random.default_rng(0)
                    )
                except InfeasibleBudget as error:
                    require_sentence(error)
                    continue
            assert np.isfinite(release.bases[~release.refused]).all()


def test_one_column_leaves_nothing_to_choose():
    with pytest.raises(ValueError, match="With one column there is no direction to choose"):
        Problem.from_rows([[0.5], [0.2]], 1)


# --- What goes out ---


def table_of(file: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO("".join(re.findall(r"^(?!#).*\n", file, re.MULTILINE)))))


def test_no_name_becomes_a_formula_in_a_release():
    odd = [*ODD_NAMES, "\t=a", "\r=b", "\n=c", "＝d", "－e", "plain"]
    table = pd.DataFrame(np.random.default_rng(0).normal(size=(50, len(odd))), columns=odd)
    recipe = Recipe(tuple(Number(name, -4, 4) for name in odd), bounds_are_public=True)
    data = prepare(table, recipe, '=1+1\n=cmd()\r"x"\u2028.csv')
    file = take_release(data, MECHANISMS["laplace"], 2, Budget(1.0)).text
    head = [line for line in file.split("\n") if line.startswith("#")]
    assert not any("cmd" in line for line in head)
    assert head[1] == "# Data: A table of your own"
    rows = table_of(file)
    assert rows[0] == ["column", "direction_1", "direction_2"]
    assert [row[0].removeprefix("'") for row in rows[1:]] == [name.strip() for name in odd]
    assert not any(row[0].startswith(FORMULA) for row in rows)
    inert = sum(name.strip().startswith(FORMULA) for name in odd)
    assert sum(row[0].startswith("'") for row in rows) == inert == 9
    assert all(np.isfinite(float(cell)) for row in rows[1:] for cell in row[1:])


EVIL = '"""; evil() #\n evil()\r</script><!--<script>evil()</script>\u2028 evil() \\'


@pytest.fixture(scope="module")
def compared():
    table = pd.DataFrame(np.random.default_rng(0).normal(size=(60, 2)), columns=["a", EVIL])
    numbers = (Number("a", -3, 3), Number(EVIL, -3, 3))
    recipe = Recipe(numbers, unit=Unit(EVIL, EVIL), bounds_are_public=True)
    return finished(
        prepare(table, recipe, EVIL), asked(mechanisms=(MECHANISMS["laplace"],), n=60.0)
    )


def test_names_stay_texts_in_the_script_of_a_comparison(compared):
    text = script_of(compared, {}).text
    tree = ast.parse(text)
    called = {
        n.func.id for n in ast.walk(tree) if isinstance(n, ast.Call) and hasattr(n.func, "id")
    }
    assert "prepare" in called
    assert "evil" not in called
    texts = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant)]
    assert texts.count(EVIL) == 3
    assert all("evil" not in line for line in text.splitlines() if line.lstrip().startswith("#"))


def test_names_stay_texts_in_the_page_of_a_comparison(compared):
    drawn = content(compared)
    text = page_of(compared, drawn).text
    assert "evil()" in text
    assert "<script>evil" not in text
    mark, _, rest = text.partition("\n")
    assert mark == "<!-- Not private: computed from the true data -->"
    assert "<!--" not in rest
    data = re.search(r"^const data = (.*);$", text, re.MULTILINE)[1]
    assert EVIL in json.loads(data)["footer"]


def test_no_cell_of_a_comparison_is_a_formula(compared):
    rows = list(csv.reader(io.StringIO(csv_of(compared, {}).text)))
    assert len(rows) > 1
    assert not any(row[0].startswith(FORMULA) for row in rows)
