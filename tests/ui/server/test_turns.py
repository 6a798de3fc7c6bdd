"""Whose turn it is: answers before refinements, never more at once than there are places."""

from collections.abc import Callable
from threading import Event, Lock, Thread
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from streamlit.runtime.scriptrunner import RerunData
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequest, ScriptRequests

from dpca_core import MECHANISMS, Adjacency
from dpca_core.analysis.requirements import EpsilonNeeded
from dpca_core.data.dataset import Dataset
from sample_data import load_key
from ui.explore import measurements as explore_measurements
from ui.explore import study as study_module
from ui.explore.measurements import Pace, Piece
from ui.explore.query import View
from ui.explore.study import BUSY_FIRST, FIRST, Study
from ui.server import scheduler
from ui.server.scheduler import BUSY, LONG_WAIT, MANY_ANSWERS, MEMORY, PATIENCE, Scheduler
from ui.state.slider_stops import EPSILONS

SOON = 10.0


class Clock:
    """Seconds that pass only when a test says so."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def waiting(
    gate: Scheduler, clock: Clock, wishes: list[tuple[bool, float]], order: list[int]
) -> None:
    """Ask for turns one after another while the gate is held; note in which order they come."""
    threads, held, go = [], Event(), Event()

    def hold() -> None:
        with gate.turn(urgent=True):
            held.set()
            go.wait(SOON)

    def ask(number: int, urgent: bool) -> None:
        with gate.turn(urgent=urgent):
            order.append(number)

    threads.append(Thread(target=hold))
    threads[0].start()
    assert held.wait(SOON)
    for number, (urgent, at) in enumerate(wishes):
        clock.now = at
        before = len(gate._queue)
        threads.append(Thread(target=ask, args=(number, urgent)))
        threads[-1].start()
        until(lambda before=before: len(gate._queue) > before)  # type: ignore[misc]
    go.set()
    for thread in threads:
        thread.join(SOON)


def contended(gate: Scheduler) -> tuple[Event, list[Thread]]:
    """Hold a gate of one place until the event, while somebody else waits for it."""
    held, go = Event(), Event()

    def hold() -> None:
        with gate.turn(urgent=True):
            held.set()
            go.wait(SOON)

    def ask() -> None:
        with gate.turn(urgent=True):
            pass

    threads = [Thread(target=hold), Thread(target=ask)]
    threads[0].start()
    assert held.wait(SOON)
    threads[1].start()
    until(gate.has_waiting)
    return go, threads


def until(true: Callable[[], bool]) -> None:
    pause = Event()
    for _ in range(1000):
        if true():
            return
        pause.wait(0.01)
    pytest.fail("it did not happen within ten seconds")


def test_answers_come_before_refinements_in_the_order_of_asking() -> None:
    clock, order = Clock(), list[int]()
    wishes = [(False, 100.0), (False, 100.1), (True, 100.2), (True, 100.3)]
    waiting(Scheduler(1, clock), clock, wishes, order)
    assert order == [2, 3, 0, 1]


def test_a_refinement_is_not_put_off_for_ever() -> None:
    clock, order = Clock(), list[int]()
    wishes = [(False, 100.0), (True, 100.1), (True, 100.0 + PATIENCE + 0.1)]
    waiting(Scheduler(1, clock), clock, wishes, order)
    assert order == [1, 0, 2]


@pytest.mark.parametrize("places", [1, 2, 3])
def test_no_more_at_once_than_there_are_places(places: int) -> None:
    gate, lock, now, most = Scheduler(places), Lock(), 0, 0
    full = Event()

    def work() -> None:
        nonlocal now, most
        with gate.turn(urgent=True):
            with lock:
                now += 1
                most = max(most, now)
                if now == places:
                    full.set()
            assert full.wait(SOON)
            with lock:
                now -= 1

    threads = [Thread(target=work) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SOON)
    assert most == places
    assert not gate.has_waiting()


def test_a_turn_that_nobody_wants_any_more_is_given_up() -> None:
    gate, order = Scheduler(1), list[str]()
    go, threads = contended(gate)
    with gate.turn(urgent=False, gone=lambda: True) as taken:
        order.append("taken" if taken else "given up")
    assert order == ["given up"]
    go.set()
    for thread in threads:
        thread.join(SOON)
    with gate.turn(urgent=False, gone=lambda: True) as taken:
        assert taken


def test_a_failure_gives_the_turn_back() -> None:
    gate = Scheduler(1)
    with pytest.raises(RuntimeError), gate.turn(urgent=True):
        raise RuntimeError
    order: list[int] = []
    waiting(gate, Clock(), [(True, 100.0)], order)
    assert order == [0]


def test_busy_is_what_somebody_felt_a_moment_ago() -> None:
    clock = Clock()
    gate = Scheduler(1, clock)
    with gate.turn(urgent=True):
        pass
    assert not gate.busy
    go, threads = contended(gate)
    clock.now += LONG_WAIT + 0.01
    go.set()
    threads[1].join(SOON)
    assert gate.busy
    clock.now += MEMORY
    assert not gate.busy


@pytest.mark.parametrize("seconds", [0.9 * MEMORY / MANY_ANSWERS, 1.1 * MEMORY / MANY_ANSWERS])
def test_it_stays_busy_while_many_ask(seconds: float) -> None:
    clock = Clock()
    gate = Scheduler(1, clock)

    def ask(times: int) -> None:
        for _ in range(times):
            clock.now += seconds
            with gate.turn(urgent=True):
                pass

    ask(2 * MANY_ANSWERS)
    assert not gate.busy, "nobody has waited"
    gate._long_wait_at = clock.now
    ask(2 * MANY_ANSWERS)
    assert gate.busy == (seconds * MANY_ANSWERS < MEMORY)
    clock.now += MEMORY
    assert not gate.busy


def test_an_audit_waits_while_others_want_their_turn() -> None:
    gate, passed = Scheduler(1), Event()
    go, threads = contended(gate)

    def let_pass() -> None:
        gate.yield_to_waiting()
        passed.set()

    threads.append(Thread(target=let_pass))
    threads[2].start()
    assert not passed.wait(PATIENCE / 4)
    go.set()
    assert passed.wait(SOON)
    for thread in threads:
        thread.join(SOON)


def test_the_page_says_so_while_it_is_not_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    gate = Scheduler(1, clock)
    monkeypatch.setattr(scheduler, "PAGE_SCHEDULER", gate)
    assert scheduler.busy_message(False, "3 % measured") == "3 % measured"
    assert scheduler.refinement_delay(False) == 0
    gate._long_wait_at = clock.now
    assert scheduler.busy_message(False, "3 % measured") == f"3 % measured {BUSY}"
    assert scheduler.busy_message(False) == BUSY
    assert scheduler.busy_message(True) == ""
    assert scheduler.refinement_delay(False) > 0
    assert scheduler.refinement_delay(True) == 0


def study_of(data: Dataset, rival: str = "laplace") -> Study:
    view = View(
        MECHANISMS["gaussian"], 2, 1e-6, float(data.people), Adjacency.ADD_OR_REMOVE_ONE, 0
    )  # fmt: skip
    return Study(data, view, (MECHANISMS[rival],))


@pytest.fixture(scope="module")
def wine() -> Dataset:
    return load_key("wine")


def test_a_busy_server_paints_fewer_stops_but_the_chosen_one(wine: Dataset) -> None:
    index = 8
    usual, busy = study_of(wine), study_of(wine)
    usual.first_paint(index)
    busy.first_paint(index, busy=True)
    assert usual.chosen.done[::2, :FIRST].all()
    assert busy.chosen.done[::6, :BUSY_FIRST].all()
    assert busy.chosen.done[index, :BUSY_FIRST].all()
    assert not busy.chosen.done[:, BUSY_FIRST:].any()
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
    assert more.sum() == more[9].sum() == (BUSY_FIRST if busy else FIRST)
    assert study.stage == 1, "a refinement has not come"


def test_the_epsilon_needed_follows_what_is_measured(wine: Dataset) -> None:
    """As many numbers, but at other points: seven points of 40 releases, fourteen of twenty."""
    study = study_of(wine)

    def enter(points: range, trials: range, captured: float) -> EpsilonNeeded | None:
        block = np.full((len(points), len(trials)), captured)
        found = SimpleNamespace(
            captured=block, sin_theta=block, refused=block < 0, notes=[""] * len(points)
        )
        study.chosen.note(Piece(study.view.mechanism, trials, points), found)  # type: ignore[arg-type]
        return study.needed(study.view.mechanism, 0.9)

    assert study.needed(study.view.mechanism, 0.9) is None, "nothing is measured"
    assert enter(range(14, 21), range(40), 1.0) == EpsilonNeeded(EPSILONS[14], certain=True)
    assert enter(range(7, 14), range(20), 1.0) == EpsilonNeeded(EPSILONS[7], certain=False)


def test_a_refinement_is_one_piece_where_others_wait(wine: Dataset) -> None:
    study = study_of(wine)
    study.advance(60.0, should_yield=lambda: True)
    first = study.chosen.done.copy()
    assert first[:, 0].any()
    assert not first.all()
    study.advance(60.0, should_yield=lambda: True)
    assert (study.chosen.done > first).any()
    assert study.stage == 2


def test_a_piece_shrinks_until_it_takes_no_longer_than_it_may(monkeypatch: Any) -> None:
    """By a clock by which a release takes 10 ms, eight times what is feared at first, then 1 ms."""
    clock, pace = Clock(), Pace(20)
    monkeypatch.setattr(explore_measurements, "perf_counter", clock)
    whole, sizes = Piece(MECHANISMS["smooth_gaussian"], range(5), range(30)), []
    for milliseconds in [10] * 3 + [1] * 40:
        piece, rest = pace.part(whole)
        assert [*piece.points, *rest.points] == list(whole.points)
        sizes.append(len(piece.points))
        with pace.timed(piece):
            clock.now += milliseconds / 1000 * len(piece.trials) * len(piece.points)
    assert sizes[0] > 1
    assert sizes[1:4] == [1, 1, 1]
    assert sizes[-1] in (9, 10)


def test_what_a_rival_promises_is_found_in_short_slices_too(
    wine: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a clock by which a guarantee takes 20 ms: three at a time, all before any release."""
    clock, ppca = Clock(), MECHANISMS["ppca"]
    asked: list[float] = []
    plainly = study_module.guarantee_of

    def slowly(mechanism: Any, problem: Any, budget: Any) -> Any:
        if mechanism is ppca:
            clock.now += 0.02
            asked.append(budget.epsilon)
        return plainly(mechanism, problem, budget)

    rival, plain = study_of(wine, "ppca"), study_of(wine, "ppca").guarantees(ppca)
    monkeypatch.setattr(study_module, "perf_counter", clock)
    monkeypatch.setattr(study_module, "guarantee_of", slowly)
    while not rival.measured["ppca"].begun:
        before = len(asked)
        rival.advance(0.01)
        assert len(asked) - before <= 3
    assert asked == [*EPSILONS]
    assert rival.guarantees(ppca) == plain


def test_what_is_measured_in_short_slices_is_the_same(
    wine: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One release at one point at a time, or many: to the last digit."""
    short, long = study_of(wine), study_of(wine)
    monkeypatch.setattr(explore_measurements, "AT_ONCE", 10.0)
    while not long.complete:
        long.advance(60.0)
    monkeypatch.setattr(explore_measurements, "AT_ONCE", 0.0)
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
