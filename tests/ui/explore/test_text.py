"""What Explore says of releases: counts, comparisons and refusals.

Where a test draws, its numbers follow from fixed seeds. The one on claims of difference between
equal laws fails by chance with probability below 1e-6; its seeds are fixed, too.
"""

import re
from dataclasses import replace

import numpy as np
import pytest

from dpca_core import MECHANISMS, Adjacency, Budget, Problem
from dpca_core.example_release.terms import terms
from dpca_core.privacy.budget import NotDrawnInTime
from dpca_core.simulation.draws import TrialDraws
from dpca_core.simulation.trials import run_trials
from sample_data import load_key
from tests.ui.explore.answers import FEW, GAUSSIAN, at, begun, compared, finished, said
from ui.compare.text import CompareText
from ui.explore.figures import page_content
from ui.explore.measurements import Study
from ui.explore.query import ExploreQuery
from ui.explore.reliability_measurements import ReliabilityMeasurements
from ui.explore.summary import summarize
from ui.explore.text import ExploreText
from ui.figures.packed_content import decode, encode
from ui.state.slider_stops import EPSILON_STOPS


def measured(study, mechanism, trials):
    """Enter the first releases of a mechanism at every stop, and nothing else."""
    drawn = run_trials(TrialDraws(mechanism, study.query.seed, range(trials)), study.points)
    study.measured[mechanism.key].enter(range(len(EPSILON_STOPS)), range(trials), drawn)
    return study


@pytest.mark.parametrize("trials", [1, 12, 25, 60])
def test_there_are_as_many_dots_as_releases(trials):
    study = measured(begun(), GAUSSIAN, trials)
    content = page_content(
        study, identity="x", epsilon=0.05, target=0.9, samples=None, public=False
    )
    sent = decode(encode(content))
    values = study.chosen.captured[at(0.05), :25][: min(trials, 25)]
    dots = sent["dots"]["kept"][at(0.05)]
    assert dots[: len(values)] == pytest.approx(list(values), rel=1e-6)
    assert dots[len(values) :] == [None] * (25 - len(values))
    kept = int((values >= 0.9).sum())
    text = sent["texts"][at(0.05)]
    if trials < 25:
        assert text["dots"].startswith(f"{kept} of {trials} release")
        assert "so far" in text["dots"]
    else:
        assert text["dots"].startswith(f"{kept} of the first 25 releases")
    assert f"{trials} releases" in text["dots_sub"] or trials <= 25


def test_one_release_is_called_one():
    assert said(measured(begun(), GAUSSIAN, 1), 1.0)["dots"] == (
        "1 of 1 release so far keeps 90\u00a0% or more"
    )


def test_at_a_tiny_epsilon_nobody_is_called_better():
    study = finished(rivals=FEW)
    text = said(study, 0.001)
    assert text["answer"] == (
        "At [[ε\u00a0=\u00a00.001]] a release does no better than directions drawn at random "
        "(28\u00a0%)."
    )
    assert text["kept"] == "No mechanism does better than directions drawn at random (28\u00a0%)"
    comparison = compared(tuple(FEW))
    answer = CompareText(comparison, 0.9).answer(at(0.001))
    assert "none of these mechanisms does better than directions drawn at random" in answer
    assert "the most" not in answer


def test_what_is_clearly_better_is_said():
    study = finished(key="laplace", rivals=FEW)
    assert re.search(r"would keep 9\d\u00a0%, Laplace keeps 6\d\u00a0%", said(study, 0.1)["kept"])
    study = finished(rivals=FEW)
    assert "Gaussian keeps the most" in said(study, 0.07)["kept"]


def test_equal_laws_are_seldom_called_different():
    """200 pairs of the same law: each is called different with probability 5 % at most.

    More than 30 such calls have probability below 1e-6.
    """
    study = begun(rivals=FEW[:2])
    for mechanism in FEW[:2]:
        measured(study, mechanism, 20)
    rng, calls = np.random.default_rng(5), 0
    for _ in range(200):
        for mechanism in FEW[:2]:
            study.measured[mechanism.key].captured[:, :20] = rng.beta(
                8, 2, (len(EPSILON_STOPS), 20)
            )
        title = said(study, 0.1)["kept"]
        calls += "would keep" in title or "the most" in title
    assert calls <= 30


def test_reliability_is_no_part_of_the_first_answer():
    study = begun(rivals=FEW)
    study.first_paint(at(0.1))
    assert study.reliability.at(at(0.1)) is None
    assert "direction" not in said(study, 0.1)["answer"]
    assert not study.complete
    while study.reliability.at(at(0.1)) is None:
        assert not study.complete
        study.advance(0)  # a longer slice may go on with the rivals
    assert study.measured["laplace"].trials() == 0  # it came before the rivals
    assert study.reliability.at(at(0.1)).trials == 1000


