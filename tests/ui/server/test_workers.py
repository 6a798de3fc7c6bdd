"""Long work beside the server: found there is what is found here, and ends when nobody wants it."""

import os
import subprocess
import sys
import time
from pathlib import Path
from threading import Event
from types import SimpleNamespace

import numpy as np
import pytest

from dpca_core import MECHANISMS, Budget
from dpca_core.privacy.budget import NotDrawnInTime
from dpca_core.problem import Problem
from dpca_core.runtime import offload
from dpca_core.runtime.offload import set_executor
from dpca_core.simulation.trials import TrialDraws, run_trials
from sample_data import load_key
from tests.paths import ROOT
from tests.ui.server.conftest import SOON, until
from ui.server import workers as workers_module
from ui.server.scheduler import Scheduler
from ui.server.workers import Abandoned, Workers


class Patient(Workers):
    """Whoever waits goes on waiting, unless a test says otherwise."""

    def run(self, work, *args, on_wait=lambda begun, seconds: None):
        return super().run(work, *args, on_wait=on_wait)


@pytest.fixture
def workers():
    found = Patient(1)
    yield found
    found.end_idle(0.0)


@pytest.fixture
def place():
    yield set_executor
    set_executor(None)


def alive(pid):
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False


def test_a_process_does_one_thing_after_another_and_goes_when_idle(workers):
    first = workers.run(os.getpid)
    assert first != os.getpid()
    assert workers.run(os.getpid) == first
    assert workers.run(os.nice, 0) >= 15
    with pytest.raises(ZeroDivisionError):
        workers.run(divmod, 1, 0)
    workers.end_idle(SOON)
    assert alive(first)
    workers.end_idle(0.0)
    until(lambda: not alive(first))
    assert workers.run(os.getpid) != first


def test_work_that_nobody_wants_is_ended_and_the_next_begins_at_once(workers, pool):
    pid, begun, release = workers.run(os.getpid), Event(), Event()

    def hold(works, seconds):
        if works:
            begun.set()
        if release.is_set():
            raise Abandoned

    def leaves(works, seconds):
        assert not works
        raise Abandoned

    first = pool.submit(workers.run, time.sleep, SOON, on_wait=hold)
    assert begun.wait(SOON)
    # Who waits for a place may leave, and leaves no trace.
    with pytest.raises(Abandoned):
        workers.run(divmod, 7, 2, on_wait=leaves)
    release.set()
    with pytest.raises(Abandoned):
        first.result(SOON)
    until(lambda: not alive(pid))
    assert workers.run(divmod, 7, 2) == (3, 1)


def test_what_takes_too_long_or_is_lost_is_a_sentence(workers, monkeypatch):
    monkeypatch.setattr(workers_module, "TIME_LIMIT", 0.2)
    with pytest.raises(NotDrawnInTime, match="Choose a faster mechanism"):
        workers.run(time.sleep, 60)
    monkeypatch.undo()
    with pytest.raises(NotDrawnInTime, match="was lost"):
        workers.run(os._exit, 3)
    assert workers.run(divmod, 7, 2) == (3, 1)


def test_a_process_ends_with_its_server():
    code = (
        "import os; from ui.server.workers import Workers; w = Workers(1)\n"
        "print(w.run(os.getpid, on_wait=lambda *_: None), flush=True); os._exit(1)"
    )
    told = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    until(lambda: not alive(int(told.stdout)))


def test_releases_found_beside_are_those_found_here(workers, place, monkeypatch):
    points = [load_key("wine").point(3, None, Budget(1.0, 1e-6))]
    draws = TrialDraws(MECHANISMS["ppca"], 0, range(3))
    plain = run_trials(draws, points)
    monkeypatch.setattr(offload, "LONG_SECONDS", 0.0)
    place(workers.run)
    # The same numbers but for the last digits, which another process may round otherwise.
    found = run_trials(TrialDraws(MECHANISMS["ppca"], 0, range(3)), points)
    np.testing.assert_allclose(found.captured, plain.captured, 1e-6, 1e-9)


COLUMNS = 1990


def test_others_have_their_turn_while_a_very_wide_table_is_computed(place, monkeypatch, pool):
    """One place for all; work that is not done in time is a note, and no refusal."""
    gate, asked = Scheduler(1), []

    def other():
        with gate.turn(urgent=True):
            asked.append("another visitor")

    def beside(work, *given, on_wait):
        asked.append(work.__name__)
        pool.submit(other).result(SOON)  # or somebody waits for the wide table
        if work.__name__ == "_run_trials":
            raise NotDrawnInTime("It takes too long.")
        return np.arange(COLUMNS, 0.0, -1.0), np.eye(COLUMNS)

    monkeypatch.setattr(workers_module, "PAGE_SCHEDULER", gate)
    monkeypatch.setattr(workers_module, "PAGE_WORKERS", SimpleNamespace(run=beside))
    monkeypatch.setattr(workers_module, "get_script_run_ctx", object)
    place(workers_module.run_in_worker)
    with gate.turn(urgent=True, heavy=True):
        wide = Problem.from_moment(np.eye(COLUMNS), 5000.0, 2)
        assert wide.spectrum[0] == COLUMNS
        point = wide, Budget(1.0, 1e-6)
        found = run_trials(TrialDraws(MECHANISMS["gaussian"], 0, range(4)), [point])
    assert asked == ["eigh_descending", "another visitor", "_run_trials", "another visitor"]
    assert found.notes == ("It takes too long.",)
    assert np.isnan(found.captured).all()
    assert not found.refused.any(), "the mechanism itself would go on"
