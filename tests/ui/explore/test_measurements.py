"""Explore measures in slices, coarse before fine: in which order, how much at once, how far."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from streamlit.runtime.scriptrunner import RerunData
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequest, ScriptRequests

from dpca_core import MECHANISMS, Budget
from dpca_core.analysis.needed import EpsilonNeeded
from dpca_core.data.dataset import Dataset
from dpca_core.mechanisms.registry import shown_by_default
from dpca_core.simulation.trials import TrialDraws, TrialMetrics, run_trials
from sample_data import CATALOGUE, load_key
from tests.ui.explore.answers import FEW, GAUSSIAN, begun, plain, study_of
from tests.ui.server.processes import Clock
from ui.explore import calibrations, disclosures, measurement_tasks, measurements
from ui.explore.first_release import measured_first
from ui.explore.measurement_plan import COARSE, FEW_TRIALS, FIRST_TRIALS, planned
from ui.explore.measurement_tasks import MeasurementTask, Pace
from ui.explore.measurements import BAND_TRIALS, BUSY_TRIALS, CHOSEN_TRIALS, Study
from ui.explore.progress import progress_of
from ui.server import refinement, scheduler
from ui.state.slider_stops import EPSILON_STOPS

WIDE = 401
DEFAULTS = shown_by_default()


def wide_plan(bands_early=False):
    chosen, *others = DEFAULTS
    return planned(chosen, others, Pace(WIDE), 9, bands_early)


def at(plan, key, releases):
    """Where in a plan a mechanism has at least so many releases at every ε."""
    done = np.zeros((len(EPSILON_STOPS), CHOSEN_TRIALS), dtype=bool)
    for place, task in enumerate(plan):
        if task.mechanism.key == key:
            done[np.ix_(task.points, task.trials)] = True
        if done[:, :releases].all():
            return place
    raise AssertionError(f"{key} has fewer than {releases} releases")


def block_of(points, trials, value):
    """Releases that all keep one share."""
    block = np.full((len(points), len(trials)), value)
    return TrialMetrics(block, block, block, block < 0, ("",) * len(points))


def entered(study, key, points, trials, value):
    study.measured[key].enter(points, trials, block_of(points, trials, value))


@pytest.mark.parametrize("bands_early", [True, False])
def test_every_mechanism_is_measured_coarsely_before_any_is_refined(bands_early):
    plan, seen = wide_plan(bands_early), set()
    for task in plan:
        if task.trials.stop > FEW_TRIALS or not set(task.points) <= {9, *COARSE}:
            break
        seen |= {(task.mechanism.key, i, t) for i in task.points for t in task.trials}
    keys = {m.key for m in DEFAULTS}
    assert seen == {(k, i, t) for k in keys for i in {9, *COARSE} for t in range(FEW_TRIALS)}


def test_the_chosen_mechanism_is_first_and_slow_samplers_are_last():
    first = list(dict.fromkeys(task.mechanism.key for task in wide_plan()))
    assert first[0] == DEFAULTS[0].key
    assert first[-2:] == ["ppca", "ppca_sequential"]
    assert first.index("power") < first.index("laplace"), "no eigendecomposition each"
    early, late = wide_plan(bands_early=True), wide_plan(bands_early=False)
    assert at(early, "gaussian", BAND_TRIALS) < at(early, "power", FIRST_TRIALS)
    assert at(late, "ppca_sequential", FIRST_TRIALS) < at(late, "gaussian", BAND_TRIALS)
    for plan in (early, late):
        assert at(plan, "ppca_sequential", FIRST_TRIALS) < at(plan, "gaussian", CHOSEN_TRIALS)


def test_a_wide_table_has_all_curves_after_a_few_hundred_releases(monkeypatch):
    """Of 14,600 in all: whatever a release takes, the first curves of all take 3 % of it."""
    rows = np.random.default_rng(0).standard_normal((50, WIDE)) / 40
    columns = tuple(f"c{j}" for j in range(WIDE))
    study = study_of(Dataset("wide", "Wide", "Wide", rows, columns), rivals=DEFAULTS)
    asked: list[tuple[str, int]] = []

    def instantly(found, points):
        asked.append((found.mechanism.key, len(points) * len(found.trials)))
        return block_of(points, found.trials, 0.5)

    monkeypatch.setattr(measurements, "run_trials", instantly)
    monkeypatch.setattr(measurements, "noise_norms", lambda found, d: None)
    study.first_paint(12)
    while not study.has_all_curves:
        study.advance(60.0, should_yield=lambda: True)
    released = sum(size for key, size in asked if key != "gaussian")
    assert released <= len({12, *COARSE}) * FEW_TRIALS * (len(DEFAULTS) - 1)
    assert study.chosen.done[:, 0].any()
    assert study.chosen.trials() <= FIRST_TRIALS
    assert not study.complete


def wine(rival="laplace"):
    return begun("wine", rivals=(MECHANISMS[rival],))


def test_a_busy_server_paints_fewer_stops_but_the_chosen_one():
    usual, busy = wine(), wine()
    usual.first_paint(8)
    busy.first_paint(8, busy=True)
    assert usual.chosen.done[::2, :FIRST_TRIALS].all()
    assert busy.chosen.done[::6, :BUSY_TRIALS].all()
    assert busy.chosen.done[8, :BUSY_TRIALS].all()
    assert not busy.chosen.done[:, BUSY_TRIALS:].any()
    assert busy.chosen.done.any(axis=1).sum() < usual.chosen.done.any(axis=1).sum()
    both = busy.chosen.done & usual.chosen.done
    assert busy.chosen.captured[both] == pytest.approx(usual.chosen.captured[both], abs=1e-6)


@pytest.mark.parametrize("busy", [True, False])
def test_a_stop_that_is_not_measured_is_once_the_rule_is_there(busy):
    study = wine()
    study.first_paint(6, busy)
    before = study.chosen.done.copy()
    assert not before[9].any()
    study.first_paint(9, busy)
    more = study.chosen.done & ~before
    assert more.sum() == more[9].sum() == (BUSY_TRIALS if busy else FIRST_TRIALS)
    assert study.stage == 1, "a refinement has not come"


def test_the_epsilon_needed_follows_what_is_measured():
    """As many numbers, but at other points: seven points of 40 releases, fourteen of twenty."""
    study = begun("wine")
    assert study.epsilon_needed(GAUSSIAN, 0.9) is None, "nothing is measured"
    first, seventh = EPSILON_STOPS[14], EPSILON_STOPS[7]
    entered(study, "gaussian", range(14, 21), range(40), 1.0)
    assert study.epsilon_needed(GAUSSIAN, 0.9) == EpsilonNeeded(first, True, first, 40)
    entered(study, "gaussian", range(7, 14), range(20), 1.0)
    assert study.epsilon_needed(GAUSSIAN, 0.9) == EpsilonNeeded(seventh, False, seventh, 20)


def test_a_refinement_is_one_piece_where_others_wait():
    study = wine()

    def releases():
        return sum(int(measured.done.sum()) for measured in study.measured.values())

    study.advance(60.0, should_yield=lambda: True)
    assert study.chosen.done[:, 0].any()
    assert not study.chosen.done[:, 0].all()
    assert not study.measured["laplace"].begun
    before, stage = releases(), study.stage
    study.advance(60.0, should_yield=lambda: True)
    assert 0 < releases() - before < study.chosen.done.size / 10
    assert study.stage == stage + 1


def test_a_piece_shrinks_until_it_takes_no_longer_than_it_may(monkeypatch):
    """By a clock by which a release takes 10 ms, eight times what is feared at first, then 1 ms.

    Another study of as many columns knows that; one of another number does not.
    """
    clock, pace = Clock(), Pace(20)
    monkeypatch.setattr(measurement_tasks, "perf_counter", clock)
    whole, sizes = MeasurementTask(MECHANISMS["smooth_gaussian"], range(5), range(30)), []
    for milliseconds in [10] * 3 + [1] * 40:
        piece, rest = pace.take_slice(whole)
        assert [*piece.points, *rest.points] == list(whole.points)
        sizes.append(len(piece.points))
        with pace.timed(piece):
            clock.now += milliseconds / 1000 * len(piece.trials) * len(piece.points)
    assert sizes[0] > 1
    assert sizes[1:4] == [1, 1, 1]
    fitting = int(measurement_tasks.TASK_SECONDS / (0.001 * len(whole.trials)))
    assert sizes[-1] in (fitting - 1, fitting)
    for columns, expected in ((20, sizes[-1]), (21, len(Pace(21).take_slice(whole)[0].points))):
        other = Pace(columns)
        other.learn_from(pace)
        assert abs(len(other.take_slice(whole)[0].points) - expected) <= 1


def test_what_a_rival_promises_is_found_in_short_slices_too(monkeypatch):
    """With a clock by which a guarantee takes 20 ms: three at a time, all before any release."""
    clock, ppca, asked = Clock(), MECHANISMS["ppca"], list[float]()
    plainly = type(ppca).guarantee

    def slowly(mechanism, problem, budget):
        if mechanism is ppca:
            clock.now += 0.02
            asked.append(budget.epsilon)
        return plainly(mechanism, problem, budget)

    rival, expected = wine("ppca"), wine("ppca").calibrations.guarantees(ppca)
    monkeypatch.setattr(calibrations, "perf_counter", clock)
    monkeypatch.setattr(refinement, "perf_counter", clock)
    monkeypatch.setattr(type(ppca), "guarantee", slowly)
    while not rival.measured["ppca"].begun:
        before = len(asked)
        rival.advance(0.01)
        assert len(asked) - before <= 3
    assert asked == [*EPSILON_STOPS]
    assert rival.calibrations.guarantees(ppca) == expected


def test_a_refinement_is_short_once_its_own_visitor_has_moved(monkeypatch):
    assert not scheduler.superseded(), "outside a server nobody moves"
    requests = ScriptRequests()
    monkeypatch.setattr(
        scheduler, "get_script_run_ctx", lambda: SimpleNamespace(script_requests=requests)
    )
    assert not scheduler.should_yield()
    assert requests.request_rerun(RerunData(fragment_id_queue=["one"]))
    assert scheduler.should_yield()
    assert isinstance(requests.on_scriptrunner_ready(), ScriptRequest)
    assert not scheduler.should_yield()


@pytest.mark.parametrize("key", ["gaussian", "wishart", "ppca_sequential"])
def test_the_first_release_of_a_wide_table_is_what_all_others_are(key):
    points = [load_key("digits").point(3, None, Budget(e, 1e-6)) for e in (0.5, 5.0)]
    whole = run_trials(TrialDraws(MECHANISMS[key], 0, range(2)), points)
    for many in (1, 2):
        draws = TrialDraws(MECHANISMS[key], 0, range(2))
        found = measured_first(draws, points[:many])
        for name in ("captured", "sin_theta"):
            ours, theirs = getattr(found, name), getattr(whole, name)[:many]
            assert ours.shape == (many, 2)
            np.testing.assert_allclose(ours, theirs, atol=1e-5)
        assert np.array_equal(found.refused, whole.refused[:many])
        assert found.notes == ("",) * many


def test_a_very_wide_table_is_answered_after_one_release(monkeypatch):
    """At the chosen ε alone and without norms, though the time of thirty is a multiple of that."""
    study = begun("digits", rivals=DEFAULTS)
    clock, asked = [0.0], list[list[Any]]()

    def slowly(measure):
        def measured(draws, points):
            clock[0] += 1.0
            asked.append(points)
            return measure(draws, points)

        return measured

    monkeypatch.setattr(measurements, "expected_seconds", lambda d: 0.34)
    monkeypatch.setattr(measurements, "perf_counter", lambda: clock[0])
    monkeypatch.setattr(measurements, "measured_first", slowly(measured_first))
    monkeypatch.setattr(study.pace, "_solve", 0.34)
    study.first_paint(9)
    assert asked == [[study.points[9]]]
    assert np.flatnonzero(study.chosen.done.any(axis=1)).tolist() == [9]
    assert np.isnan(study.chosen.norms).all()


def test_what_clipping_does_is_found_once_and_not_before_the_first_answer(monkeypatch):
    data, asked = CATALOGUE["rand"].make(), list[int]()
    monkeypatch.setattr(disclosures, "clipping", lambda data, problem: asked.append(problem.k))
    for heavy, k in ((True, 2), (False, 3)):
        monkeypatch.setattr(disclosures, "is_heavy", lambda d, heavy=heavy: heavy)
        study = study_of(data, k=k)
        study.first_paint(9)
        disclosures.disclosure_checklist(study)
        assert (k in asked) is not heavy, "of narrow tables at once"
        study.advance(0.0)
        for _ in range(2):
            disclosures.disclosure_checklist(study)
        assert asked.count(k) == 1


def test_mechanisms_with_a_curve_are_counted_and_the_last_ones_named(monkeypatch):
    monkeypatch.setattr(Study, "seconds_left", 7.0)
    study, alone = begun(rivals=FEW), begun()
    assert progress_of(study)["waiting"] == [m.name for m in FEW]
    for key, said in (
        (None, "Measured 0 of 4 mechanisms"),
        ("gaussian", "Measured 1 of 4 mechanisms"),
        ("laplace", "2 of 4 mechanisms, not yet Wishart difference and Smooth Gaussian"),
    ):
        if key:
            entered(study, key, list(COARSE), range(1), 0.5)
        assert f"{said}; about 7 s left" in plain(progress_of(study)["text"])
        assert not progress_of(study)["complete"]
    assert progress_of(alone)["text"].startswith("Measuring")


def test_the_share_never_falls_and_ends_at_one():
    study = begun("wine", rivals=FEW[:2])
    shares = [progress_of(study)["share"]]
    while not study.complete:
        assert study.seconds_left > 0
        study.advance(0.1)
        shares.append(progress_of(study)["share"])
    assert shares == sorted(shares)
    assert shares[0] == 0 < shares[1] < 1
    assert study.seconds_left == pytest.approx(0, abs=1e-9)
    done = {"share": 1.0, "text": "", "complete": True, "waiting": []}
    assert progress_of(study) == done
