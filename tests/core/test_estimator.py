"""PrivatePCA keeps scikit-learn's conventions and releases what the mechanism does."""

import traceback
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.decomposition import PCA
from sklearn.utils.estimator_checks import check_estimator

from dpca_core import MECHANISMS, Adjacency, Budget, PrivacyWarning, PrivatePCA, Problem
from dpca_core.data import recipe_json
from dpca_core.data.clipping import to_ball
from dpca_core.data.recipe import Missing, Number, Recipe, RowLength
from dpca_core.mechanisms.registry import guarantee
from dpca_core.mechanisms.second_look import SecondLook
from dpca_core.metrics import sin_theta
from dpca_core.privacy.budget import Standing
from dpca_core.tables.moments import Moments
from tests.paths import ROOT


@pytest.mark.filterwarnings("ignore::dpca_core.PrivacyWarning")
@pytest.mark.parametrize("settings", [{"n_components": 2}, {"mechanism": "ppca"}])
def test_scikit_learn_takes_it_for_one_of_its_own(settings):
    """Every check; the one on other array libraries is left out where none is switched on."""
    done = check_estimator(PrivatePCA(**settings), on_skip=None)
    assert len(done) > 40


def rows(n=2000, d=6, seed=0):
    """Rows within the unit ball, two strong directions."""
    rng = np.random.default_rng(seed)
    spread = np.array([0.5, 0.4, 0.05, 0.04, 0.03, 0.02])[:d]
    found = rng.standard_normal((n, d)) * spread
    return 0.999 * found / np.maximum(1, np.linalg.norm(found, axis=1, keepdims=True))


def private(n_components=2, **settings):
    """An estimator that is told the length of its rows."""
    return PrivatePCA(n_components, **{"row_norm": 1.0, **settings})


@pytest.mark.filterwarnings("ignore:.*does not keep what:dpca_core.PrivacyWarning")
@pytest.mark.parametrize("key", MECHANISMS)
def test_fit_leaves_what_the_mechanism_releases_and_nothing_else_of_the_rows(key, monkeypatch):
    """Of two tables with one release every attribute is the same. Variances: less mean noise."""
    epsilon, mechanism = 0.9 if key == "wishart_sheffet" else 2.0, MECHANISMS[key]
    settings = {"epsilon": epsilon, "delta": 1e-3, "mechanism": key, "adjacency": "replace_one"}
    problem, budget = Problem.from_rows(rows(), 2), Budget(epsilon, 1e-3, Adjacency.REPLACE_ONE)
    release = mechanism.release(problem, budget, np.random.default_rng(5), keep="moment")
    fitted = private(random_state=5, row_norm=2.0, **settings).fit(2 * rows())
    np.testing.assert_allclose(fitted.components_, release.bases[0].T, atol=1e-9)
    assert fitted.privacy_ == guarantee(mechanism, 6, 2, budget)
    assert hasattr(fitted, "explained_variance_") is mechanism.publishes_matrix
    if mechanism.publishes_matrix:
        along = np.diagonal(fitted.components_ @ release.moment[0] @ fitted.components_.T)
        less = along - mechanism.calibrate(problem, budget).mean
        np.testing.assert_allclose(fitted.explained_variance_, 4 * less / problem.n)
    monkeypatch.setattr(type(mechanism), "release", lambda *_, **__: release)
    left = [vars(private(**settings).fit(table)) for table in (rows(), 1e6 * rows(seed=1))]
    with np.printoptions(floatmode="unique"):
        assert str(left[0]) == str(left[1])


def test_with_much_budget_it_is_pca_about_the_center_given():
    data = rows() / 2 + 0.1
    center = data.mean(axis=0)
    fitted = private(epsilon=1e6, center=center, random_state=0).fit(data)
    pca = PCA(2).fit(data)
    assert sin_theta(fitted.components_.T, pca.components_.T) < 1e-3
    back = fitted.inverse_transform(fitted.transform(data))
    np.testing.assert_allclose(back, pca.inverse_transform(pca.transform(data)), atol=1e-3)


def test_long_rows_are_shortened_and_no_finite_row_is_refused():
    far, near = rows(), rows()
    far[0] *= 1e6
    near[0] /= np.linalg.norm(near[0])
    found = [
        private(random_state=1, row_norm=norm).fit(norm * x).components_
        for norm, x in ((1.0, far), (1.0, near), (8.0, near))
    ]
    np.testing.assert_allclose(found[1:], [found[0]] * 2, atol=1e-9)
    huge = np.vstack([np.ones((5, 3)), [1.7e308, -1.7e308, 1.0]])
    fitted = private(1, center=np.array([-1.7e308, 1.7e308, 0.0])).fit(huge)
    assert np.isfinite(fitted.components_).all()


