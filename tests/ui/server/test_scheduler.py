"""Whose turn it is: answers before refinements, in slices, and who has moved on gives way."""

from threading import Barrier, Event
from types import SimpleNamespace

import pytest
from streamlit.runtime.scriptrunner import RerunData, RerunException
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests

from tests.ui.server.conftest import SOON, until
from ui.server import scheduler
from ui.server.scheduler import PATIENCE, Scheduler
from ui.server.workers import Abandoned


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
    turn, held, wishes, order
):
    now = [100.0]
    gate, came = Scheduler(1, lambda: now[0]), []
    go, *turns = held(gate)
    for number, (urgent, later) in enumerate(wishes):
        now[0] = 100.0 + later
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
    with pytest.raises(Abandoned), gate.turn(urgent=True), gate.suspended():
        raise Abandoned
    over(*[turn(gate, work) for _ in range(12)])
    assert max(seen) == 3
    assert not gate.has_waiting()


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


@pytest.fixture
def run(monkeypatch):
    """A run of the fragment "charts", with what its visitor has asked for meanwhile."""
    found = SimpleNamespace(script_requests=ScriptRequests(), fragment_ids_this_run=["charts"])
    monkeypatch.setattr(scheduler, "get_script_run_ctx", lambda: found)
    return found


def asked(*fragments):
    return RerunData(query_string="k=3", fragment_id_queue=list(fragments))


def test_a_run_that_is_asked_for_again_ends_at_once_and_another_goes_on(run):
    run.script_requests.request_rerun(asked("other"))
    scheduler.end_if_superseded()
    run.script_requests.request_rerun(asked("charts"))
    run.fragment_ids_this_run = None  # a whole page is left to Streamlit
    scheduler.end_if_superseded()
    run.fragment_ids_this_run = ["charts"]
    assert scheduler.should_yield()
    with pytest.raises(RerunException) as ended:
        scheduler.end_if_superseded()
    assert ended.value.rerun_data == asked("other", "charts")
    assert not scheduler.superseded()
