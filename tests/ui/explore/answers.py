"""Answers of the Explore page, begun and finished, for the tests of what it says."""

from functools import cache

from dpca_core import MECHANISMS, Adjacency
from sample_data import load_key
from ui.compare.measurements import Comparison
from ui.compare.query import CompareQuery
from ui.compare.release_cache import ReleaseCache
from ui.explore.measurements import CHOSEN_TRIALS, RIVAL_TRIALS, Study
from ui.explore.query import ExploreQuery
from ui.explore.summary import summarize
from ui.explore.text import ExploreText
from ui.state.slider_stops import EPSILON_STOPS

GAUSSIAN = MECHANISMS["gaussian"]
FEW = tuple(MECHANISMS[m] for m in ("gaussian", "wishart_difference", "laplace", "smooth_gaussian"))


def at(epsilon):
    return EPSILON_STOPS.index(epsilon)


def begun(data="rand", key="gaussian", k=2, rivals=(), delta=1e-6):
    found = load_key(data)
    view = ExploreQuery(
        MECHANISMS[key], k, delta, float(found.people), Adjacency.ADD_OR_REMOVE_ONE, 0
    )
    return Study(found, view, rivals)


@cache
def finished(data="rand", key="gaussian", k=2, rivals=()):
    """A study with all its releases; reliability comes where it is asked for."""
    study = begun(data, key, k, rivals)
    while (
        study.chosen.trials() < CHOSEN_TRIALS
        or min(m.trials() for m in study.measured.values()) < RIVAL_TRIALS
    ):
        study.advance(0.2)
    return study


def said(study, epsilon, target=0.9):
    words = ExploreText(summarize(study, target))
    return words.sentences(at(epsilon), None)


@cache
def compared(mechanisms):
    asked = CompareQuery(
        mechanisms,
        "epsilon",
        0.1,
        1e-6,
        5912.0,
        2,
        Adjacency.ADD_OR_REMOVE_ONE,
        0,
        RIVAL_TRIALS,
        False,
    )
    comparison = Comparison(load_key("rand"), asked, ReleaseCache())
    while not comparison.complete:
        comparison.advance(1)
    return comparison
