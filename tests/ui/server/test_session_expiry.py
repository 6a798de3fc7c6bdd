"""Sessions that have left: when they are over, what ends with them, and what all share."""

import inspect
from threading import Event, Thread
from typing import cast

import numpy as np
import pytest
from streamlit import net_util
from streamlit.runtime import Runtime
from streamlit.runtime.state import SessionState

from dpca_core import version
from dpca_core.data.dataset import Dataset
from sample_data import load_key
from tests.ui.server.processes import SOON
from ui.claims import audit_job
from ui.claims.audit_job import LONGEST_AUDIT_SECONDS, AuditJob
from ui.claims.query import ClaimsQuery
from ui.server import session_expiry, stoppable_thread, warm_up
from ui.server.built_in_cache import BuiltInCache, bytes_of
from ui.server.session_expiry import RECONNECT_SECONDS, SessionRegistry


class Connected:
    """What a look asks of Streamlit's runtime."""

    def __init__(self, *sessions: str) -> None:
        self.sessions = set(sessions)

    def is_active_session(self, session: str) -> bool:
        return session in self.sessions


def looked(register: SessionRegistry, connected: Connected, now: float) -> list[str]:
    return register.expire(cast(Runtime, connected), now)


@pytest.fixture
def register(monkeypatch: pytest.MonkeyPatch) -> SessionRegistry:
    """Anna and Bert came at time 0."""
    found = SessionRegistry()
    for name in ("anna", "bert"):
        monkeypatch.setattr(session_expiry, "own_session", lambda name=name: name)
        monkeypatch.setattr(session_expiry, "monotonic", lambda: 0.0)
        found.register()
    return found


def test_a_session_is_over_when_it_was_away_for_too_long(register: SessionRegistry) -> None:
    both, one, nobody = Connected("anna", "bert"), Connected("bert"), Connected()
    assert looked(register, nobody, RECONNECT_SECONDS - 1) == [], "a connection that comes back"
    assert looked(register, both, 1000.0) == []
    assert looked(register, one, 1000.0 + RECONNECT_SECONDS) == []
    assert not register.has_ended("anna")
    assert looked(register, one, 1000.1 + RECONNECT_SECONDS) == ["anna"]
    assert register.has_ended("anna")
    assert looked(register, one, 1000.2 + RECONNECT_SECONDS) == []
    assert not register.has_ended("bert")


def test_what_a_session_remembered_is_emptied_unless_it_is_back(register: SessionRegistry) -> None:
    states = {name: SessionState() for name in ("anna", "bert")}
    for name, state in states.items():
        state["upload"] = b"confidential"
        register._states[name] = state
        register.clear_state(name, cast(Runtime, Connected("bert")))
    assert "upload" not in states["anna"]
    assert states["bert"]["upload"] == b"confidential"
    assert not register._states


@pytest.mark.parametrize("why", ["stopped", "left", "too long", "nothing"])
def test_an_audit_ends_with_its_session(why, register, monkeypatch):
    monkeypatch.setattr(stoppable_thread, "SESSIONS", register)
    job = AuditJob(ClaimsQuery(), 1000, 0, session="carl" if why == "left" else "anna", begun=0.0)
    monkeypatch.setattr(audit_job, "monotonic", lambda: LONGEST_AUDIT_SECONDS + (why == "too long"))
    if why == "stopped":
        job.stop.set()
    assert job._progress(0.5) is (why == "nothing")
    assert job.share == 0.5


def test_an_audit_whose_session_left_draws_nothing() -> None:
    job = AuditJob(ClaimsQuery(mechanism="gaussian", d=3, n=100), 1000, 0, session="nobody greeted")
    job.start()
    job.thread.join(60)
    assert not job.running
    assert (job.found, job.problem) == (None, None)


