"""PrivatePCA keeps scikit-learn's conventions and releases what the mechanism does."""

import sys
import traceback

import numpy as np
import pandas as pd
import pytest
from sklearn.decomposition import PCA
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import check_estimator

import dpca_core
from dpca_core import MECHANISMS, Adjacency, Budget, InfeasibleBudget, PrivatePCA, Problem
from dpca_core.example_release.terms import guarantee
from dpca_core.mechanisms.second_look import SecondLook
from dpca_core.metrics import sin_theta
from tests.cases import sampled


@pytest.mark.parametrize(
    "mechanism", sampled(["gaussian", "ppca", "power"], 3, "the same checks of other noise")
)
def test_scikit_learn_takes_it_for_one_of_its_own(mechanism):
    """Every check; the one on other array libraries is left out where none is switched on."""
    done = check_estimator(PrivatePCA(mechanism=mechanism), on_skip=None)
    assert len(done) > 40


def rows(n=2000, d=6, seed=0):
    """Rows within the unit ball, two strong directions."""
    rng = np.random.default_rng(seed)
    spread = np.array([0.5, 0.4, 0.05, 0.04, 0.03, 0.02])[:d]
    found = rng.standard_normal((n, d)) * spread
    return 0.999 * found / np.maximum(1, np.linalg.norm(found, axis=1, keepdims=True))


@pytest.mark.parametrize("key", MECHANISMS)
def test_it_releases_what_the_mechanism_releases(key):
    epsilon = 0.9 if key == "wishart_sheffet" else 2.0
    fitted = PrivatePCA(2, epsilon=epsilon, delta=1e-3, mechanism=key, random_state=5).fit(rows())
    problem, budget = Problem.from_rows(rows(), 2), Budget(epsilon, 1e-3)
    expected = MECHANISMS[key].release(problem, budget, np.random.default_rng(5))
    np.testing.assert_allclose(fitted.components_, expected.bases[0].T, atol=1e-9)
    assert fitted.privacy_ == guarantee(MECHANISMS[key], 6, 2, budget)
    np.testing.assert_allclose(fitted.components_ @ fitted.components_.T, np.eye(2), atol=1e-9)


def test_with_much_budget_it_is_pca_about_the_center_given():
    data = rows() / 2 + 0.1
    center = data.mean(axis=0)
    fitted = PrivatePCA(2, epsilon=1e6, center=center, random_state=0).fit(data)
    pca = PCA(2).fit(data)
    assert sin_theta(fitted.components_.T, pca.components_.T) < 1e-3
    back = fitted.inverse_transform(fitted.transform(data))
    np.testing.assert_allclose(back, pca.inverse_transform(pca.transform(data)), atol=1e-3)
    off = rows() / 4 + np.array([0.7, 0, 0, 0, 0, 0])
    first = PrivatePCA(1, epsilon=1e6, random_state=0).fit(off).components_[0]
    assert abs(first[0]) > 0.99, "by itself it does not center"


def test_long_rows_are_shortened_and_nothing_else_is_read():
    data = rows()
    far = data.copy()
    far[0] *= 1e6
    near = data.copy()
    near[0] /= np.linalg.norm(near[0])
    released = [PrivatePCA(2, random_state=1).fit(x).components_ for x in (far, near)]
    np.testing.assert_allclose(released[0], released[1], atol=1e-9)
    small = PrivatePCA(2, random_state=1).fit(data)
    large = PrivatePCA(2, random_state=1, row_norm=8.0).fit(8 * data)
    np.testing.assert_allclose(small.components_, large.components_, atol=1e-9)


@pytest.mark.parametrize(
    ("mechanism", "there"),
    [("gaussian", True), ("ppca", False), (SecondLook(radius_share=0.1), True)],
)
def test_variance_is_there_only_if_it_was_released_and_in_the_unit_of_the_rows(mechanism, there):
    """Where people are added or removed n is not public, and none is there."""
    short = rows() / np.linalg.norm(rows(), axis=1, keepdims=True) / 8
    settings = {"epsilon": 1e4, "mechanism": mechanism, "row_norm": 3.0, "random_state": 0}
    fitted = PrivatePCA(2, adjacency="replace_one", **settings).fit(3 * short)
    assert hasattr(fitted, "explained_variance_") is there
    assert not hasattr(PrivatePCA(2, **settings).fit(3 * short), "explained_variance_")
    if there:
        expected = 9 * np.linalg.eigvalsh(short.T @ short / 2000)[::-1][:2]
        np.testing.assert_allclose(fitted.explained_variance_, expected, rtol=0.05)


def test_without_a_seed_releases_differ_and_an_old_generator_seeds_too():
    first, second = (PrivatePCA(2, epsilon=0.01).fit(rows()).components_ for _ in range(2))
    assert sin_theta(first.T, second.T) > 1e-6
    legacy = [PrivatePCA(2, random_state=np.random.RandomState(3)).fit(rows()) for _ in range(2)]
    np.testing.assert_allclose(legacy[0].components_, legacy[1].components_, atol=1e-9)
    fitted = PrivatePCA(2, random_state=0).set_output(transform="pandas").fit(rows())
    assert list(fitted.transform(rows()).columns) == ["privatepca0", "privatepca1"]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"n_components": 6}, "k must be a whole number from 1 to 5"),
        ({"epsilon": 0}, "ε must be a positive number"),
        ({"delta": 1.0}, "δ must be at least 0"),
        ({"mechanism": "none such"}, "choose from gaussian"),
        ({"adjacency": "both"}, "add_or_remove_one or replace_one"),
        ({"row_norm": float("nan")}, "row_norm must be a positive number"),
        ({"row_norm": "1"}, "row_norm must be a positive number"),
        ({"row_norm": 1e200}, "row_norm must be a positive number of at most 1e.150"),
        ({"center": [1.0, 2.0]}, "center must be 6 finite numbers"),
        ({"mechanism": "gap_release", "epsilon": 1e-6}, "Gap release releases nothing"),
    ],
)
def test_what_makes_no_sense_is_one_sentence(settings, words):
    with pytest.raises(ValueError, match=words) as error:
        PrivatePCA(**settings).fit(rows())
    assert "\n" not in str(error.value)


