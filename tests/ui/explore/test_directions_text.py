"""What Explore says of angles and directions: one story, of the releases themselves."""

import re

import numpy as np
import pytest

from dpca_core import Budget
from dpca_core.analysis.reliability import DirectionReliability, Reliabilities, Reliability
from dpca_core.linalg.symmetric import top_basis
from dpca_core.metrics import principal_angles
from dpca_core.simulation.draws import TrialDraws
from sample_data import load_key
from tests.ui.explore.answers import GAUSSIAN, at, begun, finished, said
from ui.explore.chart_words import SUBTITLES
from ui.explore.reliability_measurements import chance_angle
from ui.explore.reliability_text import span_verdict


def judged(study, *epsilons):
    """The same, with reliability known at these stops."""
    for index in map(at, epsilons):
        study.first_paint(index)
        while study.reliability.at(index) is None:
            study.advance(0.05)
    return study


def test_the_headline_says_which_directions_survive():
    study = judged(finished(), 0.05, 0.1, 0.2, 1.0)
    assert "but only direction\u00a01 is recognisable" in said(study, 0.1)["answer"]
    for epsilon in (0.2, 1.0):
        assert "but" not in said(study, epsilon)["answer"]
    assert "but no direction is recognisable" in said(study, 0.05)["answer"]


def test_a_span_is_judged_where_directions_come_in_no_order():
    assert ", but the plane is lost" in said(judged(finished(key="power"), 0.1), 0.1)["answer"]


def test_a_first_direction_that_is_the_average_is_called_so():
    text = said(judged(finished("wine", k=1), 100.0), 100.0)
    assert "direction\u00a01 is mostly the average" in text["answer"]
    assert "A private mean" in text["smooth_sensitivity"]
    assert "average" not in said(finished(), 1.0)["answer"]


def test_three_directions_tell_one_story():
    text = said(judged(finished(k=3), 0.1), 0.1)
    assert re.search(r"keeps \*\*9[78]\u00a0%\*\*", text["answer"])
    assert "but only direction\u00a01 is recognisable" in text["answer"]
    assert text["sin"] == (
        "The subspace as a whole is lost: 1 in 10 releases may be off by more than 79°"
    )
    assert re.fullmatch(
        r"Noise 21\d\u00a0people, gap 17.4: directions 3 and 4 can mix", text["noise"]
    )
    assert text["spectrum"] == (
        "Directions 3 and 4 carry nearly the same variation: mixing them changes little of what "
        "is kept, but direction 3 itself is lost"
    )
    for word in ("swallow", "a little", "stays put"):
        assert word not in " ".join(map(str, text.values()))


def test_panels_do_not_contradict_the_headline():
    """At ε = 0.5 half of the releases are within 14°, but not 9 of 10 within 18°."""
    text = said(judged(finished(k=3), 0.5), 0.5)
    assert "but only directions\u00a01 and 2 are reliable" in text["answer"]
    assert re.fullmatch(
        r"The subspace as a whole is lost: 1 in 10 releases may be off by more than 40°",
        text["sin"],
    )
    assert text["noise"].endswith("directions 3 and 4 can mix")
    assert text["spectrum"].endswith("but direction 3 itself is lost")
    text = said(judged(finished(k=2), 0.5), 0.5)
    assert "but" not in text["answer"]
    assert text["sin"].startswith("The plane stays: 9 of 10 releases are within 7°")
    assert text["noise"].endswith("directions 2 and 3 stay apart")


@pytest.mark.parametrize(
    ("bound", "text"),
    [
        (1.0, "The plane stays: 9 of 10 releases are within 0°"),
        (0.9501, "The plane stays: 9 of 10 releases are within 18.2°"),
        (0.9499, "The plane turns, but is recognisable: 9 of 10 releases are within 19°"),
        (0.8501, "The plane turns, but is recognisable: 9 of 10 releases are within 31.8°"),
        (0.8499, "The plane is lost: 1 in 10 releases may be off by more than 32°"),
        (0.8, "The plane is lost: 1 in 10 releases may be off by more than 37°"),
        (None, "The plane is lost"),
    ],
)
def test_word_and_degrees_agree(bound, text):
    found = (DirectionReliability(1, Reliability.LOST, None),) * 2
    known = Reliabilities(found, reliability_level(bound), bound, ordered=True, trials=1000)
    assert span_verdict(known, "plane") == text


def reliability_level(bound):
    """The level that a bound on a cosine has by its definition."""
    if bound is None or bound < 0.85:
        return Reliability.LOST
    return Reliability.RELIABLE if bound >= 0.95 else Reliability.RECOGNISABLE


@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_angles_said_are_those_of_the_releases(k):
    """The same releases, with angles found another way."""
    study, problem = judged(finished(k=k), 0.1), load_key("rand").problem(k)
    unit = TrialDraws(GAUSSIAN, 0, range(1000)).unit(problem.d, k)[0]
    scale = GAUSSIAN.calibrate(problem, Budget(0.1, 1e-6)).scale
    bases = top_basis(problem.moment + scale * unit, k)
    angles = np.degrees(principal_angles(problem.basis, bases)[:, -1])
    half, most = np.quantile(angles, (0.5, 0.9))
    text = said(study, 0.1)
    assert f"off by **{np.floor(half):.0f}°** or more" in text["sin_dots"]
    assert f"(chance: {chance_angle(19, k):.0f}°)" in text["sin_dots"]
    if k < 3:
        within = float(re.search(r"9 of 10 releases are within ([\d.]+)°", text["sin"])[1])
        assert most < within < most + 3  # the bound holds with confidence: a little more
        assert f"9 of 10 by no more than {within:g}°" in text["sin_dots"]


@pytest.mark.parametrize("k", [2, 3])
def test_before_the_angles_are_known_only_what_follows_is_said(k):
    study = begun(k=k)
    study.first_paint(at(0.1))
    least = float(
        re.search(
            r"half of the releases by (\d+)° or more \(a lower bound", said(study, 0.1)["sin"]
        ).group(1)
    )
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
