"""An example of a release: its file, its guarantee, its randomness, the same for neighbours."""

import csv
import io
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from dpca_core import MECHANISMS, Adjacency, Budget, InfeasibleBudget, PrivatePCA, Problem
from dpca_core.analysis.choose_k import chances
from dpca_core.data.dataset import Dataset
from dpca_core.data.provenance import Unit
from dpca_core.data.recipe import Category, Combine, Missing, Number, Reading, Recipe, Scaling
from dpca_core.example_release import draw as module
from dpca_core.example_release.csv_file import NOT_PRIVATE, release_csv
from dpca_core.example_release.draw import Drawn, draw, draw_k
from dpca_core.example_release.terms import terms
from dpca_core.mechanisms.registry import guarantee
from dpca_core.preparation import prepare
from dpca_core.readers.file_access import Upload
from dpca_core.text.spreadsheets import neutralise_formulas
from tests.cases import sampled
from ui.figures.downloads import release_download

K, USUAL = 2, Budget(0.5, 1e-6)
RECIPE = Recipe(
    (Number("age", 0, 100), Number("stay", 0, 10), Number("dose", -1, 1)),
    (Category("ward", ("a", "b")),),
    bounds_are_public=True,
)
CHOICES = {
    "public ranges": RECIPE,
    "private mean": replace(RECIPE, scaling=Scaling.PRIVATE_MEAN, mean_share=0.2),
    "norm only": replace(RECIPE, scaling=Scaling.NORM_ONLY, radius=50.0, missing=Missing.DROP),
    "several rows": replace(
        RECIPE, person=("who",), combine=Combine.AT_MOST, most=2, unit=Unit("patient", "patients")
    ),
}
HEAD = "who,age,stay,dose,ward\n"
ROWS = [f"p{i},{20 + i % 50},{i % 9},{i % 7 / 7 - 0.5:.2f},{'ab'[i % 2]}\n" for i in range(99)]


def data_of(text: str, recipe: Recipe = RECIPE) -> Dataset:
    """A table as it is read where a guarantee is to hold."""
    return prepare(Upload("patients.csv", text.encode()), recipe, "patients.csv", Reading.TOTAL)


def take(data, key="gaussian", k=K, budget=USUAL):
    mechanism = MECHANISMS[key]
    return release_csv(terms(data, mechanism, k, budget), draw(data, mechanism, k, budget))


ODD = {
    "an outlier that is clipped": "x,1e9,-4e5,77,a\n",
    "a text where a number was": "x,forty,1;2,=1+1,c\n",
    "not a number and infinite": "x,nan,inf,1e400,a\n",
    "nothing": ",,,,\n",
    "too many fields": "x,1,2,0.3,a,b,c,d\n",
    "a lone quote": 'x,"1,2,0.3,a\n',
    "an id like a number": "01,30,2,0.1,b\n",
}


def neighbours() -> list[tuple[str, str]]:
    """Pairs of files that differ in one person, by both relations; n crosses a power of ten."""
    table = HEAD + "".join(ROWS)
    pairs = [(table, HEAD + "".join(ROWS[1:])), (table, table + "x,20,1,0.1,a\n")]
    pairs += [(table, table + row) for row in ODD.values()]
    pairs += [(table, HEAD + "".join([row, *ROWS[1:]])) for row in ODD.values()]
    constant = HEAD + "p,50,3,0.5,a\n" * 20
    return [*pairs, (constant, constant.replace("3,0.5,a", "9,0.1,b", 1))]


@pytest.fixture(scope="module")
def pairs() -> dict[str, list[tuple[Dataset, Dataset]]]:
    """Neighbouring data sets by choice; each file is read once a choice."""
    texts = neighbours()
    return {
        name: [(read[a], read[b]) for a, b in texts]
        for name, recipe in CHOICES.items()
        for read in [{text: data_of(text, recipe) for pair in texts for text in pair}]
    }


def written(data: Dataset, mechanism, budget: Budget, drawn: Drawn) -> str:
    """The file, or why there is none: decided before anything is drawn."""
    try:
        return release_download(terms(data, mechanism, K, budget), drawn).text
    except InfeasibleBudget as refused:
        return f"refused: {refused}"


