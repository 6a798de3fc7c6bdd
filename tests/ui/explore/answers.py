"""Studies of the Explore page, begun and finished, and what the page says and draws of them."""

from dataclasses import replace
from functools import cache

import numpy as np

from dpca_core import MECHANISMS, Adjacency
from dpca_core.data.dataset import Dataset
from dpca_core.data.provenance import Disclosure, Mark
from dpca_core.simulation.trials import TrialDraws, run_trials
from sample_data import load_key
from ui.compare.measurements import Comparison
from ui.compare.query import CompareQuery
from ui.compare.release_cache import ReleaseCache
from ui.explore.figures import page_content
from ui.explore.measurements import CHOSEN_TRIALS, RIVAL_TRIALS, Study
from ui.explore.query import ExploreQuery
from ui.explore.summary import summarize
from ui.explore.text import ExploreText
from ui.state.slider_stops import EPSILON_STOPS

ADDED = Adjacency.ADD_OR_REMOVE_ONE
GAUSSIAN = MECHANISMS["gaussian"]
FEW = tuple(MECHANISMS[m] for m in ("gaussian", "wishart_difference", "laplace", "smooth_gaussian"))
LEAK = Disclosure("Norm bound", Mark.READS, "read from the file", "not private")


def at(epsilon):
    return EPSILON_STOPS.index(epsilon)


def query_of(data, key="gaussian", **changes):
    start = ExploreQuery(MECHANISMS[key], 2, 1e-6, float(data.people), ADDED, 0)
    return replace(start, **changes)


def study_of(data, key="gaussian", rivals=(), **changes):
    return Study(data, query_of(data, key, **changes), rivals)


def begun(data="rand", key="gaussian", k=2, rivals=(), delta=1e-6):
    return study_of(load_key(data), key, rivals, k=k, delta=delta)


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


def with_releases(study, trials, mechanism=None):
    """The study with a mechanism's first releases at every stop, and nothing else."""
    mechanism = mechanism or study.query.mechanism
    drawn = run_trials(TrialDraws(mechanism, study.query.seed, range(trials)), study.points)
    study.measured[mechanism.key].enter(range(len(EPSILON_STOPS)), range(trials), drawn)
    return study


def judged(study, *epsilons):
    """The study once it knows how reliable its directions are at these stops."""
    for index in map(at, epsilons):
        study.first_paint(index)
        while study.reliability.at(index) is None:
            study.advance(0.05)
    return study


def plain(words):
    """Sentences with usual blanks."""
    if isinstance(words, dict):
        return {name: plain(each) for name, each in words.items()}
    return words.replace("\u00a0", " ") if isinstance(words, str) else words


def said(study, epsilon, target=0.9, people=None):
    words = ExploreText(summarize(study, target))
    return plain(words.sentences(at(epsilon), people))


def drawn(study, epsilon=0.1, target=0.9, **more):
    """The page's content."""
    start = {"identity": "x", "samples": None, "public": False}
    return page_content(study, epsilon=epsilon, target=target, **(start | more))


@cache
def compared(mechanisms):
    asked = CompareQuery(mechanisms, "epsilon", 0.1, 1e-6, 5912.0, 2, ADDED, 0, RIVAL_TRIALS, False)
    comparison = Comparison(load_key("rand"), asked, ReleaseCache())
    while not comparison.complete:
        comparison.advance(1)
    return comparison


def own(**changes):
    """500 rows of somebody's own table, with a formula for a name."""
    rows = np.random.default_rng(0).normal(size=(500, 4)) @ np.diag([0.5, 0.3, 0.1, 0.1])
    rows /= np.maximum(1, np.linalg.norm(rows, axis=1, keepdims=True))
    names = ("=cmd()", "b", "c", "d")
    return Dataset("upload:x:1", "x.csv", "x.csv", rows, names, disclosures=(LEAK,), **changes)
