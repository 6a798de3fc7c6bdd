"""Whose turn it is: answers before refinements, in slices, and who has moved on gives way."""

from threading import Barrier, Event
from types import SimpleNamespace

import pytest
from streamlit.runtime.scriptrunner import RerunData, RerunException
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequest, ScriptRequests

from tests.ui.server.processes import SOON, until
from ui.server import scheduler
from ui.server.scheduler import (
    BUSY,
    LONG_WAIT,
    MEMORY,
    PATIENCE,
    GrowingSlices,
    Scheduler,
    take_steps,
)
from ui.server.workers import Abandoned


@pytest.fixture
def clock():
    """Seconds that pass only when a test says so."""
    return SimpleNamespace(now=100.0)


@pytest.fixture
def gate(clock):
    """One place, by that clock."""
    return Scheduler(1, lambda: clock.now)


@pytest.fixture
def turn(pool):
    """Take a turn in a thread, and do something in it."""

    def take(gate, then=lambda: None, **how):
        def work():
            with gate.turn(**{"urgent": True} | how):
                then()

        return pool.submit(work)

    return take


@pytest.fixture
def held(turn):
    """Hold a place until the event is set."""

    def hold(gate, **how):
        taken, go = Event(), Event()
        future = turn(gate, lambda: taken.set() or go.wait(SOON), **how)
        assert taken.wait(SOON)
        return go, future

    return hold


def over(*futures):
    for future in futures:
        future.result(SOON)


@pytest.mark.parametrize(
    ("wishes", "order"),
    [
        ([(False, 0.0), (False, 0.1), (True, 0.2), (True, 0.3)], [2, 3, 0, 1]),
        ([(False, 0.0), (True, 0.1), (True, PATIENCE + 0.1)], [1, 0, 2]),
    ],
)
def test_answers_come_first_in_the_order_of_asking_and_no_refinement_waits_for_ever(
    gate, clock, turn, held, wishes, order
):
    (go, *turns), came = held(gate), []
    for number, (urgent, later) in enumerate(wishes):
        clock.now = 100.0 + later
        turns.append(turn(gate, lambda number=number: came.append(number), urgent=urgent))
        until(lambda number=number: len(gate._queue) > number)
    go.set()
    over(*turns)
    assert came == order


def test_no_more_at_once_than_there_are_places_and_a_failed_turn_is_given_back(turn):
    gate, together, inside, seen = Scheduler(3), Barrier(3), [], []

    def work():
        inside.append(1)
        seen.append(len(inside))
        together.wait(SOON)
        inside.pop()

    with pytest.raises(ZeroDivisionError):
        turn(gate, lambda: 1 / 0).result(SOON)
    over(*[turn(gate, work) for _ in range(12)])
    assert max(seen) == 3
    assert not gate.has_waiting()


def test_busy_is_what_somebody_felt_a_moment_ago(monkeypatch, gate, clock, turn, held):
    monkeypatch.setattr(scheduler, "PAGE_SCHEDULER", gate)
    assert scheduler.busy_message(False, "3 % measured") == "3 % measured"
    assert scheduler.refinement_delay(False) == 0
    go, first = held(gate)
    second = turn(gate)
    until(gate.has_waiting)
    clock.now += LONG_WAIT + 0.01
    go.set()
    over(first, second)
    assert gate.busy
    assert scheduler.busy_message(False, "3 % measured") == f"3 % measured. {BUSY}"
    assert scheduler.refinement_delay(False) > scheduler.refinement_delay(True) == 0
    clock.now += MEMORY
    assert not gate.busy


def test_heavy_turns_leave_a_place_to_others(turn, held):
    gate, order = Scheduler(2), []
    go, first = held(gate, heavy=True)
    second = turn(gate, lambda: order.append("second heavy"), heavy=True)
    until(gate.has_waiting)
    for i in range(3):
        over(turn(gate, lambda i=i: order.append(i)))
    go.set()
    over(first, second)
    assert order == [0, 1, 2, "second heavy"]
    # One place is anybody's.
    over(turn(Scheduler(1), heavy=True))


def test_who_waits_for_something_else_lets_others_have_the_turn(gate, turn):
    order = []
    with gate.turn(urgent=True):
        with gate.suspended():
            over(turn(gate, lambda: order.append("other")))
            order.append("aside")
        assert gate._free == 0
    assert order == ["other", "aside"]
    with pytest.raises(Abandoned), gate.turn(urgent=True), gate.suspended():
        raise Abandoned
    assert gate._free == 1


def test_a_slice_is_one_step_at_least_and_no_more_than_there_is_time_for(monkeypatch):
    for seconds, waiting, steps in ((60.0, False, 10), (0.0, False, 1), (60.0, True, 1)):
        done = []
        take_steps((done.append(i) for i in range(10)), seconds, lambda waiting=waiting: waiting)
        assert len(done) == steps
    # Brief after a change, then ever longer.
    taken, slices = [], GrowingSlices(1.0, 1.5)
    monkeypatch.setattr(scheduler, "take_steps", lambda steps, seconds, _: taken.append(seconds))
    for query, most in (("a", None), ("a", None), ("a", None), ("b", None), ("b", 1.1)):
        slices.take(query, (), bool, most)
    assert taken == [1.0, 1.25, 1.5, 1.0, 1.1]


@pytest.fixture
def run(monkeypatch):
    """A run of the fragment "charts", with what its visitor has asked for meanwhile."""
    found = SimpleNamespace(script_requests=ScriptRequests(), fragment_ids_this_run=["charts"])
    monkeypatch.setattr(scheduler, "get_script_run_ctx", lambda: found)
    return found


def asked(*fragments):
    return RerunData(query_string="k=3", fragment_id_queue=list(fragments))


def test_the_request_is_taken_and_answered_at_once(run):
    scheduler.end_if_superseded()
    run.script_requests.request_rerun(asked("other", "charts"))
    assert scheduler.should_yield()
    with pytest.raises(RerunException) as ended:
        scheduler.end_if_superseded()
    assert ended.value.rerun_data == asked("other", "charts")
    assert not scheduler.superseded()
    run.script_requests.request_rerun(asked("other"))
    assert isinstance(later := run.script_requests.on_scriptrunner_ready(), ScriptRequest)
    assert later.rerun_data.fragment_id_queue == ["other"]


def test_a_run_that_is_not_asked_for_again_or_must_stop_goes_on(run):
    for fragments in ((), ("other",)):
        run.script_requests.request_rerun(asked(*fragments))
        scheduler.end_if_superseded()
        assert scheduler.superseded()
    run.script_requests.request_rerun(asked("charts"))
    # A whole page is left to Streamlit.
    run.fragment_ids_this_run = None
    scheduler.end_if_superseded()
    run.fragment_ids_this_run = ["charts"]
    run.script_requests.request_stop()
    scheduler.end_if_superseded()
