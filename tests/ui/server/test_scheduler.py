"""Whose turn it is: answers before refinements, never more at once than there are places."""

from collections.abc import Callable
from threading import Event, Lock, Thread

import pytest

from tests.ui.server.clock import Clock
from ui.server import scheduler
from ui.server.scheduler import BUSY, LONG_WAIT, MANY_ANSWERS, MEMORY, PATIENCE, Scheduler

SOON = 10.0


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
