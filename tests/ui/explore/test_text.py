"""What Explore says of releases: counts, comparisons, odds and refusals.

Where a test draws, its numbers follow from fixed seeds.
"""

import re

import numpy as np
import pytest

from dpca_core import MECHANISMS
from dpca_core.analysis.needed import PeopleNeeded
from dpca_core.privacy.budget import NotDrawnInTime
from dpca_core.simulation.sweep import sweep
from sample_data import load_key
from tests.cases import sampled
from tests.ui.explore.studies import (
    FEW,
    at,
    begun,
    few,
    finished,
    measured,
    own,
    plain,
    said,
    study_of,
    summary_of,
    text_of,
    with_shares,
)
from ui.explore.below import checklist
from ui.state.slider_stops import EPSILON_STOPS

FIRST = ("gaussian", "gap_release", "wishart_sn", "ppca", "non_private")


@pytest.mark.parametrize(
    "key",
    [
        *FIRST,
        *sampled(
            [key for key in MECHANISMS if key not in FIRST], len(MECHANISMS), "every mechanism"
        ),
    ],
)
def test_every_sentence_is_whole_and_none_speaks_in_symbols(key):
    study = begun(key=key, rivals=FEW)
    study.first_answer(at(0.1))
    study.advance(lambda: True)
    for i, epsilon in enumerate(EPSILON_STOPS):
        for name, text in said(study, epsilon, people=PeopleNeeded(1234.0, i % 2 == 0)).items():
            assert not re.search(r"nan|inf |swallow", text), name
            assert text.count("**") % 2 == 0, name
            assert name != "answer" or not re.search("sin Θ|second moment|δ =", text)
            assert name != "answer" or text.endswith((".", "…"))


@pytest.mark.parametrize("trials", [1, 12, 25, 60])
def test_as_many_releases_are_counted_as_there_are_dots(trials):
    study = few(trials=trials)
    values = study.curves.chosen.captured[at(0.05), : min(trials, 25)]
    kept, text = int((values >= 0.9).sum()), said(study, 0.05)["dots"]
    if trials < 25:
        assert text.startswith(f"{kept} of {trials} release{'s' if trials > 1 else ''} so far")
    else:
        assert text.startswith(f"{kept} of the first 25 releases")


def test_only_who_is_clearly_better_is_called_so():
    text = said(finished(key="laplace", rivals=FEW), 0.1)["kept"]
    assert re.search(r"would keep 9\d %, Laplace keeps 6\d %", text)
    assert "Gaussian keeps the most" in said(finished(rivals=FEW), 0.07)["kept"]
    text = said(finished(rivals=FEW), 0.001)["kept"]
    assert text == "No mechanism does better than directions drawn at random (28 %)"


@pytest.mark.chance(2e-7)
def test_equal_laws_are_seldom_called_different():
    """Each of 200 pairs with probability 5 % at most; more than 30 such calls: 2e-8."""
    study = measured(begun(rivals=FEW[:2], trials=20))
    rng, calls = np.random.default_rng(5), 0
    for _ in range(200):
        for line in study.curves.lines:
            line.captured[:, :20] = rng.beta(8, 2, (len(EPSILON_STOPS), 20))
        title = said(study, 0.1)["kept"]
        calls += "would keep" in title or "the most" in title
    assert calls <= 30


def test_epsilon_needed_is_called_about_below_29_releases():
    """Fewer have no order statistic that can speak of 9 of 10."""
    first, second = (said(few(trials=trials), 0.1)["needed"] for trials in (28, 29))
    needed = summary_of(few(trials=28)).chosen.needed
    assert not needed.certain
    assert first.startswith(f"About **ε = {needed.epsilon:g}**")
    assert "by estimate (28 releases per point)" in first
    assert "confidence" not in first
    assert second.startswith("**ε")
    assert "surely keeps 90 % in 9 of 10 releases (95 % confidence, 29 releases per" in second


