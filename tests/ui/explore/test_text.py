"""What Explore and Compare say of releases: counts, comparisons, angles and directions.

Where a test draws, its numbers follow from fixed seeds. The one on claims of difference between
equal laws fails by chance with probability below 1e-6; its seeds are fixed, too.
"""

import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from dpca_core import MECHANISMS, Adjacency, Budget, Problem
from dpca_core.linalg.symmetric import top_basis
from dpca_core.metrics import principal_angles, random_baseline
from dpca_core.privacy.budget import NotDrawnInTime
from dpca_core.release.terms import terms
from dpca_core.simulation.draws import Draws
from dpca_core.simulation.trials import trace
from sample_data import load_key
from ui.compare import settings as compare_settings
from ui.compare.figures import Compared
from ui.compare.measurements import Comparison, Memory
from ui.compare.query import Asked
from ui.explore.figures import payload
from ui.explore.measurements import CHOSEN_TRIALS, RIVAL_TRIALS, Study
from ui.explore.panel_titles import angle_verdict
from ui.explore.query import ExploreQuery
from ui.explore.reliability import ReliabilityMeasurements, chance_angle
from ui.explore.summary import summarize
from ui.explore.text import ExploreText
from ui.figures.wire_format import decode, encode
from ui.state.default_mechanisms import usual
from ui.state.slider_stops import EPSILON_STOPS
from ui.text.glossary import SUBTITLES, TERMS
from ui.text.noise import noise_per_entry

GAUSSIAN = MECHANISMS["gaussian"]
FEW = tuple(MECHANISMS[m] for m in ("gaussian", "wishart_difference", "laplace", "smooth_gaussian"))


def at(epsilon):
    return EPSILON_STOPS.index(epsilon)


def begun(data="rand", key="gaussian", k=2, rivals=(), delta=1e-6):
    found = load_key(data)
    view = ExploreQuery(
        MECHANISMS[key], k, delta, float(found.people), Adjacency.ADD_OR_REMOVE_ONE, 0
    )  # fmt: skip
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


def judged(study, *epsilons):
    """The same, with reliability known at these stops."""
    for index in map(at, epsilons):
        study.first_paint(index)
        while study.reliability.at(index) is None:
            study.advance(0.05)
    return study


def measured(study, mechanism, trials):
    """Enter the first releases of a mechanism at every stop, and nothing else."""
    drawn = trace(Draws(mechanism, study.query.seed, range(trials)), study.points)
    study.measured[mechanism.key].enter(range(len(EPSILON_STOPS)), range(trials), drawn)
    return study


def said(study, epsilon, target=0.9):
    words = ExploreText(summarize(study, target), study.dataset, study.query)
    return words.at(at(epsilon), None)


# --- Dots are releases ---


@pytest.mark.parametrize("trials", [1, 12, 25, 60])
def test_there_are_as_many_dots_as_releases(trials):
    study = measured(begun(), GAUSSIAN, trials)
    sent = decode(encode(payload(
        "x", study.dataset, study, epsilon=0.05, target=0.9, pictures=None, public=False
    )))  # fmt: skip
    values = study.chosen.captured[at(0.05), :25][: min(trials, 25)]
    dots = sent["dots"]["captured"][at(0.05)]
    assert dots == pytest.approx(list(values), rel=1e-6)
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


# --- Comparisons beyond sampling error, and above chance ---


def test_at_a_tiny_epsilon_nobody_is_called_better():
    study = finished(rivals=FEW)
    text = said(study, 0.001)
    assert text["answer"] == (
        "At [[ε\u00a0=\u00a00.001]] a release does no better than directions drawn at random "
        "(28\u00a0%)."
    )
    assert text["kept"] == "No mechanism does better than directions drawn at random (28\u00a0%)"
    comparison = compared(tuple(FEW))
    answer = Compared(comparison, 0.9).answer(at(0.001))
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


# --- Which directions survive ---


def test_the_headline_says_which_directions_survive():
    study = judged(finished(), 0.05, 0.1, 0.2, 1.0)
    assert "but only direction\u00a01 is recognisable" in said(study, 0.1)["answer"]
    for epsilon in (0.2, 1.0):
        assert "but" not in said(study, epsilon)["answer"]
    assert "but no direction is recognisable" in said(study, 0.05)["answer"]


def test_reliability_is_no_part_of_the_first_answer():
    study = begun(rivals=FEW)
    study.first_paint(at(0.1))
    assert study.reliability.at(at(0.1)) is None
    assert "direction" not in said(study, 0.1)["answer"]
    assert not study.complete
    while study.reliability.at(at(0.1)) is None:
        assert not study.complete
        study.advance(0.05)
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


