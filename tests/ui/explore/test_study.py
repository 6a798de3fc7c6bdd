"""What Explore measures: the same releases in every view, reliability in time, what is needed."""

from dataclasses import replace

import numpy as np
import pytest

from dpca_core import Budget
from dpca_core.analysis.needed import EpsilonNeeded
from dpca_core.analysis.reliability import Reliability
from dpca_core.data.clipping import to_length_one
from dpca_core.data.recipe import RowLength
from dpca_core.mechanisms.registry import shown_by_default
from dpca_core.simulation.curves import FIRST, RELEASES
from sample_data import load_key
from tests.ui.explore.studies import (
    FEW,
    GAUSSIAN,
    at,
    begun,
    few,
    finished,
    judged,
    study_of,
    summary_of,
    with_shares,
)
from ui.explore.medians import Medians
from ui.explore.one import bands_of
from ui.explore.study import Study
from ui.state.slider_stops import EPSILON_STOPS


def test_another_mechanism_or_view_goes_on_where_the_one_before_ended():
    first, known = finished(rivals=FEW[:2]), {}
    for mechanisms in (FEW[:2], FEW[1::-1]):
        study = Study(first.dataset, first.asked, mechanisms, known)
        assert study.curves.chosen is known[mechanisms[0]]
    asked = replace(first.asked, epsilon=3.0)
    assert asked.digest(first.dataset) == first.asked.digest(first.dataset)
    assert replace(asked, k=3).digest(first.dataset) != asked.digest(first.dataset)


def test_reliability_is_no_part_of_the_first_answer_and_comes_before_the_rivals():
    study = begun(rivals=FEW)
    study.first_answer(at(0.1))
    assert study.reliability.at(at(0.1)) is None
    while study.reliability.at(at(0.1)) is None:
        assert not study.complete
        study.advance(lambda: True)  # a longer slice may go on with the rivals
    laplace = next(x for x in study.curves.lines if x.mechanism.key == "laplace")
    assert laplace.everywhere == 0
    assert len(study.reliability.at(at(0.1)).angles) == 1000


def test_a_refinement_is_one_step_where_others_wait_and_all_ends():
    study = begun("wine", rivals=FEW[:1], trials=FIRST)
    while not study.curves._find_guarantees(study.curves.chosen):
        pass
    study.advance(lambda: True)
    done = study.curves.chosen.done
    assert 0 < done.sum() < len(EPSILON_STOPS) * RELEASES / 10
    assert study.stage == 1
    while not study.complete:
        assert study.progress["progress"]
        study.advance()
    assert study.progress == {"share": 1, "complete": True, "progress": "", "stage": study.stage}


def test_the_epsilon_needed_follows_what_is_measured_as_often_for_all():
    """As many numbers, but at other points: seven points of 40 releases, fourteen of twenty."""
    study = begun("wine")
    line = study.curves.chosen
    assert study.needed(line, 0.9) is None, "nothing is measured"
    first, seventh = EPSILON_STOPS[14], EPSILON_STOPS[7]
    with_shares(study, "gaussian", 1.0, 40, range(14, 21))
    assert study.needed(line, 0.9) == EpsilonNeeded(first, True, first, 40)
    with_shares(study, "gaussian", 1.0, 20, range(7, 14))
    assert study.needed(line, 0.9) == EpsilonNeeded(seventh, False, seventh, 20)
    # Where the others have 40 at most, the chosen one's 200 would make it seem to need less.
    study = study_of(load_key("digits"), rivals=shown_by_default(), k=3)
    with_shares(study, "gaussian", 1.0, RELEASES)
    fewest = min(study.curves.trials.values())
    assert study.needed(study.curves.chosen, 0.9).releases == fewest < RELEASES


def test_one_draw_of_a_private_mean_gives_no_confidence():
    """All releases measured share it: their order says nothing of another draw."""
    study = study_of(replace(load_key("rand"), mean_share=0.1), trials=60)
    with_shares(study, "gaussian", 1.0, 60)
    assert not study.needed(study.curves.chosen, 0.9).certain
    assert not study.people_needed(0.9, at(0.1)).certain


def test_directions_are_judged_by_the_truth_with_a_mean_for_each_release():
    """900 people whose centre is paid for: too few for it."""
    rand, index = load_key("rand"), at(0.5)
    rows = rand.rows[np.random.default_rng(0).permutation(len(rand.rows))[:900]]
    study = study_of(replace(rand, key="", rows=rows, people=900, mean_share=0.05), k=1)
    study.first_answer(index)
    found = judged(study, 0.5).reliability.at(index)
    assert found.directions.directions[0].level is Reliability.LOST
    assert np.median(found.angles) > 45
    assert np.nanmedian(study.curves.chosen.sin_theta[index]) > np.sin(np.radians(45))


def test_what_length_1_costs_is_known_before_any_noise():
    rand = load_key("rand")
    one = {"row_length": RowLength.ONE, "rows": to_length_one(rand.rows)}
    study = study_of(replace(rand, key="", at_most_r=rand.moment, **one))
    study.first_answer(at(1.0))
    assert summary_of(study).ceiling == pytest.approx(0.9977, abs=5e-5)
    assert np.nanmax(study.curves.chosen.captured) <= summary_of(study).ceiling + 2e-3
    assert summary_of(study_of(rand)).ceiling == pytest.approx(1.0)


def test_the_epsilon_where_noise_and_gap_are_equal_lies_between_stops():
    summary = summary_of(few(trials=20))
    noise, epsilon = summary.chosen.noise, summary.epsilon_where_noise_equals_gap()
    assert summary.gap == pytest.approx(128.6, abs=0.1)
    tau = GAUSSIAN.calibrate(load_key("rand").problem(2), Budget(0.1, 1e-6)).scale
    assert noise[at(0.1)] == pytest.approx(tau * np.sqrt(2 * 19), rel=0.12)
    assert noise[at(0.15)] > summary.gap > noise[at(0.2)]
    assert 0.15 < epsilon < 0.2
    assert summary_of(few("power", 2)).epsilon_where_noise_equals_gap() is None


def test_bands_hold_their_share_and_where_most_is_refused_there_is_no_median():
    line = finished().curves.chosen
    bands = bands_of(Medians(line, None), "captured")
    values = line.captured[at(0.05)]
    for share, band in zip((95, 80, 50), bands, strict=True):
        assert f"{share} % of releases" in band.name
        inside = (values >= band.low[at(0.05)] - 1e-9) & (values <= band.high[at(0.05)] + 1e-9)
        assert inside.mean() >= share / 100 - 0.011
    assert bands_of(Medians(few(trials=20).curves.chosen, None), "captured") == []
    medians = Medians(few("gap_release", 30).curves.chosen, None)
    assert medians.refusals[at(0.1)] > 0.9
    assert np.isnan(medians.captured[at(0.1)])
    assert np.isfinite(medians.captured[at(100.0)])
    assert not Medians(few("gaussian", 1, delta=0.0).curves.chosen, None).drawn.any()
