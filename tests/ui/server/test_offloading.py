"""Long work that is offloaded: the same results, remembered once, in heavy turns."""

import os
import pickle
from collections import deque
from collections.abc import Callable
from threading import Event, Thread
from typing import Any

import numpy as np
import pytest

from dpca_core import MECHANISMS, Budget
from dpca_core.privacy.budget import InfeasibleBudget, NotDrawnInTime
from dpca_core.problem import Problem
from dpca_core.runtime import offload
from dpca_core.runtime.cached_property import cached_property
from dpca_core.runtime.offload import LONG_SECONDS, expected_seconds, run
from dpca_core.simulation.draws import TrialDraws, noise_norms
from dpca_core.simulation.trials import run_trials
from sample_data import load_key
from tests.paths import ROOT
from tests.ui.server.processes import SOON, nobody_minds, until
from ui.compare.measurements import Comparison
from ui.explore.measurement_tasks import MeasurementTask, requeue_on_interruption
from ui.server.background_processes import Abandoned, WorkerPool
from ui.server.scheduler import PAGE_SCHEDULER, Scheduler, is_heavy

pytestmark = pytest.mark.skipif(os.name == "nt", reason="pipes are handed on as on POSIX")


@pytest.mark.parametrize("key", ["gaussian", "ppca", "local_sparse", "power"])
def test_releases_found_beside_are_those_found_here(
    key: str, workers: WorkerPool, place: Callable[[Any], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = load_key("wine")
    points = [data.point(3, None, Budget(epsilon, 1e-6)) for epsilon in (1.0, 10.0)]
    plain = run_trials(TrialDraws(MECHANISMS[key], 0, range(3)), points)
    asked: list[str] = []

    def beside(work: Callable[..., Any], *args: Any) -> Any:
        asked.append(work.__name__)
        return workers.run(work, *args, on_wait=nobody_minds)

    monkeypatch.setattr(offload, "LONG_SECONDS", 0.0)
    place(beside)
    found = run_trials(TrialDraws(MECHANISMS[key], 0, range(3)), points)
    assert "_run_trials" in asked
    for name in ("captured", "captured_of_all", "sin_theta", "refused"):
        assert np.array_equal(getattr(found, name), getattr(plain, name), equal_nan=True), name
    assert found.notes == plain.notes


def test_eigenvectors_and_norms_are_found_beside_where_they_take_long(
    workers: WorkerPool, place: Callable[[Any], None]
) -> None:
    asked: list[str] = []

    def beside(work: Callable[..., Any], *args: Any) -> Any:
        asked.append(work.__name__)
        return work(*args)

    place(beside)
    d = 40
    assert expected_seconds(d) < LONG_SECONDS <= expected_seconds(1990)
    Problem(np.eye(d), 100.0, 1).spectrum  # noqa: B018
    assert asked == []
    wide = np.diag(np.linspace(1, 0, 1990))

    def quick(moment: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.diag(moment), np.eye(2)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dpca_core.problem.eigh_descending", quick)
        Problem(wide, 2000.0, 1).spectrum  # noqa: B018
    assert asked == ["quick"]
    noise_norms(TrialDraws(MECHANISMS["gaussian"], 99, range(2)), d)
    assert asked == ["quick"]


def test_a_place_that_gives_up_is_a_note_at_every_point(place: Callable[[Any], None]) -> None:
    def never(work: Callable[..., Any], *args: Any) -> Any:
        raise NotDrawnInTime("It takes too long.")

    place(never)
    points = [load_key("imtiaz?d=100&n=1000").point(10, None, Budget(e, 1e-6)) for e in (0.1, 1.0)]
    found = run_trials(TrialDraws(MECHANISMS["local_sparse"], 0, range(4)), points)
    assert found.notes == ("It takes too long.",) * 2
    assert np.isnan(found.captured).all()
    assert found.captured.shape == (2, 4)
    assert not found.refused.any(), "the mechanism itself would go on"
    with pytest.raises(InfeasibleBudget):
        run(LONG_SECONDS, len, "x")
    assert run(LONG_SECONDS / 2, len, "x") == 1


def test_copies_of_the_same_data_remember_together() -> None:
    """What one piece of work found of a table, the next need not find again."""
    problem, times = load_key("wine").problem(2), [0]

    def slowly(k: int) -> int:
        times[0] += 1
        return k

    one = pickle.loads(pickle.dumps(problem))
    two = pickle.loads(pickle.dumps(problem.with_k(3).scaled(1000.0)))
    other = pickle.loads(pickle.dumps(load_key("digits").problem(2)))
    assert [p.remembered(slowly)(7) for p in (one, two, other)] == [7] * 3
    assert times == [2]
    assert one.k == 2
    assert two.n == 1000.0
    assert np.array_equal(one.spectrum, problem.spectrum)


def test_draws_are_sent_without_what_was_drawn() -> None:
    draws = TrialDraws(MECHANISMS["gaussian"], 0, range(20))
    unit = draws.unit(50, 1)[0]
    packed = pickle.dumps(draws)
    assert len(packed) < 2000
    assert np.array_equal(pickle.loads(packed).unit(50, 1)[0], unit)


def test_two_may_look_for_a_property_of_two_objects_at_once() -> None:
    """In Python 3.11 functools has one lock for all: who waits for long work stops everybody."""
    started, go = Event(), Event()

    class Slow:
        def __init__(self, waits: bool) -> None:
            self.waits = waits

        @cached_property
        def found(self) -> int:
            started.set()
            assert not self.waits or go.wait(SOON)
            return 1

    thread = Thread(target=lambda: Slow(True).found)
    thread.start()
    assert started.wait(SOON)
    quick = Slow(False)
    second = Thread(target=lambda: quick.found)
    second.start()
    second.join(2)
    assert not second.is_alive()
    assert vars(quick)["found"] == 1
    go.set()
    thread.join(SOON)


def test_no_module_uses_the_property_with_the_lock() -> None:
    for folder in ("dpca_core", "ui", "sample_data", "pages"):
        for path in (ROOT / folder).rglob("*.py"):
            if path.name != "lazily.py":
                lines = path.read_text("utf-8").splitlines()
                assert not [x for x in lines if "functools import" in x and "cached_prop" in x], (
                    path
                )


def test_heavy_turns_leave_a_place_to_others() -> None:
    gate, order, go = Scheduler(2), list[str](), Event()

    def turn(name: str, is_heavy: bool, wait: bool) -> Thread:
        def run() -> None:
            with gate.turn(urgent=True, heavy=is_heavy):
                order.append(name)
                assert not wait or go.wait(SOON)

        thread = Thread(target=run)
        thread.start()
        return thread

    first = turn("heavy", True, True)
    until(lambda: order == ["heavy"])
    second = turn("second heavy", True, False)
    until(gate.has_waiting)
    for i in range(3):
        turn(f"light {i}", False, False).join(SOON)
    assert order == ["heavy", "light 0", "light 1", "light 2"]
    go.set()
    first.join(SOON)
    second.join(SOON)
    assert order[-1] == "second heavy"


def test_one_place_is_anybodys() -> None:
    with Scheduler(1).turn(urgent=True, heavy=True) as taken:
        assert taken
    assert PAGE_SCHEDULER._free >= 2
    assert is_heavy(1990)
    assert not is_heavy(100)


def test_who_waits_for_something_else_lets_others_have_the_turn() -> None:
    gate, order = Scheduler(1), list[str]()

    def other() -> None:
        with gate.turn(urgent=True):
            order.append("other")

    with gate.turn(urgent=True):
        thread = Thread(target=other)
        with gate.suspended():
            thread.start()
            thread.join(SOON)
            order.append("aside")
        order.append("again")
        assert gate._free == 0
    assert order == ["other", "aside", "again"]
    assert gate._free == 1
    with pytest.raises(Abandoned), gate.turn(urgent=True), gate.suspended():
        raise Abandoned
    assert gate._free == 1
    with gate.suspended():
        assert gate._free == 1


def test_what_was_given_up_is_done_later() -> None:
    piece = MeasurementTask(MECHANISMS["gaussian"], range(1), (0,))
    left = deque[MeasurementTask]()
    with pytest.raises(Abandoned), requeue_on_interruption(left, piece):
        raise Abandoned
    assert left == deque([piece])
    tasks, tried = deque[Callable[[], None]](), list[int]()

    def work() -> None:
        tried.append(1)
        if len(tried) == 1:
            raise Abandoned

    tasks.append(work)
    comparison = Comparison.__new__(Comparison)
    comparison._tasks, comparison.stage = tasks, 0
    with pytest.raises(Abandoned):
        comparison.advance(1.0)
    comparison.advance(1.0)
    assert tried == [1, 1]
    assert comparison.complete