RELATIONS = [(key, adjacency) for key in MECHANISMS for adjacency in Adjacency]


@pytest.mark.parametrize(
    ("key", "adjacency"), sampled(RELATIONS, 3, "every mechanism by both relations")
)
def test_files_of_neighbours_are_equal_byte_by_byte(key, adjacency, pairs):
    """The release is held fixed: the rest of a file is a function of public settings."""
    basis = np.linalg.qr(np.random.default_rng(0).standard_normal((5, K)))[0]
    for choice, found in pairs.items():
        for epsilon, delta in ((0.5, 1e-6), (0.5, 0.0)):
            budget = Budget(epsilon, delta, adjacency)
            for drawn in (Drawn(basis), Drawn(None)):
                for one, other in found:
                    first = written(one, MECHANISMS[key], budget, drawn)
                    assert first == written(other, MECHANISMS[key], budget, drawn), choice
                    assert "patients.csv" not in first
                    assert one.key not in first


def test_what_is_kept_out_of_the_files_does_differ_between_neighbours(pairs):
    found = pairs["public ranges"]
    assert {len(str(one.people)) != len(str(other.people)) for one, other in found} == {True, False}
    assert any(one.clipped_cells != other.clipped_cells for one, other in found)
    said = [[[d.text for d in data.disclosures] for data in pair] for pair in found]
    assert any(one != other for one, other in said)
    assert all(np.abs(one.moment - other.moment).max() <= 1 + 1e-9 for one, other in found)


def test_a_release_reads_well_in_pandas():
    text = take(data_of(HEAD + "".join(ROWS)))
    table = pd.read_csv(io.StringIO(text), comment="#")
    assert list(table.columns) == ["column", "direction_1", "direction_2"]
    assert table["column"].tolist() == ["age", "stay", "dose", "ward: a", "ward: b"]
    basis = table.iloc[:, 1:].to_numpy()
    np.testing.assert_allclose(basis.T @ basis, np.eye(2), atol=1e-12)


EXTREMES = {
    "nobody": np.zeros((0, 5)),
    "one at the origin": np.zeros((1, 5)),
    "all at the origin": np.zeros((7, 5)),
    "one person": np.eye(5)[:1],
    "equal eigenvalues": np.vstack([np.eye(5)] * 40),
    "one direction": np.outer(np.ones(50), np.ones(5) / np.sqrt(5)),
    "tiny": np.full((20, 5), 1e-170),
    "many": np.vstack([np.eye(5)[:3]] * 30_000),
}


def table_like(rows, **changes):
    return Dataset("", "x", "x", rows, tuple("abcde"), **changes)


def outcome(data, mechanism, k, budget):
    """Refused with its message, or released: then as a basis, or as a refusal that is random."""
    try:
        drawn = draw(data, mechanism, k, budget)
    except InfeasibleBudget as refused:
        return str(refused)
    if drawn.basis is not None:
        assert np.isfinite(drawn.basis).all()
        np.testing.assert_allclose(drawn.basis.T @ drawn.basis, np.eye(k), atol=1e-8)
        return "released"
    return "released" if mechanism.key == "gap_release" else "refused after looking"


@pytest.mark.parametrize(
    ("key", "adjacency"), sampled(RELATIONS, 5, "every mechanism by both relations")
)
def test_whether_something_is_released_depends_on_public_settings_only(key, adjacency):
    mechanism = MECHANISMS[key]
    for epsilon, delta in ((1e-3, 0.0), (0.1, 1e-6), (20.0, 1e-9)):
        budget = Budget(epsilon, delta, adjacency)
        try:
            if not guarantee(mechanism, 5, K, budget).proved:
                continue
        except InfeasibleBudget:
            pass  # Then no table has a release.
        for share in (0.0, 0.3):
            found = {
                name: outcome(table_like(rows, mean_share=share), mechanism, K, budget)
                for name, rows in EXTREMES.items()
            }
            assert len({*found.values()}) == 1, found


