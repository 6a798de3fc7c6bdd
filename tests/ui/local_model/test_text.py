"""What the pages say of a local guarantee: records of one person, never neighbouring data sets."""

import numpy as np
import pytest

from dpca_core import MECHANISMS, Adjacency, Budget, Problem
from dpca_core.mechanisms.registry import shown_by_default
from dpca_core.text.guarantee_sentences import between, promise
from sample_data import load_key
from ui.compare.query import CompareSettings
from ui.explore.measurements import Study
from ui.explore.query import ExploreQuery
from ui.explore.release_file import create_release_file
from ui.explore.summary import summarize
from ui.explore.text import ExploreText
from ui.state.slider_stops import EPSILON_STOPS
from ui.text.guarantee_labels import attacker_question, short_guarantee

LOCAL = ("local_gaussian", "local_printed", "local_sparse")


def guarantee(key, adjacency=Adjacency.ADD_OR_REMOVE_ONE):
    problem = Problem.from_moment(np.diag([60.0, 40, 10, 5]), 200, 2)
    return MECHANISMS[key].guarantee(problem, Budget(1.0, 1e-6, adjacency))


@pytest.mark.parametrize("key", LOCAL)
@pytest.mark.parametrize("adjacency", Adjacency)
def test_a_local_promise_is_between_two_records(key, adjacency):
    found = guarantee(key, adjacency)
    assert promise(found).startswith("local (ε, δ)-DP with ε")
    assert between(found, "patient") == "between any two records of one patient"
    assert attacker_question(found, "patient") == "which of two records one patient has"
    assert short_guarantee(found).endswith(", local")


def test_a_central_promise_is_between_neighbours():
    added, replaced = (guarantee("gaussian", a) for a in Adjacency)
    assert between(added, "person") == "for one person added or removed"
    assert between(replaced, "person") == "for one person replaced"
    assert attacker_question(added, "person") == "whether one person is in the data"
    assert attacker_question(replaced, "person") == "which of two records one person has"
    assert "local" not in promise(added) + short_guarantee(added)


@pytest.mark.parametrize("key", LOCAL)
def test_a_file_to_take_away_says_so(key):
    file = create_release_file(load_key("wine"), MECHANISMS[key], 2, Budget(1.0, 1e-6)).text
    (line,) = [x for x in file.splitlines() if x.startswith("# Guarantee")]
    assert "local (ε, δ)-DP" in line
    assert "between any two records of one" in line
    assert "added or removed" not in line


def test_explore_asks_which_of_two_records():
    view = ExploreQuery(
        MECHANISMS["local_gaussian"], 2, 1e-6, 178.0, Adjacency.ADD_OR_REMOVE_ONE, 0
    )
    data = load_key("wine")
    study = Study(data, view, shown_by_default())
    study.first_paint(EPSILON_STOPS.index(1.0))
    words = ExploreText(summarize(study, 0.9))
    i = EPSILON_STOPS.index(1.0)
    assert "which of two records" in words.guarantee.odds(i)
    assert "between any two records" in words.guarantee.badge(i)["line"]


def test_local_mechanisms_are_drawn_beside_central_ones_only_when_asked_for():
    assert not {m.key for m in shown_by_default()} & set(LOCAL)
    assert not set(CompareSettings().mechanisms.split(",")) & set(LOCAL)