def test_a_budget_that_cannot_be_met_is_said():
    with pytest.raises(InfeasibleBudget, match="needs δ > 0"):
        PrivatePCA(delta=0.0).fit(rows())
    fitted = PrivatePCA(delta=0.0, mechanism="laplace", adjacency=Adjacency.REPLACE_ONE).fit(rows())
    assert fitted.privacy_.delta == 0
    even = np.vstack([np.eye(4)] * 5)
    with pytest.raises(InfeasibleBudget, match="eigengap"):
        PrivatePCA(1, mechanism="power_printed").fit(even)
    printed = PrivatePCA(1, mechanism="power_printed").fit(rows())
    assert printed.privacy_.epsilon == np.inf, "the printed one promises nothing"


def test_no_finite_row_is_refused() -> None:
    """Whether a fit is refused must not depend on how large somebody's values are."""
    rows = np.vstack([np.ones((5, 3)), [1.7e308, -1.7e308, 1.0]])
    center = np.array([-1.7e308, 1.7e308, 0.0])
    fitted = PrivatePCA(1, center=center, random_state=0).fit(rows)
    assert np.isfinite(fitted.components_).all()


SECRET = "HIV+"


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (np.array([[SECRET, 1.0], ["0.5", 2.0]], dtype=object), "text"),
        (pd.DataFrame({"a": [SECRET, "0.5"], "b": [1.0, 2.0]}), "text"),
        (np.array([["123456", 1.0], [SECRET.encode(), 2.0]], dtype=object), "text"),
        ([[123456.0, 1.0], [2.0]], "rows of different lengths"),
        (np.array([[123456 * 10**400, 1], [1, 2]], dtype=object), "beyond those of 64 bits"),
        (np.array([[pd.NA, 1], [123456, 2]], dtype=object), "missing values"),
        (pd.DataFrame({"a": [123456, None], "b": [1, 2]}, dtype="Int64"), "missing values"),
        (np.array([[123456 + 1j, 1], [1, 2]]), "Complex data not supported"),
        (123456.0, "Expected a table"),
        (np.ma.masked_array([[123456.0, 1.0], [0.5, 1.0]], [[1, 0], [0, 0]]), "masked"),
    ],
)
def test_what_is_no_table_is_refused_without_a_cell(cells, said):
    fitted = PrivatePCA(1, random_state=0).fit(rows(d=2))
    for work in (PrivatePCA().fit, fitted.transform):
        with pytest.raises(ValueError, match=said) as error:
            work(cells)
        told = "".join(traceback.format_exception(error.value)).partition("ValueError: ")[2]
        assert "123456" not in told
        assert SECRET not in told


@pytest.mark.parametrize("kind", [None, RuntimeError, KeyError, TypeError, ValueError])
def test_what_an_object_says_of_itself_stays_unsaid(kind: type[Exception] | None) -> None:
    class Cell:
        def __float__(self) -> float:
            raise kind(SECRET)

    cells = np.array([[Cell() if kind else {SECRET: 1}, 1.0], [0.5, 2.0]], dtype=object)
    fitted = PrivatePCA(1, random_state=0).fit(rows(d=2))
    for work in (PrivatePCA().fit, fitted.transform):
        with pytest.raises((TypeError, ValueError), match="X holds") as error:
            work(cells)
        assert error.value.__suppress_context__
        assert SECRET not in str(error.value)


@pytest.mark.parametrize("wrong", [{"row_norm": 1e200}, {"n_components": 9}, {"delta": 0.0}])
def test_a_fit_that_fails_leaves_nothing(wrong):
    never = PrivatePCA(adjacency="replace_one").set_params(**wrong)
    before = dict(vars(never))
    with pytest.raises(ValueError, match=r"row_norm|k must|needs δ"):
        never.fit(rows())
    assert vars(never) == before
    with pytest.raises(NotFittedError):
        never.transform(rows())
    fitted = PrivatePCA(adjacency="replace_one", random_state=0).fit(rows())
    known = dict(vars(fitted))
    with pytest.raises(ValueError, match=r"row_norm|k must|needs δ"):
        fitted.set_params(**wrong).fit(pd.DataFrame(rows(d=4), columns=list("abcd")))
    assert vars(fitted) == known | wrong


def test_without_scikit_learn_the_error_says_what_to_install(monkeypatch):
    monkeypatch.delitem(sys.modules, "dpca_core.estimator")
    monkeypatch.setitem(sys.modules, "sklearn.base", None)
    with pytest.raises(ImportError, match=r"PrivatePCA needs scikit-learn: pip install .*\.$"):
        dpca_core.__getattr__("PrivatePCA")