def test_variance_is_in_the_unit_of_the_rows_and_there_only_if_their_number_is_public():
    """Also where rows were divided by a length that was released; not if people are added."""
    short = rows() / np.linalg.norm(rows(), axis=1, keepdims=True) / 8
    look = {"mechanism": SecondLook(radius_share=0.1), "epsilon": 1e4, "random_state": 0}
    fitted = PrivatePCA(2, adjacency="replace_one", row_norm=3.0, **look).fit(3 * short)
    expected = 9 * np.linalg.eigvalsh(short.T @ short / 2000)[::-1][:2]
    np.testing.assert_allclose(fitted.explained_variance_, expected, rtol=0.05)
    fitted.set_params(adjacency="add_or_remove_one").fit(3 * short)
    assert not hasattr(fitted, "explained_variance_")


def test_without_a_seed_releases_differ():
    first, second = (private(epsilon=0.01).fit(rows()).components_ for _ in range(2))
    assert sin_theta(first.T, second.T) > 1e-6


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"n_components": 7}, "n_components must be a whole number from 1 to 6, .* not 7"),
        ({"n_components": None, "mechanism": "ppca"}, "n_components must be below 6 with PPCA"),
        ({"row_norm": "1"}, "row_norm must be a positive number of at most .* not '1'"),
        ({"row_norm": 1e200}, "row_norm must be a positive number of at most 1e.150"),
        ({"center": [1.0, 2.0]}, "center must be a list of 6 finite numbers"),
        ({"mechanism": "gap_release", "epsilon": 1e-6}, "Gap release releases nothing"),
        ({"pairs": True, "row_norm": None, "center": [0.0] * 6}, "no row_norm or center"),
    ],
)
def test_what_makes_no_sense_is_one_sentence(settings, words):
    """Budgets that make none: test_problem.py."""
    with pytest.raises(ValueError, match=words) as error:
        private(**settings).fit(rows())
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"mechanism": "non_private"}, ["keep what epsilon and delta ask for"]),
        ({"mechanism": "laplace_printed", "epsilon": 9.0}, []),
        ({"mechanism": "analyze_gauss", "epsilon": 9.0}, ["weaker than claimed"]),
        ({"row_norm": None}, ["row_norm is not given, so rows are shortened to length 1"]),
        ({}, []),
    ],
)
def test_settings_that_leave_no_guarantee_are_warned_of_whatever_the_rows(settings, words):
    wild = rows() * 1e6
    wild[0] = 0
    for data in (rows(), wild, np.eye(6)[[0, 0, 0, 1, 1, 2]]):
        with warnings.catch_warnings(record=True, action="always") as caught:
            private(**settings).fit(data)
        assert all(word in str(one.message) for word, one in zip(words, caught, strict=True))
        assert all(one.category is PrivacyWarning for one in caught)
        assert all(one.filename == __file__ for one in caught), "it names the caller's line"


def test_readmes_examples_run_without_a_warning(tmp_path, monkeypatch):
    text = (ROOT / "README.md").read_text("utf-8")
    monkeypatch.chdir(tmp_path)
    numbers = tuple(Number(name, 0, 1) for name in "abc")
    recipe = Recipe(numbers, bounds_are_public=True)
    Path("recipe.json").write_text(recipe_json.dumps(recipe), "utf-8")
    pd.DataFrame(np.eye(3), columns=list("abc")).to_csv("table.csv", index=False)
    blocks = [part.partition("```")[0] for part in text.split("```python\n")[1:]]
    names: dict[str, object] = {}
    with warnings.catch_warnings(action="error"):
        for block in blocks:
            exec(block.replace("plot(table).show()", "plot(table)"), names)
    assert {"release", "table", "pca"} <= names.keys()
    assert Path("published", "certificate.json").is_file()


