"""Long work beside the server: found there is what is found here, and ends when nobody wants it."""

import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from threading import Event

import numpy as np
import pytest

from dpca_core import MECHANISMS, Adjacency, Budget
from dpca_core.data.dataset import Dataset
from dpca_core.linalg.eigh_top import Top
from dpca_core.linalg.symmetric import eigh_descending
from dpca_core.mechanisms import noise_on_s
from dpca_core.mechanisms.registry import shown_by_default
from dpca_core.privacy.budget import InfeasibleBudget, NotDrawnInTime
from dpca_core.runtime import offload
from dpca_core.runtime.cached_property import cached_property
from dpca_core.runtime.offload import LONG_SECONDS, run, set_executor
from dpca_core.simulation.trials import TrialDraws, run_trials
from sample_data import load_key
from tests.paths import ROOT
from tests.ui.server.processes import SOON, until
from ui.explore.one import one_content
from ui.explore.query import Along
from ui.explore.study import Study
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


def test_where_a_process_was_killed_that_waited_for_work_the_next_work_is_done(workers):
    def is_done():
        try:
            return workers.run(os.getpid) != first
        except NotDrawnInTime:
            return False

    first = workers.run(os.getpid)
    os.kill(first, signal.SIGKILL)
    until(lambda: not alive(first))
    until(is_done)


def test_work_that_nobody_wants_is_ended_and_the_next_begins_at_once(workers, pool):
    pid, begun, release = workers.run(os.getpid), Event(), Event()

    def hold(works, seconds):
        if works:
            begun.set()
        if works and release.is_set():
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


@pytest.mark.parametrize("key", ["gaussian", "ppca", "local_sparse"])
def test_releases_found_beside_are_those_found_here(key, workers, place, monkeypatch):
    points = [load_key("wine").point(3, None, Budget(epsilon, 1e-6)) for epsilon in (1.0, 10.0)]
    draws, asked = partial(TrialDraws, MECHANISMS[key], 0, range(3)), []
    plain = run_trials(draws(), points)
    monkeypatch.setattr(offload, "LONG_SECONDS", 0.0)
    place(lambda work, *given: asked.append(work.__name__) or workers.run(work, *given))
    found = run_trials(draws(), points)
    assert "_run_trials" in asked
    for name in ("captured", "captured_of_all", "sin_theta", "refused"):
        # The same numbers but for the last digits, which another process may round otherwise.
        np.testing.assert_allclose(getattr(found, name), getattr(plain, name), 1e-6, 1e-9)
    assert found.notes == plain.notes


def test_a_place_that_gives_up_is_a_note_at_every_point(place):
    def never(work, *given):
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


def test_two_may_look_for_a_property_of_two_objects_at_once(pool):
    """In Python 3.11 functools has one lock for all: who waits for long work stops everybody."""
    started, go = Event(), Event()

    class Slow:
        waits = True

        @cached_property
        def found(self):
            started.set()
            return not self.waits or go.wait(SOON)

    slow, quick = Slow(), Slow()
    quick.waits = False
    first = pool.submit(getattr, slow, "found")
    assert started.wait(SOON)
    assert pool.submit(getattr, quick, "found").result(SOON / 2)
    go.set()
    assert first.result(SOON)


COLUMNS, STOP = 1990, 12


def test_others_are_answered_while_a_very_wide_table_is(place, monkeypatch, pool):
    """One place for all: others have their turn while each piece is computed that takes long."""
    rows = COLUMNS // 8 + 1  # so many that their sum is decomposed, and not they
    values = np.random.default_rng(0).standard_normal((rows, COLUMNS))
    values /= np.linalg.norm(values, axis=1, keepdims=True)
    wide = Dataset("wide", "Wide", values, tuple(f"c{j}" for j in range(COLUMNS)))
    gate, inside, asked = Scheduler(1), [False], []

    def other():
        with gate.turn(urgent=True):
            asked.append("another visitor")

    def beside(work, *given):
        asked.append(work.__name__)
        with gate.suspended():
            pool.submit(other).result(SOON)  # or somebody waits for the wide table
            inside[0] = True
            found = work(*given)
            inside[0] = False
        return found

    def solved(symmetric):
        """Stand in for what takes a second and more at so many columns; only beside."""
        if len(symmetric) < COLUMNS:
            return eigh_descending(symmetric)
        assert inside[0]
        return np.diag(symmetric), np.eye(COLUMNS)

    def topped(matrices, k):
        assert inside[0]
        rows = np.broadcast_to(np.eye(k, COLUMNS), (len(matrices), k, COLUMNS))
        return Top(np.zeros((len(matrices), k)), rows)

    monkeypatch.setattr("dpca_core.problem.eigh_descending", solved)
    monkeypatch.setattr(noise_on_s, "eigh_top", topped)
    place(beside)
    query = Along(0.1, 1e-6, float(wide.people), 2, Adjacency.ADD_OR_REMOVE_ONE)
    study = Study(wide, query, shown_by_default())
    with gate.turn(urgent=True, heavy=True):
        study.first_answer(STOP)
        content = one_content(study, "", STOP, 0.9, reach=2)
    assert study.curves.chosen.done[STOP, 0]
    assert content.says["answer"][STOP]
    assert asked[::2][:2] == ["solved", "_run_trials"]
    assert {*asked[1::2]} == {"another visitor"}
