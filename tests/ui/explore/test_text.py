"""What Explore says of releases: counts, comparisons, odds and refusals.

Where a test draws, its numbers follow from fixed seeds.
"""

import re
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm

from dpca_core import MECHANISMS
from dpca_core.analysis.needed import PeopleNeeded
from dpca_core.privacy.budget import NotDrawnInTime
from dpca_core.privacy.gaussian import gaussian_sigma
from sample_data import load_key
from tests.cases import sampled
from tests.ui.explore.answers import (
    FEW,
    GAUSSIAN,
    at,
    begun,
    compared,
    drawn,
    finished,
    plain,
    said,
    study_of,
    with_releases,
)
from ui.compare.text import CompareText
from ui.explore.disclosures import clipping
from ui.explore.summary import summarize
from ui.explore.text import ExploreText
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
    study.first_paint(at(0.1))
    study.advance(0)
    words = ExploreText(summarize(study, 0.9))
    for i in range(len(EPSILON_STOPS)):
        for name, text in words.sentences(i, PeopleNeeded(1234.0, certain=i % 2 == 0)).items():
            assert not re.search(r"nan|inf |swallow", str(text)), name
            assert str(text).count("**") % 2 == 0, name
            assert name != "answer" or not re.search("sin Θ|second moment", text)
            assert name != "answer" or text.endswith((".", "…"))


@pytest.mark.parametrize("trials", [1, 12, 25, 60])
def test_there_are_as_many_dots_as_releases(trials):
    study = with_releases(begun(), trials)
    content = drawn(study, 0.05)
    values = study.chosen.captured[at(0.05), :25][: min(trials, 25)]
    dots = content["dots"]["kept"][at(0.05)]
    assert dots[: len(values)] == pytest.approx(values, rel=1e-6)
    assert np.isnan(dots[len(values) :]).all()
    kept = int((values >= 0.9).sum())
    text = content["texts"][at(0.05)]["dots"]
    if trials < 25:
        assert text.startswith(f"{kept} of {trials} release{'s' if trials > 1 else ''} so far")
    else:
        assert text.startswith(f"{kept} of the first 25 releases")


def test_at_a_tiny_epsilon_nobody_is_called_better():
    text = said(finished(rivals=FEW), 0.001)
    assert text["kept"] == "No mechanism does better than directions drawn at random (28 %)"
    answer = CompareText(compared(FEW), 0.9).answer(at(0.001))
    assert "none of these mechanisms does better than directions drawn at random" in answer
    assert "the most" not in answer


def test_what_is_clearly_better_is_said():
    text = said(finished(key="laplace", rivals=FEW), 0.1)["kept"]
    assert re.search(r"would keep 9\d %, Laplace keeps 6\d %", text)
    assert "Gaussian keeps the most" in said(finished(rivals=FEW), 0.07)["kept"]


@pytest.mark.chance(2e-7)
def test_equal_laws_are_seldom_called_different():
    """Each of 200 pairs with probability 5 % at most; more than 30 such calls: 2e-8."""
    study = begun(rivals=FEW[:2])
    for mechanism in FEW[:2]:
        with_releases(study, 20, mechanism)
    rng, calls = np.random.default_rng(5), 0
    for _ in range(200):
        for mechanism in FEW[:2]:
            study.measured[mechanism.key].captured[:, :20] = rng.beta(
                8, 2, (len(EPSILON_STOPS), 20)
            )
        title = said(study, 0.1)["kept"]
        calls += "would keep" in title or "the most" in title
    assert calls <= 30


def test_reliability_is_no_part_of_the_first_answer_and_comes_before_the_rivals():
    study = begun(rivals=FEW)
    study.first_paint(at(0.1))
    assert study.reliability.at(at(0.1)) is None
    assert "direction" not in said(study, 0.1)["answer"]
    while study.reliability.at(at(0.1)) is None:
        assert not study.complete
        study.advance(0)  # a longer slice may go on with the rivals
    assert study.measured["laplace"].trials() == 0
    assert study.reliability.at(at(0.1)).trials == 1000