def test_the_server_asks_nobody_for_its_address_and_keeps_the_commit_of_its_start(monkeypatch):
    def asked(*_: object, **__: object) -> None:
        pytest.fail("it would call somebody else's server")

    monkeypatch.setattr(net_util, "_external_ip", None)
    monkeypatch.setattr(net_util, "_make_blocking_http_get", asked)
    monkeypatch.setattr(warm_up, "SESSIONS", SessionRegistry())
    version.commit.cache_clear()
    inspect.unwrap(warm_up.warm_up)()
    assert net_util.get_external_ip() == "127.0.0.1"
    monkeypatch.setattr(version, "_GIT", "echo checked-out-later")
    assert version.commit() != "checked-out-later"


MEGABYTE = 1 << 20


def made(size: int) -> Dataset:
    rows = np.zeros((size * MEGABYTE // 16, 2))
    return Dataset("made", "made", "made", rows, ("a", "b"), public=True)


def test_what_is_kept_stays_within_its_bytes_and_the_least_used_go_first() -> None:
    loaded: list[str] = []

    def load(key: str) -> Dataset:
        loaded.append(key)
        return made(int(key))

    kept = BuiltInCache(10 * MEGABYTE, load)
    for key in ("4", "3", "2", "4", "1", "3", "5", "3", "1", "4", "11"):
        assert len(kept.get(key).rows) == int(key) * MEGABYTE // 16
        assert kept.size <= 10 * MEGABYTE
    assert loaded == ["4", "3", "2", "1", "5", "4", "11"]
    kept.clear()
    assert kept.size == 0


def test_two_who_ask_at_once_wait_for_one_loading() -> None:
    started, go, times = Event(), Event(), [0]

    def load(key: str) -> Dataset:
        times[0] += 1
        started.set()
        assert go.wait(SOON)
        return made(1)

    kept, found = BuiltInCache(10 * MEGABYTE, load), list[Dataset]()
    threads = [Thread(target=lambda: found.append(kept.get("x"))) for _ in range(6)]
    for thread in threads:
        thread.start()
    assert started.wait(SOON)
    go.set()
    for thread in threads:
        thread.join(SOON)
    assert (times, len(found), len({id(one) for one in found})) == ([1], 6, 1)


def test_a_loading_that_fails_fails_for_each_and_is_not_remembered() -> None:
    kept = BuiltInCache()
    for _ in range(2):
        with pytest.raises(ValueError, match="fewer strong directions"):
            kept.get("wangxu?p=10&k=10")
    assert kept._loading == {}


@pytest.mark.chance(6e-7)
def test_a_large_synthetic_set_is_its_sum_and_a_sample() -> None:
    """A share of the trace has a standard deviation below 1 % here: five of them, both ways."""
    data = load_key("imtiaz")
    n, d = data.people, data.d
    data.problem(3).eigenvectors  # noqa: B018
    assert n * d > 1_000_000
    assert bytes_of(data) < 8 * (2000 * d + 8 * d * d) < 25 * MEGABYTE
    assert len(data.rows) == 2000
    assert np.trace(data.moment) <= n
    # Rows are drawn one after another: the sample is how the whole begins, and S that of all.
    ours = np.trace(data.rows.T @ data.rows) / 2000
    assert ours == pytest.approx(np.trace(data.moment) / n, rel=0.05)


def test_a_set_drawn_in_blocks_is_the_one_drawn_at_once() -> None:
    whole = load_key("imtiaz?n=20000&d=50&seed=3")
    assert len(whole.rows) == 20_000
    blocks = load_key("imtiaz?n=20001&d=50&seed=3")
    assert len(blocks.rows) == 2000
    assert blocks.rows == pytest.approx(whole.rows[:2000], abs=1e-12)
    rest = blocks.moment - whole.moment
    assert np.linalg.eigvalsh(rest)[:-1] == pytest.approx(np.zeros(49), abs=1e-8)
    assert 0 < np.trace(rest) <= 1 + 1e-9
    assert blocks.clipped_rows == pytest.approx(whole.clipped_rows, abs=1e-3)