def test_a_wide_table_gets_fewer_releases_and_only_where_the_rule_is():
    small, wide = (begun(d, k=2).reliability for d in ("rand", "digits"))
    assert small.trials == 1000
    assert 29 <= wide.trials < 1000
    problem = Problem.from_moment(np.diag(np.arange(200.0)), 1e6, 2)
    assert (
        ReliabilityMeasurements(MECHANISMS["ppca_gibbs"], [(problem, Budget(1.0))], 0).next(0)
        is None
    )


def test_epsilon_needed_is_called_about_below_29_releases():
    few, enough = (measured(begun(), GAUSSIAN, trials) for trials in (28, 29))
    first, second = (said(study, 0.1)["ladder_sub"] for study in (few, enough))
    assert first.startswith("About **ε")
    assert "keeps 90\u00a0% in 9 of 10 releases by estimate (28 releases per point)" in first
    assert "confidence" not in first
    assert second.startswith("**ε")
    assert (
        "surely keeps 90\u00a0% in 9 of 10 releases (95\u00a0% confidence, 29 releases per point"
        in second
    )


def test_certain_epsilon_and_estimated_people_do_not_contradict_each_other():
    """Wishart noise: fewer people than there are, by estimate, where ε is not surely enough yet.

    The sentence then names the estimate of ε, too, and it says the same as that of the people.
    """
    study = finished(key="wishart")
    needed = study.epsilon_needed(study.query.mechanism, 0.9)
    both = 0
    for epsilon in EPSILON_STOPS:
        people = study.people_needed(0.9, at(epsilon))
        if people.n is None or not 0.02 <= epsilon <= 1:
            continue
        assert not people.certain
        text = ExploreText(summarize(study, 0.9)).sentences(at(epsilon), people)["ladder_sub"]
        assert "by estimate ε" in text
        assert text.count("by estimate") == 2
        assert (people.n <= study.query.n * 1.002) == needed.is_estimated_at(epsilon)
        both += needed.is_estimated_at(epsilon) and not needed.is_sure_at(epsilon)
    assert both


def test_who_keeps_the_target_only_by_estimate_is_counted_apart():
    """Of 40 releases 0, 2 and 10 miss: surely, by estimate, and not at all."""
    study = begun(rivals=FEW[:3])
    for mechanism, missing in zip(FEW, (0, 2, 10), strict=False):
        captured = measured(study, mechanism, 40).measured[mechanism.key].captured
        captured[:, :40] = 0.95
        captured[:, :missing] = 0.5
    assert said(study, 0.1)["ladder"].endswith("1 of 3 mechanisms surely keeps ")
    assert said(study, 0.1)["ladder_after"] == (
        " in 9 of 10 releases, 1 more does by estimate (40 releases each; surely: 95\u00a0% "
        "confidence each)"
    )


def test_what_is_not_drawn_in_time_is_no_refusal(monkeypatch):
    slow = MECHANISMS["ppca"]
    plain = type(slow).simulate

    def simulate(self, problem, budget, rng):
        if budget.epsilon >= 10:
            raise NotDrawnInTime("Simulating this takes too long for a page.")
        return plain(self, problem, budget, rng)

    monkeypatch.setattr(type(slow), "simulate", simulate)
    study = measured(begun(key="ppca"), slow, 29)
    text = said(study, 10.0)
    assert "takes too long for a page" in text["answer"]
    assert text["badge"]["label"] == "PROVED"
    assert text["kept"] == text["dots"] == "Not simulated here"
    assert "refuse" not in " ".join(map(str, text.values()))
    found = study.epsilon_needed(slow, 0.9)
    assert found.epsilon is not None
    assert found.epsilon < 10


@pytest.mark.parametrize(
    ("changes", "mechanism", "title"),
    [
        ({}, "gaussian", "One example release (CSV)"),
        ({}, "ppca", "One example release (CSV)"),
        ({"private": False}, "gaussian", "One example release (CSV): not private"),
        ({}, "non_private", "One example release (CSV): not private"),
        ({}, "wishart_sn", "One example release (CSV): not private"),
        ({}, "ppca_gibbs", "One example release (CSV): not private"),
    ],
)
def test_a_private_release_is_offered_only_where_one_is_made(changes, mechanism, title):
    data = replace(load_key("wine"), **changes)
    view = ExploreQuery(
        MECHANISMS[mechanism], 2, 1e-6, float(data.people), Adjacency.ADD_OR_REMOVE_ONE, 0
    )
    study = Study(data, view, ())
    study.first_paint(at(0.1))
    found = page_content(study, identity="x", epsilon=0.1, target=0.9, samples=None, public=False)
    assert found["says"]["download_title"] == title
    assert ("reloading" in found["says"]["download_text"]) == (mechanism == "ppca")
    spends = ": spends the selected ε" if title == "One example release (CSV)" else ""
    assert found["says"]["download_button"] == f"Draw an example{spends}"
    private = terms(data, view.mechanism, 2, study.budget(0.1)).private
    assert private == (title == "One example release (CSV)")
