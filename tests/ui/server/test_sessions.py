"""Sessions that have left: when they are over, what ends with them, and what all share."""

import inspect
from collections.abc import Callable, Iterator
from threading import Event, Thread
from typing import cast

import pytest
from streamlit import net_util
from streamlit.runtime import Runtime
from streamlit.runtime.state import SessionState

import app
from dpca_core import MECHANISMS, Budget
from dpca_core.data.dataset import Dataset
from sample_data import load_key
from tests.ui.server.processes import SOON
from ui.claims import measurements
from ui.claims.measurements import LONGEST_AUDIT_SECONDS, AuditJob, ClaimsQuery
from ui.server import built_in as built_in_module
from ui.server import sessions, workers
from ui.server.built_in import built_in
from ui.server.sessions import RECONNECT_SECONDS, SessionRegistry

ASKED = ClaimsQuery(MECHANISMS["gaussian"], Budget(1.0, 1e-6), 3, 100, 2)


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
        monkeypatch.setattr(sessions, "own_session", lambda name=name: name)
        monkeypatch.setattr(sessions, "monotonic", lambda: 0.0)
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
    monkeypatch.setattr(workers, "SESSIONS", register)
    job = AuditJob(ASKED, 1000, 0, session="carl" if why == "left" else "anna", begun=0.0)
    monkeypatch.setattr(
        measurements, "monotonic", lambda: LONGEST_AUDIT_SECONDS + (why == "too long")
    )
    if why == "stopped":
        job.stop.set()
    assert job._progress(0.5) is (why == "nothing")
    assert job.share == 0.5


def test_an_audit_whose_session_left_draws_nothing() -> None:
    job = AuditJob(ASKED, 1000, 0, session="nobody greeted")
    job.start()
    job.thread.join(60)
    assert not job.running
    assert (job.found, job.problem) == (None, None)


def test_the_server_asks_nobody_for_its_address(monkeypatch):
    def asked(*_: object, **__: object) -> None:
        pytest.fail("it would call somebody else's server")

    monkeypatch.setattr(net_util, "_external_ip", None)
    monkeypatch.setattr(net_util, "_make_blocking_http_get", asked)
    monkeypatch.setattr(app, "SESSIONS", SessionRegistry())
    inspect.unwrap(app.warm_up)()
    assert net_util.get_external_ip() == "127.0.0.1"


def test_a_fault_in_a_check_is_logged_and_the_next_check_comes(monkeypatch, caplog):
    register, checks = SessionRegistry(), list[int]()

    def check() -> None:
        checks.append(1)
        if len(checks) == 1:
            raise RuntimeError("lost")
        raise SystemExit

    monkeypatch.setattr(sessions, "sleep", lambda seconds: None)
    register.on_check.append(check)
    with pytest.raises(SystemExit):
        register._check_forever()
    assert len(checks) == 2
    assert "the next one comes" in caplog.text


@pytest.fixture
def loading(
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Callable[[Callable[[str], Dataset]], None]]:
    """Put another way to load in the place of the product's, with nothing kept."""
    built_in.cache_clear()
    yield lambda load: monkeypatch.setattr(built_in_module, "load_key", load)
    built_in.cache_clear()


def test_two_who_ask_at_once_wait_for_one_loading_and_others_do_not(loading) -> None:
    started, go, asked = Event(), Event(), list[str]()

    def load(key: str) -> Dataset:
        asked.append(key)
        if key == "wine":
            started.set()
            assert go.wait(SOON)
        return load_key(key)

    loading(load)
    found = list[Dataset]()
    threads = [Thread(target=lambda: found.append(built_in("wine"))) for _ in range(6)]
    for thread in threads:
        thread.start()
    assert started.wait(SOON)
    assert built_in("rand").d > 0
    go.set()
    for thread in threads:
        thread.join(SOON)
    assert (asked, len({id(one) for one in found})) == (["wine", "rand"], 1)


def test_a_loading_that_fails_fails_for_each_and_is_not_remembered(loading) -> None:
    loading(load_key)
    for _ in range(2):
        with pytest.raises(ValueError, match="fewer strong directions"):
            built_in("wangxu?p=10&k=10")
    assert len(built_in.cache) == 0