def test_a_span_is_judged_where_directions_come_in_no_order():
    assert (
        ", but the plane is not reliable" in said(judged(finished(key="power"), 0.1), 0.1)["answer"]
    )


def test_a_first_direction_that_is_the_average_is_called_so():
    text = said(judged(finished("wine", k=1), 100.0), 100.0)
    assert "direction\u00a01 is mostly the average" in text["answer"]
    assert "A private mean" in text["smooth"]
    assert "average" not in said(finished(), 1.0)["answer"]


# --- One story at three directions, in degrees ---


def test_three_directions_tell_one_story():
    text = said(judged(finished(k=3), 0.1), 0.1)
    assert re.search(r"keeps \*\*9[78]\u00a0%\*\*", text["answer"])
    assert "but only direction\u00a01 is recognisable" in text["answer"]
    assert text["sin"] == "The subspace is lost: half are off by 38° or more"
    assert re.fullmatch(
        r"Noise 21\d\u00a0people, gap 17.4: directions 3 and 4 can mix", text["noise"]
    )
    assert text["spectrum"] == (
        "Directions 3 and 4 carry nearly the same variation: mixing them changes little of what "
        "is kept, but direction 3 itself is lost"
    )
    for word in ("swallow", "a little", "stays put"):
        assert word not in " ".join(map(str, text.values()))


@pytest.mark.parametrize(
    ("angle", "word"),
    [
        (0.3, "stays"),
        (18.4, "stays"),
        (18.6, "recognisable"),
        (32.4, "recognisable"),
        (32.6, "lost"),
    ],
)
def test_word_and_degrees_are_of_one_number(angle, word):
    text = angle_verdict(angle)
    assert word in text
    assert (f"{angle:.0f}°" if angle > 1 else "0.3°") in text


@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_angles_said_are_those_of_the_releases(k):
    """The same releases, with angles found another way."""
    study, problem = judged(finished(k=k), 0.1), load_key("rand").problem(k)
    unit = Draws(GAUSSIAN, 0, range(1000)).unit(problem.d, k)[0]
    scale = GAUSSIAN.calibrate(problem, Budget(0.1, 1e-6)).scale
    bases = top_basis(problem.moment + scale * unit, k)
    angles = np.degrees(principal_angles(problem.basis, bases)[:, -1])
    half, most = np.quantile(angles, (0.5, 0.9))
    text = said(study, 0.1)["sin_dots"]
    assert f"off by {half:.0f}° or more" in text
    assert f"no more than {most:.0f}°" in text
    assert f"(chance: {chance_angle(19, k):.0f}°)" in text


@pytest.mark.parametrize("k", [2, 3])
def test_before_the_angles_are_known_only_what_follows_is_said(k):
    study = begun(k=k)
    study.first_paint(at(0.1))
    least = float(re.search(r"at least (\d+)° in half", said(study, 0.1)["sin"]).group(1))
    true = np.nanmedian(judged(finished(k=k), 0.1).reliability.at(at(0.1)).angles)
    assert 0.4 * true < least < true + 2  # 20 releases for the bound, 1000 for the median


def test_no_sentence_gives_a_norm_as_an_angle():
    for k in (2, 3):
        for epsilon in (0.001, 0.1, 1.0):
            text = said(judged(finished(k=k), epsilon), epsilon)
            sentences = " ".join(str(v) for name, v in text.items() if name != "badge")
            assert "sin Θ" not in sentences
            assert all(float(a) <= 90 for a in re.findall(r"([\d.]+)°", sentences))
    assert "‖sin\u00a0Θ‖_F" in SUBTITLES["sin"]


def test_chance_is_a_right_angle_in_high_dimension():
    assert chance_angle(2, 1) == pytest.approx(45, abs=5)
    assert chance_angle(1000, 1) == pytest.approx(90, abs=3)


# --- ε needed, and what a page has no time for ---


def test_epsilon_needed_is_called_about_below_29_releases():
    few, enough = (measured(begun(), GAUSSIAN, trials) for trials in (28, 29))
    first, second = (said(study, 0.1)["ladder_sub"] for study in (few, enough))
    assert first.startswith("About **ε")
    assert "confidence" not in first
    assert second.startswith("**ε")
    assert "keeps 90\u00a0% in 9 of 10 releases (95\u00a0% confidence)" in second


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


# --- Explore and Compare say the same ---


