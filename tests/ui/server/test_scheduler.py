"""Whose turn it is: answers before refinements, in slices, and who has moved on gives way."""

from threading import Barrier, Event, Thread
from types import SimpleNamespace

import pytest
from streamlit.runtime.scriptrunner import RerunData, RerunException
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequest, ScriptRequests

from tests.ui.server.processes import SOON, until
from ui.server import scheduler
from ui.server.scheduler import (
    BUSY,
    LONG_WAIT,
    MANY_ANSWERS,
    MEMORY,
    PATIENCE,
    Scheduler,
    is_heavy,
    take_steps,
)
from ui.server.workers import Abandoned


@pytest.fixture
def clock():
    """Seconds that pass only when a test says so."""
    return SimpleNamespace(now=100.0)


def timed(clock):
    return Scheduler(1, lambda: clock.now)


def turn(gate, then=lambda: None, **how):
    """Begin a thread that takes a turn and does something in it."""

    def work():
        with gate.turn(**{"urgent": True} | how):
            then()

    thread = Thread(target=work)
    thread.start()
    return thread


def joined(*threads):
    for thread in threads:
        thread.join(SOON)
        assert not thread.is_alive()


def held(gate, **how):
    """Hold a place until the event is set."""
    taken, go = Event(), Event()
    thread = turn(gate, lambda: taken.set() or go.wait(SOON), **how)
    assert taken.wait(SOON)
    return go, thread


def contended(gate):
    """Hold a gate of one place until the event, while somebody else waits for it."""
    go, thread = held(gate)
    threads = thread, turn(gate)
    until(gate.has_waiting)
    return go, threads


def order_of(gate, clock, wishes):
    """Ask for turns one after another while the gate is held; return in which order they come."""
    (go, *threads), order = held(gate), []
    for number, (urgent, at) in enumerate(wishes):
        clock.now = at
        threads.append(turn(gate, lambda number=number: order.append(number), urgent=urgent))
        until(lambda number=number: len(gate._queue) > number)
    go.set()
    joined(*threads)
    return order


def test_answers_come_first_in_the_order_of_asking_and_no_refinement_waits_for_ever(clock):
    for wishes, order in (
        ([(False, 100.0), (False, 100.1), (True, 100.2), (True, 100.3)], [2, 3, 0, 1]),
        ([(False, 100.0), (True, 100.1), (True, 100.0 + PATIENCE + 0.1)], [1, 0, 2]),
    ):
        assert order_of(timed(clock), clock, wishes) == order


@pytest.mark.parametrize("places", [1, 3])
def test_no_more_at_once_than_there_are_places(places):
    gate, together, inside, seen = Scheduler(places), Barrier(places), [], []

    def work():
        inside.append(1)
        seen.append(len(inside))
        together.wait(SOON)
        inside.pop()

    joined(*(turn(gate, work) for _ in range(12)))
    assert max(seen) == places
    assert not gate.has_waiting()


def test_a_failed_turn_is_given_back():
    gate = Scheduler(1)
    with pytest.raises(RuntimeError), gate.turn(urgent=True):
        raise RuntimeError
    joined(turn(gate))


def test_busy_is_what_somebody_felt_a_moment_ago(monkeypatch, clock):
    gate = timed(clock)
    monkeypatch.setattr(scheduler, "PAGE_SCHEDULER", gate)
    joined(turn(gate))
    assert not gate.busy
    assert scheduler.busy_message(False, "3 % measured") == "3 % measured"
    assert scheduler.refinement_delay(False) == 0
    go, threads = contended(gate)
    clock.now += LONG_WAIT + 0.01
    go.set()
    joined(*threads)
    assert gate.busy
    assert scheduler.busy_message(False, "3 % measured") == f"3 % measured. {BUSY}"
    assert scheduler.busy_message(True) == ""
    assert scheduler.refinement_delay(False) > scheduler.refinement_delay(True) == 0
    for _ in range(2 * MANY_ANSWERS):
        clock.now += MEMORY / (MANY_ANSWERS + 5)
        with gate.turn(urgent=True):
            pass
    assert gate.busy, "or all would refine, and everybody wait, just to find out"
    clock.now += MEMORY
    assert not gate.busy


def test_heavy_turns_leave_a_place_to_others():
    gate, order = Scheduler(2), []
    go, first = held(gate, heavy=True)
    second = turn(gate, lambda: order.append("second heavy"), heavy=True)
    until(gate.has_waiting)
    for i in range(3):
        joined(turn(gate, lambda i=i: order.append(i)))
    assert order == [0, 1, 2]
    go.set()
    joined(first, second)
    assert order[-1] == "second heavy"
    assert (is_heavy(1990), is_heavy(100)) == (True, False)
    # One place is anybody's.
    joined(turn(Scheduler(1), heavy=True))


def test_who_waits_for_something_else_lets_others_have_the_turn():
    gate, order = Scheduler(1), []
    with gate.turn(urgent=True):
        with gate.suspended():
            joined(turn(gate, lambda: order.append("other")))
            order.append("aside")
        order.append("again")
        assert gate._free == 0
    assert order == ["other", "aside", "again"]
    assert gate._free == 1
    with pytest.raises(Abandoned), gate.turn(urgent=True), gate.suspended():
        raise Abandoned
    assert gate._free == 1


def test_a_slice_is_one_step_at_least_and_no_more_than_there_is_time_for():
    for seconds, waiting, steps in ((60.0, False, 10), (0.0, False, 1), (60.0, True, 1)):
        done = []
        take_steps((done.append(i) for i in range(10)), seconds, lambda waiting=waiting: waiting)
        assert len(done) == steps


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
    assert scheduler.superseded()
    assert scheduler.should_yield()
    with pytest.raises(RerunException) as ended:
        scheduler.end_if_superseded()
    assert ended.value.rerun_data == asked("other", "charts")
    assert not scheduler.superseded()
    scheduler.end_if_superseded()
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
