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
from tests.ui.explore.answers import GAUSSIAN, at, begun, finished, judged, said
from ui.explore.reliability_measurements import chance_angle
from ui.explore.reliability_text import span_verdict


def test_panels_do_not_contradict_the_headline():
    """Of k = 3 at ε = 0.5 half of the releases are within 14°, but not 9 of 10 within 18°."""
    for epsilon in (0.1, 0.5):
        text = said(judged(finished(k=3), epsilon), epsilon)
        assert text["sin"].startswith("The subspace as a whole is lost: 1 in 10 releases may be")
        assert text["noise"].endswith("directions 3 and 4 can mix")
        assert text["spectrum"].endswith("but direction 3 itself is lost")
    text = said(judged(finished(k=2), 0.5), 0.5)
    assert re.match(r"The plane stays: 9 of 10 releases are within [5-8]", text["sin"])
    assert text["noise"].endswith("directions 2 and 3 stay apart")
    average = said(judged(finished("wine", k=1), 100.0), 100.0)
    assert "A private mean" in average["smooth_sensitivity"]


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
    level = Reliability.RELIABLE if bound and bound >= 0.95 else Reliability.RECOGNISABLE
    level = level if bound and bound >= 0.85 else Reliability.LOST
    known = Reliabilities(found, level, bound, ordered=True, trials=1000)
    assert span_verdict(known, "plane") == text


@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_angles_said_are_those_of_the_releases(k):
    """The same releases, with angles found another way; all are of one seed."""
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


@pytest.mark.chance(1e-7)
@pytest.mark.parametrize("k", [2, 3])
def test_before_the_angles_are_known_only_what_follows_is_said(k):
    """A bound from 20 releases: 0.55 ± 0.09 or 0.76 ± 0.06 of the median of 1000, for 40 seeds."""
    study = begun(k=k)
    study.first_paint(at(0.1))
    least = re.search(r"by (\d+)° or more \(a lower bound", said(study, 0.1)["sin"])
    true = np.nanmedian(judged(finished(k=k), 0.1).reliability.at(at(0.1)).angles)
    assert 0.1 * true < float(least[1]) < true + 2


def test_no_sentence_gives_a_norm_as_an_angle():
    for epsilon in (0.001, 0.1, 1.0):
        text = said(judged(finished(k=3), epsilon), epsilon)
        sentences = " ".join(str(v) for name, v in text.items() if name != "badge")
        assert "sin Θ" not in sentences
        assert all(float(a) <= 90 for a in re.findall(r"([\d.]+)°", sentences))