@cache
def compared(mechanisms):
    asked = Asked(
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
    comparison = Comparison(load_key("rand"), asked, Memory())
    while not comparison.complete:
        comparison.advance(1)
    return comparison


def test_both_pages_need_the_same_epsilon():
    study, comparison = finished(rivals=FEW), compared(FEW)
    content = Compared(comparison, 0.9).payload("x", 0.1, None)
    explored = payload(
        "x", study.dataset, study, epsilon=0.1, target=0.9, pictures=None, public=False
    )
    here = {m["key"]: m["needed_text"] for m in explored["mechanisms"]}
    there = {line["key"]: line["needed"] for line in content["lines"]}
    assert {k: v.replace(" up to ε\u00a0=\u00a0100", "") for k, v in here.items()} == there
    for i, answer in enumerate(content["answers"]):
        able = re.search(r"(\d+|none) of 4 ", answer)
        if able:
            assert f"{able.group(1)} of 4 mechanisms" in explored["texts"][i]["ladder"]


def test_both_pages_show_how_well_a_median_is_known():
    study, comparison = finished(rivals=FEW), compared(FEW)
    line = Compared(comparison, 0.9).payload("x", 0.1, None)["lines"][0]
    low, high = map(int, re.search(r"\((\d+)–(\d+)", line["at"][at(0.1)]["interval"]).groups())
    text = said(study, 0.1)["dots_sub"]
    first, last = map(int, re.search(r"interval (\d+)–(\d+)", text).groups())
    assert max(low, first) <= min(high, last)
    assert re.fullmatch(r"\(0\.\d\d–0\.\d\d\)", line["at"][at(0.1)]["sin_interval"])


def test_one_rule_says_which_mechanisms_are_usual():
    assert ",".join(m.key for m in usual()) == compare_settings.USUAL
    assert compare_settings.CompareSettings().keys == tuple(m.key for m in usual())


def test_random_directions_differ_with_k():
    asked = replace(compared(FEW).asked, axis="k", trials=2, mechanisms=(GAUSSIAN,))
    drawn = Compared(Comparison(load_key("rand"), asked, Memory()), 0.9).payload("x", 1.0, None)
    assert drawn["random"]["sin"][:3] == pytest.approx(
        [random_baseline(load_key("rand").problem(k)).sin_theta for k in (1, 2, 3)]
    )


# --- Noise has two names ---


def test_noise_per_entry_is_one_number_everywhere():
    comparison = compared(FEW)
    line = Compared(comparison, 0.9).payload("x", 0.1, None)["lines"][0]
    assert line["at"][at(0.1)]["noise"] == "36 people"
    problem = load_key("rand").problem(2)
    assert noise_per_entry(GAUSSIAN, problem, Budget(0.1, 1e-6), "people") == "36 people"
    assert noise_per_entry(MECHANISMS["ppca"], problem, Budget(0.1), "people") == "none added"
    for name in ("kept", "noise", "spectrum"):
        assert "spectral norm" not in SUBTITLES[name] or "largest effect" in SUBTITLES[name]
    assert {"noise per entry", "noise norm"} <= TERMS.keys()


NOISY = [m.key for m in MECHANISMS.values() if m.publishes_matrix and m.key != "non_private"]


@pytest.mark.parametrize("key", NOISY)
def test_noise_per_entry_is_the_deviation_of_the_diagonal(key):
    """Of 4,000 releases at d = 3: within 10 %, five standard errors of the heaviest tail."""
    mechanism = MECHANISMS[key]
    problem, budget = load_key("wine").problem(1), Budget(0.5, 1e-3)
    small = type(problem).from_moment(problem.moment[:3, :3], problem.n, 1)
    drawn = mechanism.release(small, budget, np.random.default_rng(1), 4000, keep="moment")
    entries = np.diagonal(drawn.moment, axis1=1, axis2=2)
    assert entries.std(axis=0).mean() == pytest.approx(
        mechanism.entry_noise(small, budget), rel=0.1
    )


@pytest.mark.parametrize(
    ("changes", "mechanism", "title"),
    [
        ({}, "gaussian", "Download a private release"),
        ({}, "ppca", "Download a private release"),
        ({"private": False}, "gaussian", "Download a release: not private"),
        ({}, "non_private", "Download a release: not private"),
        ({}, "wishart_sn", "Download a release: not private"),
        ({}, "ppca_gibbs", "Download a release: not private"),
    ],
)
def test_a_private_release_is_offered_only_where_one_is_made(changes, mechanism, title):
    data = replace(load_key("wine"), **changes)
    view = ExploreQuery(
        MECHANISMS[mechanism], 2, 1e-6, float(data.people), Adjacency.ADD_OR_REMOVE_ONE, 0
    )
    study = Study(data, view, ())
    study.first_paint(at(0.1))
    found = payload("x", data, study, epsilon=0.1, target=0.9, pictures=None, public=False)
    assert found["take_away"]["title"] == title
    assert ("reloading" in found["take_away"]["text"]) == (mechanism == "ppca")
    private = terms(data, view.mechanism, 2, study.budget(0.1)).private
    assert private == (title == "Download a private release")
