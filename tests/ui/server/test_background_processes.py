"""Worker processes: what they find is the same, and they end when nobody wants it."""

import os
import time
from dataclasses import replace
from math import inf
from pathlib import Path
from threading import Event, Thread, Timer
from typing import Any

import numpy as np
import pytest

from dpca_core import MECHANISMS, Adjacency, Budget
from dpca_core.example_release.draw import draw, draw_k
from dpca_core.privacy.budget import NotDrawnInTime
from dpca_core.runtime import offload
from dpca_core.simulation.draws import TrialDraws
from sample_data import load_key
from tests.paths import ROOT
from tests.ui.server.processes import SOON, nobody_minds, slowly, until
from ui.server import background_processes
from ui.server.background_processes import Abandoned, DrawLost, WorkerPool

pytestmark = pytest.mark.skipif(os.name == "nt", reason="pipes are handed on as on POSIX")


def alive(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False


def test_a_process_does_one_thing_after_another_and_goes_when_idle(workers: WorkerPool) -> None:
    first = workers.run(os.getpid, on_wait=nobody_minds)
    assert first != os.getpid()
    assert workers.run(os.getpid, on_wait=nobody_minds) == first
    assert workers.run(os.nice, 0, on_wait=nobody_minds) >= 15
    workers.end_idle(SOON)
    assert alive(first)
    workers.end_idle(0.0)
    until(lambda: not alive(first))
    assert workers.run(os.getpid, on_wait=nobody_minds) != first


def test_what_is_raised_there_is_raised_here(workers: WorkerPool) -> None:
    with pytest.raises(ZeroDivisionError):
        workers.run(divmod, 1, 0, on_wait=nobody_minds)
    assert workers.run(divmod, 7, 2, on_wait=nobody_minds) == (3, 1)


def test_work_that_nobody_wants_is_ended_and_the_next_begins_at_once(workers: WorkerPool) -> None:
    pid = workers.run(os.getpid, on_wait=nobody_minds)

    def moved(begun: bool, seconds: float) -> None:
        if begun and seconds > 0.3:
            raise Abandoned

    start = time.monotonic()
    with pytest.raises(Abandoned):
        workers.run(time.sleep, 60, on_wait=moved)
    assert time.monotonic() - start < 5
    assert not alive(pid)
    assert workers.run(divmod, 7, 2, on_wait=nobody_minds) == (3, 1)


def test_who_waits_for_a_place_may_leave_and_leaves_no_trace(workers: WorkerPool) -> None:
    release = Event()

    def hold(begun: bool, seconds: float) -> None:
        if begun and release.is_set():
            raise Abandoned

    def first() -> None:
        with pytest.raises(Abandoned):
            workers.run(time.sleep, 60, on_wait=hold)

    thread = Thread(target=first)
    thread.start()
    until(lambda: workers._scheduler._free == 0)

    def leaves(begun: bool, seconds: float) -> None:
        assert not begun
        raise Abandoned

    with pytest.raises(Abandoned):
        workers.run(divmod, 7, 2, on_wait=leaves)
    assert not workers._scheduler.has_waiting()
    release.set()
    thread.join(SOON)
    assert workers.run(divmod, 7, 2, on_wait=nobody_minds) == (3, 1)


def test_what_takes_too_long_or_is_lost_is_a_sentence(
    workers: WorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "_time_limit", 0.2)
    with pytest.raises(NotDrawnInTime, match="Choose a faster mechanism"):
        workers.run(time.sleep, 60, on_wait=nobody_minds)
    monkeypatch.undo()
    with pytest.raises(NotDrawnInTime, match="was lost"):
        workers.run(os._exit, 3, on_wait=nobody_minds)
    assert workers.run(divmod, 7, 2, on_wait=nobody_minds) == (3, 1)


def test_a_process_ends_with_its_server() -> None:
    import subprocess
    import sys

    code = (
        "import time; from ui.server.background_processes import WorkerPool; w = WorkerPool(1)\n"
        "import os; print(w.run(os.getpid, on_wait=lambda *_: None), flush=True); os._exit(1)"
    )
    told = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    until(lambda: not alive(int(told.stdout)))


def test_a_draw_to_publish_is_never_given_up(monkeypatch: pytest.MonkeyPatch, place: Any) -> None:
    """Where long work is given up, simulations are and draws are not, whatever the data."""

    def given_up(work: Any, *args: Any) -> Any:
        raise NotDrawnInTime("Too long.")

    place(given_up)
    monkeypatch.setattr(offload, "LONG_SECONDS", 0.0)
    data, budget = load_key("wine"), Budget(1.0, 1e-6)
    for key in ("gaussian", "ppca", "power", "smooth_cauchy"):
        fresh = replace(data, key="")
        with pytest.raises(NotDrawnInTime):
            TrialDraws(MECHANISMS[key], 0, range(2)).release(fresh.problem(2), budget)
        fresh = replace(data, key="")
        assert draw(fresh, MECHANISMS[key], 2, budget).basis is not None
    assert 1 <= draw_k(replace(data, key=""), 1.0, 5, Adjacency.ADD_OR_REMOVE_ONE) <= 5


def test_a_draw_to_publish_takes_as_long_as_it_takes_and_ends_with_its_session(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No limit of pages ends it, nor a page that asks for more; only whoever leaves does."""
    draws, gone = WorkerPool(1, inf), Event()
    monkeypatch.setattr(background_processes, "RELEASE_WORKERS", draws)
    monkeypatch.setattr(background_processes, "TIME_LIMIT", 0.0)
    monkeypatch.setattr(background_processes, "get_script_run_ctx", object)
    monkeypatch.setattr(background_processes, "own_session", lambda: "somebody")
    monkeypatch.setattr(background_processes, "superseded", lambda: True)
    monkeypatch.setattr(background_processes.SESSIONS, "has_ended", lambda session: gone.is_set())
    try:
        assert background_processes.draw_in_worker(inf, slowly, 0.5) == 0.5
        ended = draws._idle[0]._process.pid
        with pytest.raises(DrawLost):
            background_processes.draw_in_worker(inf, os._exit, 1)
        assert background_processes.draw_in_worker(inf, slowly, 0.1) == 0.1
        Timer(0.3, gone.set).start()
        with pytest.raises(Abandoned):
            background_processes.draw_in_worker(inf, slowly, 60.0)
        assert not alive(ended)
        assert not draws._idle
        assert background_processes.draw_in_worker(0.0, slowly, 0.0) == 0.0
    finally:
        draws.end_idle(0.0)


def test_a_release_drawn_beside_the_server_is_one_of_the_same_kind() -> None:
    draws = WorkerPool(1, inf)
    data, budget = load_key("wine"), Budget(1.0)
    assert data.moment.any()
    assert data.problem(2).gap > 0
    try:
        found = draws.run(draw, data, MECHANISMS["ppca"], 2, budget, on_wait=nobody_minds).basis
    finally:
        draws.end_idle(0.0)
    assert found.shape == (data.d, 2)
    assert np.allclose(found.T @ found, np.eye(2))