def test_certain_epsilon_and_estimated_people_do_not_contradict_each_other():
    """Wishart noise: fewer people than there are, by estimate, where ε is not surely enough yet.

    The sentence then names the estimate of ε, too, and it says the same as that of the people.
    """
    study = few("wishart", 100)
    needed, both = study.needed(study.curves.chosen, 0.9), 0
    for epsilon in (0.05, 0.07, 0.1, 0.2, 1.0):
        people = study.people_needed(0.9, at(epsilon))
        assert not people.certain
        text = said(study, epsilon, people=people)["needed"]
        assert "by estimate ε" in text
        assert text.count("by estimate") == 2
        assert (people.n <= study.asked.n * 1.002) == needed.is_estimated_at(epsilon)
        both += needed.is_estimated_at(epsilon) and not needed.is_sure_at(epsilon)
    assert both


@pytest.mark.chance(1e-7)
def test_both_inverse_answers_are_true_of_new_releases():
    """200 new releases at the ε and n named: their 10 % quantile stays above 0.88, but for 1e-7."""
    needed, people = summary_of(finished()).chosen.needed, finished().people_needed(0.9, at(0.03))
    assert needed.certain
    assert people.certain
    problem = load_key("rand").problem(2)
    for asked, epsilon in ((problem, needed.epsilon), (problem.scaled(people.n), 0.03)):
        table = sweep(["gaussian"], asked, epsilon=[epsilon], delta=1e-6, trials=200, seed=77)
        assert table.captured.quantile(0.1) > 0.88
    assert f"ε = {needed.epsilon:g}" in said(finished(), 0.03, people=people)["needed"]


def test_who_keeps_the_target_only_by_estimate_is_counted_apart():
    """Of 40 releases 0, 2 and 10 miss: surely, by estimate, and not at all."""
    study = begun(rivals=FEW[:3], trials=40)
    measured(study)
    for mechanism, missing in zip(FEW, (0, 2, 10), strict=False):
        with_shares(study, mechanism.key, 0.95)
        with_shares(study, mechanism.key, 0.5, trials=missing)
    text = said(study, 0.1)["mechanisms"]
    assert "1 of 3 mechanisms surely keeps 90 %" in text
    assert "1 more does by estimate (40 releases each" in text
    assert "so far" not in text


def test_what_is_not_drawn_in_time_is_no_refusal(monkeypatch):
    slow = MECHANISMS["ppca"]
    usual = type(slow).simulate

    def simulate(self, problem, budget, rng):
        if budget.epsilon >= 10:
            raise NotDrawnInTime("Simulating this takes too long for a page.")
        return usual(self, problem, budget, rng)

    monkeypatch.setattr(type(slow), "simulate", simulate)
    study = few("ppca", 29)
    text = said(study, 10.0)
    assert "takes too long for a page" in text["answer"]
    assert text["standing"].startswith("**PROVED**")
    assert text["kept"] == text["dots"] == "Not simulated here"
    assert "refuse" not in " ".join(text.values())
    assert study.needed(study.curves.chosen, 0.9).epsilon < 10


def test_data_read_without_paying_carry_no_guarantee():
    text = said(few_own(private=False), 1.0)
    assert text["standing"].startswith("**NOT PRIVATE**")
    assert "No bound on a guess" in text["odds"]


def few_own(**changes):
    study = study_of(own(**changes), trials=8)
    study.first_answer(at(1.0))
    return study


def test_the_mean_and_the_mechanism_add_up_to_the_budget():
    text = text_of(few_own(mean_share=0.25))
    total = text.total(at(2.0))
    assert total.epsilon == pytest.approx(2.0)
    assert total.delta == pytest.approx(1e-6)
    assert total.noise_multiplier is None
    assert "with ε = 2, δ" in plain(text.standing(at(2.0)))


def test_the_checklist_names_what_else_reveals_data():
    rand = load_key("rand")
    asked = finished().asked
    usual, large = (
        checklist(rand, a) for a in (asked, asked.__class__(0.1, 0.01, 100.0, 2, asked.adjacency))
    )
    assert "7 % of rows" in plain(usual)
    assert "Too large" not in usual
    assert "Hypothetical" not in usual
    assert "Too large" in large
    assert "Hypothetical" in large


def test_the_name_of_a_file_stays_out_of_what_is_saved():
    text = text_of(few_own())
    assert "x.csv" not in text.settings()
    assert "A table of your own" in text.settings()