@pytest.mark.parametrize("key", [k for k, m in MECHANISMS.items() if m.family != "baseline"])
def test_a_guarantee_is_that_of_every_table(key):
    """The stand-in's, for tables of every size and spectrum, to rounding of the last digit."""
    mechanism, rng = MECHANISMS[key], np.random.default_rng(3)
    for budget in (Budget(0.3, 1e-6), Budget(3.0, 1e-9, Adjacency.REPLACE_ONE)):
        try:
            public = guarantee(mechanism, 5, K, budget)
        except InfeasibleBudget:
            continue
        for _ in range(4):
            values = np.sort(10 ** rng.uniform(-3, 6, 5))[::-1]
            problem = Problem.from_moment(np.diag(values), values.sum() * 2, K)
            own = mechanism.guarantee(problem, budget)
            assert own.epsilon == pytest.approx(public.epsilon, rel=1e-9)
            assert own.delta == pytest.approx(public.delta, rel=1e-9)
            assert own.standing is public.standing
            assert (own.notion, own.erratum) == (public.notion, public.erratum)


def test_a_draw_is_never_of_a_public_seed(monkeypatch):
    data = table_like(EXTREMES["equal eigenvalues"], mean_share=0.2)
    budget, seeds = Budget(0.5, 1e-6), []
    plain = np.random.default_rng

    def noted(seed=None):
        if not isinstance(seed, np.random.Generator):
            seeds.append(seed)
        return plain(seed)

    monkeypatch.setattr(np.random, "default_rng", noted)
    bases = [draw(data, MECHANISMS["gaussian"], K, budget).basis for _ in range(3)]
    draw_k(data, 1.0, 4, Adjacency.ADD_OR_REMOVE_ONE)
    assert len({basis.tobytes() for basis in bases}) == 3
    # One for the mean and one for the mechanism each time: wide, and never the same.
    assert len(seeds) == len(set(seeds)) == 8
    assert sum(seed > 2**63 for seed in seeds) == 8


def test_a_mean_and_a_mechanism_cost_the_whole():
    data = table_like(EXTREMES["one direction"], mean_share=0.25)
    found = terms(data, MECHANISMS["gaussian"], K, Budget(2.0, 1e-6)).guarantee
    assert (found.epsilon, found.delta) == pytest.approx((2.0, 1e-6))
    assert found.noise_multiplier is None


@pytest.mark.parametrize("key", ["local_gaussian", "local_sparse", "local_printed"])
def test_a_local_release_presumes_that_nobody_is_left_out_for_their_record(key):
    """n reports are seen and set the noise: it must not depend on what a record holds."""
    budget = Budget(1.0, 1e-6)
    plain, mechanism = data_of(HEAD + "".join(ROWS)), MECHANISMS[key]
    text = release_csv(terms(plain, mechanism, K, budget), Drawn(None))
    assert terms(plain, mechanism, K, budget).private
    assert "Size n: public, as the report of each person is seen" in text
    assert "not used" not in text
    for recipe in (
        replace(RECIPE, missing=Missing.DROP),
        CHOICES["several rows"],
        replace(RECIPE, scaling=Scaling.PRIVATE_MEAN),
    ):
        data = data_of(HEAD + "".join(ROWS), recipe)
        found = terms(data, mechanism, K, budget)
        assert not found.private
        assert release_csv(found, Drawn(None)).startswith("# Not private")
        assert terms(data, MECHANISMS["gaussian"], K, budget).private


@pytest.mark.parametrize("key", MECHANISMS)
def test_a_file_is_a_release_or_says_that_it_is_not_private(key):
    mechanism, budget = MECHANISMS[key], Budget(0.5, 1e-6)
    for public in (True, False):
        recipe = replace(RECIPE, bounds_are_public=public)
        data = data_of(HEAD + "".join(ROWS), recipe)
        text = take(data, key)
        proved = guarantee(mechanism, data.d, K, budget).proved
        assert text.startswith(f"# {NOT_PRIVATE}\n") == (not (public and proved))
        assert (NOT_PRIVATE in text) == (not (public and proved))
        assert ("# Guarantee: " in text) == (public and proved)