def test_epsilon_needed_is_called_about_below_29_releases():
    """Fewer have no order statistic that can speak of 9 of 10."""
    few, enough = (with_releases(begun(), trials) for trials in (28, 29))
    first, second = (said(study, 0.1)["ladder_sub"] for study in (few, enough))
    needed = summarize(few, 0.9).chosen.needed
    assert not needed.certain
    assert first.startswith(f"About **ε = {needed.epsilon:g}**")
    assert "by estimate (28 releases per point)" in first
    assert "confidence" not in first
    assert second.startswith("**ε")
    assert "surely keeps 90 % in 9 of 10 releases (95 % confidence, 29 releases per" in second
    assert drawn(few)["mechanisms"][0]["needed_text"] == f"about {needed.epsilon:g}"


def test_one_draw_of_a_private_mean_gives_no_confidence():
    """All releases measured share it: their order says nothing of another draw."""
    study = with_releases(study_of(replace(load_key("rand"), mean_share=0.1)), 60)
    assert not study.epsilon_needed(GAUSSIAN, 0.9).certain
    assert not study.people_needed(0.9, at(0.1)).certain


def test_certain_epsilon_and_estimated_people_do_not_contradict_each_other():
    """Wishart noise: fewer people than there are, by estimate, where ε is not surely enough yet.

    The sentence then names the estimate of ε, too, and it says the same as that of the people.
    """
    study = with_releases(begun(key="wishart"), 100)
    needed = study.epsilon_needed(study.query.mechanism, 0.9)
    both = 0
    for epsilon in (0.05, 0.07, 0.1, 0.2, 1.0):
        people = study.people_needed(0.9, at(epsilon))
        assert not people.certain
        text = said(study, epsilon, people=people)["ladder_sub"]
        assert "by estimate ε" in text
        assert text.count("by estimate") == 2
        assert (people.n <= study.query.n * 1.002) == needed.is_estimated_at(epsilon)
        both += needed.is_estimated_at(epsilon) and not needed.is_sure_at(epsilon)
    assert both


def test_who_keeps_the_target_only_by_estimate_is_counted_apart():
    """Of 40 releases 0, 2 and 10 miss: surely, by estimate, and not at all."""
    study = begun(rivals=FEW[:3])
    for mechanism, missing in zip(FEW, (0, 2, 10), strict=False):
        captured = with_releases(study, 40, mechanism).measured[mechanism.key].captured
        captured[:, :40] = 0.95
        captured[:, :missing] = 0.5
    text = said(study, 0.1)
    assert text["ladder"].endswith("1 of 3 mechanisms surely keeps ")
    assert "1 more does by estimate (40 releases each" in text["ladder_after"]


def test_what_is_not_drawn_in_time_is_no_refusal(monkeypatch):
    slow = MECHANISMS["ppca"]
    usual = type(slow).simulate

    def simulate(self, problem, budget, rng):
        if budget.epsilon >= 10:
            raise NotDrawnInTime("Simulating this takes too long for a page.")
        return usual(self, problem, budget, rng)

    monkeypatch.setattr(type(slow), "simulate", simulate)
    study = with_releases(begun(key="ppca"), 29)
    text = said(study, 10.0)
    assert "takes too long for a page" in text["answer"]
    assert text["badge"]["label"] == "PROVED"
    assert text["kept"] == text["dots"] == "Not simulated here"
    assert "refuse" not in " ".join(map(str, text.values()))
    assert study.epsilon_needed(slow, 0.9).epsilon < 10


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 10.0])
def test_the_odds_are_the_exact_gaussian_ones_rounded_up(epsilon):
    exact = norm.cdf(0.5 / gaussian_sigma(epsilon, 1e-6, 1.0)) * 100
    (times,) = re.findall(r"at most \*\*([\d.]+) times in", said(finished(), epsilon)["odds"])
    assert 0 <= float(times) - exact < (0.1 if exact < 55 else 1)
    assert epsilon != 1 or times == "54.8"


def test_what_clipping_does_is_said_in_numbers():
    text = plain(clipping(load_key("rand"), load_key("rand").problem(2)))
    assert "7 % of rows" in text
    assert "2 % of values" in text
    assert clipping(load_key("digits"), load_key("digits").problem(2)) is None
