"""Explore measures in slices: coarse while the server is busy, and the same in the end."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from streamlit.runtime.scriptrunner import RerunData
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequest, ScriptRequests

from dpca_core import MECHANISMS, Adjacency
from dpca_core.analysis.needed_epsilon_and_people import EpsilonNeeded
from dpca_core.data.dataset import Dataset
from sample_data import load_key
from tests.ui.server.clock import Clock
from ui.explore import calibrations, measurement_tasks
from ui.explore.measurement_tasks import MeasurementTask, Pace
from ui.explore.measurements import BUSY_TRIALS, FIRST_TRIALS, Study
from ui.explore.query import ExploreQuery
from ui.server import refinement, scheduler
from ui.state.slider_stops import EPSILON_STOPS


def study_of(data: Dataset, rival: str = "laplace") -> Study:
    view = ExploreQuery(
        MECHANISMS["gaussian"], 2, 1e-6, float(data.people), Adjacency.ADD_OR_REMOVE_ONE, 0
    )
    return Study(data, view, (MECHANISMS[rival],))


@pytest.fixture(scope="module")
def wine() -> Dataset:
    return load_key("wine")


def test_a_busy_server_paints_fewer_stops_but_the_chosen_one(wine: Dataset) -> None:
    index = 8
    usual, busy = study_of(wine), study_of(wine)
    usual.first_paint(index)
    busy.first_paint(index, busy=True)
    assert usual.chosen.done[::2, :FIRST_TRIALS].all()
    assert busy.chosen.done[::6, :BUSY_TRIALS].all()
    assert busy.chosen.done[index, :BUSY_TRIALS].all()
    assert not busy.chosen.done[:, BUSY_TRIALS:].any()
    assert busy.chosen.done.any(axis=1).sum() < usual.chosen.done.any(axis=1).sum()
    both = busy.chosen.done & usual.chosen.done
    assert busy.chosen.captured[both] == pytest.approx(usual.chosen.captured[both], abs=1e-6)


@pytest.mark.parametrize("busy", [True, False])
def test_a_stop_that_is_not_measured_is_once_the_rule_is_there(wine: Dataset, busy: bool) -> None:
    study = study_of(wine)
    study.first_paint(6, busy)
    before = study.chosen.done.copy()
    assert not before[9].any()
    study.first_paint(9, busy)
    more = study.chosen.done & ~before
    assert more.sum() == more[9].sum() == (BUSY_TRIALS if busy else FIRST_TRIALS)
    assert study.stage == 1, "a refinement has not come"


def test_the_epsilon_needed_follows_what_is_measured(wine: Dataset) -> None:
    """As many numbers, but at other points: seven points of 40 releases, fourteen of twenty."""
    study = study_of(wine)

    def enter(points: range, trials: range, captured: float) -> EpsilonNeeded | None:
        block = np.full((len(points), len(trials)), captured)
        found = SimpleNamespace(
            captured=block,
            sin_theta=block,
            refused=block < 0,
            notes=[""] * len(points),
            errors=np.zeros((2, *block.shape)),
        )
        study.chosen.enter(points, trials, found)  # type: ignore[arg-type]
        return study.epsilon_needed(study.query.mechanism, 0.9)

    assert study.epsilon_needed(study.query.mechanism, 0.9) is None, "nothing is measured"
    first, seventh = EPSILON_STOPS[14], EPSILON_STOPS[7]
    assert enter(range(14, 21), range(40), 1.0) == EpsilonNeeded(first, True, first, 40)
    assert enter(range(7, 14), range(20), 1.0) == EpsilonNeeded(seventh, False, seventh, 20)


def releases_of(study: Study) -> int:
    return sum(int(measured.done.sum()) for measured in study.measured.values())


def test_a_refinement_is_one_piece_where_others_wait(wine: Dataset) -> None:
    study = study_of(wine)
    study.advance(60.0, should_yield=lambda: True)
    first = study.chosen.done.copy()
    assert first[:, 0].any()
    assert not first.all()
    assert not study.measured["laplace"].begun
    while not study.measured["laplace"].begun:
        study.advance(60.0, should_yield=lambda: True)
    assert not study.measured["laplace"].done[::2].all()
    before, stage = releases_of(study), study.stage
    study.advance(60.0, should_yield=lambda: True)
    added = releases_of(study) - before
    assert 0 < added < study.chosen.done.size / 10
    assert study.stage == stage + 1


def test_a_piece_shrinks_until_it_takes_no_longer_than_it_may(monkeypatch: Any) -> None:
    """By a clock by which a release takes 10 ms, eight times what is feared at first, then 1 ms."""
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


def test_what_releases_take_is_known_from_a_study_of_as_many_columns(monkeypatch: Any) -> None:
    clock, before = Clock(), Pace(20)
    monkeypatch.setattr(measurement_tasks, "perf_counter", clock)
    whole = MeasurementTask(MECHANISMS["smooth_gaussian"], range(5), range(30))
    with before.timed(whole):
        clock.now += measurement_tasks.TASK_SECONDS / 2
    for columns, points in ((20, 30), (21, len(Pace(21).take_slice(whole)[0].points))):
        pace = Pace(columns)
        pace.learn_from(before)
        piece, _ = pace.take_slice(whole)
        assert len(piece.points) == points
    assert points < 30


def test_what_a_rival_promises_is_found_in_short_slices_too(
    wine: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a clock by which a guarantee takes 20 ms: three at a time, all before any release."""
    clock, ppca = Clock(), MECHANISMS["ppca"]
    asked: list[float] = []
    plainly = type(ppca).guarantee

    def slowly(mechanism: Any, problem: Any, budget: Any) -> Any:
        if mechanism is ppca:
            clock.now += 0.02
            asked.append(budget.epsilon)
        return plainly(mechanism, problem, budget)

    rival = study_of(wine, "ppca")
    plain = study_of(wine, "ppca").calibrations.guarantees(ppca)
    monkeypatch.setattr(calibrations, "perf_counter", clock)
    monkeypatch.setattr(refinement, "perf_counter", clock)
    monkeypatch.setattr(type(ppca), "guarantee", slowly)
    while not rival.measured["ppca"].begun:
        before = len(asked)
        rival.advance(0.01)
        assert len(asked) - before <= 3
    assert asked == [*EPSILON_STOPS]
    assert rival.calibrations.guarantees(ppca) == plain


def test_what_is_measured_in_short_slices_is_the_same(
    wine: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One release at one point at a time, or many: to the last digit."""
    short, long = study_of(wine), study_of(wine)
    monkeypatch.setattr(measurement_tasks, "TASK_SECONDS", 10.0)
    while not long.complete:
        long.advance(60.0)
    monkeypatch.setattr(measurement_tasks, "TASK_SECONDS", 0.0)
    while not short.complete:
        short.advance(60.0, should_yield=lambda: True)
    for mine, other in zip(short.measured.values(), long.measured.values(), strict=True):
        assert (mine.captured == other.captured).all()
        assert (mine.sin_theta == other.sin_theta).all()
        assert (mine.norms == other.norms).all()


def test_a_refinement_is_short_once_its_own_visitor_has_moved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    requests = ScriptRequests()
    monkeypatch.setattr(
        scheduler, "get_script_run_ctx", lambda: SimpleNamespace(script_requests=requests)
    )
    assert not scheduler.should_yield()
    assert requests.request_rerun(RerunData(fragment_id_queue=["one"]))
    assert scheduler.should_yield()
    assert isinstance(requests.on_scriptrunner_ready(), ScriptRequest)
    assert not scheduler.should_yield()


def test_outside_a_server_nobody_moves() -> None:
    assert not scheduler.superseded()