CELLS = [
    "=1+1", "a;=cmd|'/C calc'!A1", "a,=1+1", "a\t-2+3", "a|@SUM(1)", "＝1", ' "=1"', "a:+1",
    "x\r\n=1", ";;=1", "a;  =1",
]  # fmt: skip


@pytest.mark.parametrize("text", CELLS)
def test_no_cell_is_a_formula_wherever_a_line_is_split(text):
    recipe = Recipe(
        (Number(text, 0, 1), Number("plain", 0, 1), Number("third", 0, 1)),
        unit=Unit(text, text),
        bounds_are_public=True,
    )
    table = pd.DataFrame(np.eye(3), columns=[text, "plain", "third"])
    assert neutralise_formulas("x = y, a-b; 10⁻⁶") == "x = y, a-b; 10⁻⁶"
    file = take(prepare(table, recipe, "x.csv"), "laplace", 1, Budget(1.0))
    rows = (row for mark in ",;\t|:" for row in csv.reader(io.StringIO(file), delimiter=mark))
    for cell in (cell for row in rows for cell in row):
        start = cell.strip().lstrip("\"' ")[:1]
        number = cell.strip().replace("e-", "").lstrip("-").replace(".", "").isdigit()
        assert start not in "=+-@＝＋－＠" or start == "" or number or "'" in cell, cell


@pytest.mark.parametrize("adjacency", Adjacency)
def test_k_is_chosen_on_the_table_as_it_is_and_costs_what_is_said(adjacency, monkeypatch):
    """The exact chances of what is really drawn, on neighbours of 30 people."""
    epsilon, drawn = 0.7, []
    monkeypatch.setattr(module, "choose_k", lambda *given: drawn.append(given[:2]) or 1)
    rows = np.random.default_rng(1).standard_normal((30, 5)) * [0.5, 0.4, 0.3, 0.1, 0.1]
    rows /= np.maximum(1, np.linalg.norm(rows, axis=1, keepdims=True))
    for i in range(30):
        less = np.delete(rows, i, axis=0)
        more = np.vstack([less, np.eye(5)[2:3]])
        for table in (rows, less if adjacency is Adjacency.ADD_OR_REMOVE_ONE else more):
            draw_k(table_like(table), epsilon, 4, adjacency)
        (one, rate), (two, _) = drawn[-2:]
        first, second = (chances(p, rate, 4, adjacency) for p in (one, two))
        assert np.abs(np.log(first / second)).max() <= epsilon + 1e-9
    draw_k(table_like(rows, mean_share=0.3), epsilon, 4, adjacency)
    assert drawn[-1][1] == pytest.approx(0.7 * epsilon)


@pytest.mark.filterwarnings("ignore::dpca_core.PrivacyWarning")
def test_what_fit_leaves_is_a_function_of_the_release(monkeypatch):
    rng = np.random.default_rng(0)
    rows = rng.uniform(-0.4, 0.4, (200, 5))
    other = np.vstack([rows[1:], np.full((1, 5), 1e6)])
    for key, mechanism in MECHANISMS.items():
        epsilon = 0.9 if key == "wishart_sheffet" else 2.0
        held = mechanism.release(
            Problem.from_rows(rows / 2, K),
            Budget(epsilon, 1e-3, Adjacency.REPLACE_ONE),
            np.random.default_rng(0),
            keep="moment",
        )
        if held.refused[0]:
            continue
        monkeypatch.setattr(type(mechanism), "release", lambda *a, held=held, **b: held)
        left = []
        for table in (rows, other):
            fitted = PrivatePCA(
                K, epsilon=epsilon, delta=1e-3, mechanism=key, adjacency="replace_one"
            ).fit(table)
            names = (n for n in vars(fitted) if n.endswith("_"))
            left.append({n: repr(np.asarray(getattr(fitted, n)).tolist()) for n in names})
        monkeypatch.undo()
        assert left[0] == left[1]
        assert {"components_", "privacy_", "n_features_in_"} <= left[0].keys()