def test_what_rows_come_to_is_told_by_check_alone():
    data = pd.DataFrame(rows(500), columns=list("abcdef")).assign(a=lambda x: 1e3 * x.a, f=7.0)
    data.iloc[0] = [0, 0, 0, 0, 0, 7.0]
    said = PrivatePCA(center=[0, 0, 0, 0, 0, 7.0]).check(data)
    assert said.startswith("Read from the data, not for publication: 498 of 500 rows are longer")
    assert "Then 100% of all variation is in column 'a'." in said
    assert "The same value in every row: column 'f'." in said
    assert "Rows at the center, which count for nothing: 1." in said
    assert "0 of 500 rows are longer than row_norm = 9e+06" in private(row_norm=9e6).check(data)


SECRET = "HIV+"


def mixed(*rows):
    return np.array(rows, dtype=object)


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (pd.DataFrame({"a": [1.0, 2.0], "b": [SECRET, "0.5"]}), "text, .* in column 'b'"),
        (mixed(["123456", 1.0], [SECRET.encode(), 2.0]), "text, .* in column 0"),
        ([[123456.0, 1.0], [2.0]], "rows of different lengths"),
        (mixed([pd.NA, 1], [123456, 2]), "missing values"),
        (pd.DataFrame({"a": [1, 2], "b": [123456, np.nan]}), r"NaN, inf.* in column 'b': fill"),
        (pd.DataFrame({"a": pd.to_datetime(["2026-01-01"] * 2), "b": [1, 2]}), "something else"),
        (123456.0, "Expected a table"),
        (np.ma.masked_array([[123456.0, 1.0], [0.5, 1.0]], [[1, 0], [0, 0]]), "masked"),
    ],
)
def test_what_is_no_table_is_refused_without_a_cell(cells, said):
    fitted = private(1, random_state=0).fit(rows(d=2))
    for work in (private(1).fit, fitted.transform, fitted.check):
        with pytest.raises((TypeError, ValueError), match=said) as error:
            work(cells)
        told = "".join(traceback.format_exception(error.value)).partition("Error: ")[2]
        assert "123456" not in told
        assert SECRET not in told


def sums(rows, **changes):
    """Sums of rows whose recipe has public ranges from −1 to 1."""
    recipe = Recipe(
        tuple(Number(f"c{j}", -1, 1) for j in range(rows.shape[1])),
        bounds_are_public=True,
        row_length=RowLength.AT_MOST_R,
    )
    recipe, n = replace(recipe, **changes), len(rows)
    inside = to_ball(rows, recipe.bound).values
    found = Moments(inside.T @ inside, inside.sum(axis=0), recipe, n, n, n, clipped=0, cut=0)
    return found, inside


ROWS = np.random.default_rng(8).uniform(-1, 1, (300, 4))


@pytest.mark.parametrize("adjacency", ["add_or_remove_one", "replace_one"])
def test_sums_are_fitted_as_their_rows_are(adjacency):
    found, inside = sums(ROWS)
    settings = {"n_components": 2, "adjacency": adjacency, "random_state": 3}
    ours = PrivatePCA(**settings).fit(found)
    theirs = PrivatePCA(row_norm=1, **settings).fit(inside)
    assert ours.components_ == pytest.approx(theirs.components_)
    assert ours.privacy_ == theirs.privacy_
    assert hasattr(ours, "explained_variance_") == (adjacency == "replace_one")
    assert ours.n_features_in_ == 4
    assert ours.transform(inside).shape == (300, 2)
    assert "[" not in repr(found), "what is printed is soon published"


def test_rows_that_are_left_out_take_what_a_public_n_allows():
    """Neither variances nor a local guarantee: both need the number of rows."""
    found, _ = sums(ROWS, missing=Missing.DROP)
    fitted = PrivatePCA(2, adjacency="replace_one", random_state=0).fit(found)
    assert not hasattr(fitted, "explained_variance_")
    with pytest.warns(PrivacyWarning, match="does not keep"):
        local = PrivatePCA(1, mechanism="local_gaussian", random_state=0).fit(found)
    assert local.privacy_.standing is Standing.NONE


def test_of_sums_only_the_settings_are_doubted():
    found, _ = sums(ROWS, bounds_are_public=False)
    with pytest.warns(PrivacyWarning, match="does not say that its ranges and lists are public"):
        PrivatePCA(1).fit(found)
    found, _ = sums(ROWS)
    for settings in ({"row_norm": 2.0}, {"center": np.zeros(4)}):
        with pytest.raises(ValueError, match="in the unit ball already"):
            PrivatePCA(1, **settings).fit(found)
    with pytest.raises(ValueError, match="reads the rows again"):
        PrivatePCA(1, mechanism="second_look").fit(found)
