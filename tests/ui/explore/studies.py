"""Studies of Explore's views, begun and finished, and what is said of them."""

from dataclasses import replace
from datetime import date
from functools import cache

import numpy as np

from dpca_core import MECHANISMS, Adjacency
from dpca_core.data.dataset import Dataset
from dpca_core.mechanisms.registry import DEFAULT
from sample_data import load_key, source_of
from tests.built_in_sets import loaded
from ui.explore.headline_and_titles import StopText
from ui.explore.medians import Summary
from ui.explore.query import Along
from ui.explore.sheet_measurements import Sheet
from ui.explore.sheet_words import Wording
from ui.explore.study import Study
from ui.state.slider_stops import EPSILON_STOPS

ADDED = Adjacency.ADD_OR_REMOVE_ONE
GAUSSIAN = MECHANISMS["gaussian"]
FEW = tuple(MECHANISMS[m] for m in ("gaussian", "wishart_difference", "laplace", "smooth_gaussian"))
SENTENCES = (
    *("answer", "odds", "standing", "beside", "kept", "dots"),
    *("angle", "angle_sub", "noise", "spectrum", "mechanisms"),
)
EVERYWHERE = range(len(EPSILON_STOPS))


def at(epsilon):
    return EPSILON_STOPS.index(epsilon)


def study_of(data, key="gaussian", rivals=(), trials=None, **changes):
    """A study of a data set in which nothing is measured yet; ``trials`` for all mechanisms."""
    asked = replace(Along(0.1, 1e-6, float(data.people), 2, ADDED), **changes)
    mechanisms = tuple(dict.fromkeys([MECHANISMS[key], *rivals]))
    return Study(data, asked, mechanisms, trials=trials and dict.fromkeys(mechanisms, trials))


def begun(data="rand", key="gaussian", **changes):
    return study_of(load_key(data), key, **changes)


def measured(study):
    """The study with all its releases; reliability comes where it is asked for."""
    for _ in study.curves.steps(0):
        pass
    return study


@cache
def few(key="gaussian", trials=60, data="rand", **changes):
    """A study with so many releases at each stop."""
    return measured(begun(data, key, trials=trials, **changes))


def finished(data="rand", key="gaussian", **changes):
    """A study with as many as a page measures."""
    return few(key, None, data, **changes)


def with_shares(study, key, share, trials=40, points=EVERYWHERE):
    """The study with releases of a mechanism that all keep one share."""
    line = next(x for x in study.curves.lines if x.mechanism.key == key)
    line.reserve(trials)
    block = np.ix_(points, range(trials))
    line.captured[block] = line.sin_theta[block] = share
    line.done[block] = True
    return study


def judged(study, epsilon):
    """The study once it knows how reliable its directions are at a stop."""
    while study.reliability.at(at(epsilon)) is None:
        study.reliability.step(at(epsilon))
    return study


def plain(words):
    return words.replace("\u00a0", " ") if words else words


def summary_of(study):
    return Summary(study, 0.9)


def own(**changes):
    """500 rows of somebody's own table, with a telling name and a telling column."""
    rows = np.random.default_rng(0).normal(size=(500, 4)) @ np.diag([0.5, 0.3, 0.1, 0.1])
    rows /= np.maximum(1, np.linalg.norm(rows, axis=1, keepdims=True))
    names = ("<b>age</b>", "b**c", "income", "d")
    found = Dataset("upload:x:1", "secret-clinic.csv", rows, names)
    return replace(found, **changes)


def text_of(study, epsilon=0.1):
    return StopText(summary_of(study), at(epsilon))


def said(study, epsilon, people=None):
    text = text_of(study, epsilon)
    found = {name: getattr(text, name)() for name in SENTENCES} | {"needed": text.needed(people)}
    return {name: plain(sentence) for name, sentence in found.items()}


# --- One page ---

MADE = date(2026, 11, 22)


def sheet_of(data, k, epsilon, key=DEFAULT.key, **changes):
    found = Sheet(study_of(data, key, k=k, epsilon=epsilon, **changes), epsilon)
    for _ in found.steps():
        pass
    return found


@cache
def built_in(data, k, epsilon, key=DEFAULT.key, delta=1e-06):
    return sheet_of(loaded(data), k, epsilon, key, delta=delta)


def worded(found, *, public=True, people=True):
    source = source_of(found.dataset.key)
    return Wording(people, public, {} if source is None else source.column_words)
