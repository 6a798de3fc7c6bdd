"""Sessions that have left: when they are over, and that nothing shared follows from their data."""

import gc
import importlib
from contextlib import suppress
from functools import _lru_cache_wrapper, lru_cache
from itertools import product
from types import FunctionType, ModuleType

import numpy as np
import pytest
from cachetools import Cache, LRUCache
from streamlit.runtime.state import SessionState

from dpca_core import MECHANISMS, Adjacency, Budget, InfeasibleBudget
from dpca_core.data.dataset import Dataset
from dpca_core.simulation.trials import TrialDraws, run_trials
from tests.paths import ROOT
from tests.product_source import MODULES, PRODUCT, within
from ui.eigengap.figures import GAP_ADAPTIVE, entry_noise
from ui.explore.query import Along
from ui.explore.study import Study
from ui.sample_size.measurements import SampleSizeMeasurements
from ui.sample_size.query import SampleSizeQuery
from ui.server import sessions
from ui.server.scheduler import take_steps
from ui.server.sessions import RECONNECT_SECONDS, SessionRegistry


class Connected(set[str]):
    """What a look asks of Streamlit's runtime."""

    is_active_session = set.__contains__


@pytest.fixture
def register(monkeypatch):
    """Anna and Bert came at time 0."""
    found = SessionRegistry()
    for name in ("anna", "bert"):
        monkeypatch.setattr(sessions, "own_session", lambda name=name: name)
        monkeypatch.setattr(sessions, "monotonic", lambda: 0.0)
        found.register()
    return found


def test_a_session_is_over_when_it_was_away_for_too_long(register):
    both, one = Connected({"anna", "bert"}), Connected({"bert"})
    for connected, now, ended in (
        (Connected(), RECONNECT_SECONDS - 1, []),  # it may come back
        (both, 1000.0, []),
        (one, 1000.0 + RECONNECT_SECONDS, []),
        (one, 1000.1 + RECONNECT_SECONDS, ["anna"]),
        (one, 1000.2 + RECONNECT_SECONDS, []),
    ):
        assert register.has_ended("anna") == (now > 1000.1 + RECONNECT_SECONDS)
        assert register.expire(connected, now) == ended
    assert not register.has_ended("bert")


def test_what_a_session_remembered_is_emptied_unless_it_is_back(register):
    states = {name: SessionState() for name in ("anna", "bert")}
    for name, state in states.items():
        state["upload"] = b"confidential"
        register._states[name] = state
        register.clear_state(name, Connected({"bert"}))
    assert ["upload" in state for state in states.values()] == [False, True]
    assert not register._states


def test_a_fault_in_a_check_is_logged_and_the_next_check_comes(monkeypatch, caplog):
    register, faults = SessionRegistry(), iter([RuntimeError("lost"), SystemExit])

    def check():
        raise next(faults)

    monkeypatch.setattr(sessions, "sleep", lambda seconds: None)
    register.on_check.append(check)
    with pytest.raises(SystemExit):
        register._check_forever()
    assert "the next one comes" in caplog.text


# --- What all sessions of a process share ---


def shared_caches():
    """Whatever of the product remembers for the whole process, by its name."""
    found = {}
    for name in MODULES:
        if not within(name, "dpca_core", "sample_data", "ui"):
            continue
        for own, value in vars(importlib.import_module(name)).items():
            kept = getattr(value, "cache", value)
            if isinstance(kept, _lru_cache_wrapper | Cache):
                found[f"{getattr(value, '__module__', name)}.{own}"] = kept
            methods = vars(value).values() if isinstance(value, type) else ()
            assert not any(isinstance(m, _lru_cache_wrapper) for m in methods), f"{name}.{own}"
    return found


def reached(start):
    """All that a cache keeps alive, but for code."""
    seen, left = {}, [start]
    while left:
        one = left.pop()
        if id(one) in seen or isinstance(one, ModuleType | FunctionType | type):
            continue
        seen[id(one)] = one
        left += gc.get_referents(one)
        if isinstance(one, np.ndarray) and one.dtype.kind == "O":
            left += one.ravel().tolist()
    return seen.values()


def leaked(caches, problem):
    """Names of caches that hold S, its eigenvalues, gaps or eigenvectors: a number, or bytes."""
    gaps = np.array([problem.with_k(k).gap for k in (1, 2, 3)])
    arrays = problem.spectrum, problem.moment, problem.eigenvectors, gaps

    def digits(values):
        return {abs(float(f"{value:.12g}")) for value in np.ravel(values).tolist()} - {0.0}

    def is_secret(one):
        if isinstance(one, bytes):
            return any(array.tobytes() in one for array in arrays[:2])
        array = isinstance(one, np.ndarray) and one.dtype.kind in "biuf"
        return (array or isinstance(one, float)) and not digits(one).isdisjoint(secrets)

    secrets = digits(np.concatenate([array.ravel() for array in arrays]))
    return [name for name, cache in caches.items() if any(map(is_secret, reached(cache)))]


@pytest.fixture(scope="module")
def data():
    rows = np.random.default_rng(20260214).normal(size=(4000, 5)) * (1, 0.8, 0.3, 0.2, 0.1)
    rows /= np.maximum(1, np.linalg.norm(rows, axis=1, keepdims=True))
    return Dataset("upload:x", "x", rows, ("a", "b", "c", "d", "e"))


def test_the_search_finds_what_a_cache_keeps(data):
    problem = data.problem(2)
    for secret in (problem.gap, problem.spectrum.tobytes()):
        kept, by_key = LRUCache(1), lru_cache(lambda given: [given])
        assert leaked({"kept": kept, "key": by_key}, problem) == []
        kept["result"] = secret
        by_key(secret)
        assert leaked({"kept": kept, "key": by_key}, problem) == ["kept", "key"]


def test_no_shared_cache_holds_what_follows_from_the_data(data):
    budgets = [Budget(2.0, delta, adjacency) for delta in (0, 1e-6) for adjacency in Adjacency]
    for mechanism, budget in product(MECHANISMS.values(), budgets):
        point = data.point(2, None, budget)
        with suppress(InfeasibleBudget):
            for ask in (mechanism.guarantee, mechanism.claim, mechanism.calibrate):
                ask(*point)
            run_trials(TrialDraws(mechanism, 0, range(1)), [point])
    asked_along = Along(0.1, 1e-6, float(data.people), 2, Adjacency.ADD_OR_REMOVE_ONE)
    Study(data, asked_along, GAP_ADAPTIVE).advance()
    for mechanism in GAP_ADAPTIVE:
        entry_noise(mechanism, *data.point(2, None, budgets[-1]))
    keys = tuple(mechanism.key for mechanism in GAP_ADAPTIVE)
    asked = SampleSizeQuery(data, 5, 0.3, 2, "captured", 0.9, 0.9, Budget(1.0, 1e-6), keys)
    take_steps(SampleSizeMeasurements().steps(asked), 1.0)
    caches = shared_caches()
    some = {"dpca_core.privacy.gaussian.gaussian_sigma", "ui.owner.decide_plans._simulation"}
    assert some <= caches.keys()
    assert leaked(caches, data.problem(2)) == []


def test_streamlit_keeps_nothing_for_all_sessions():
    assert [path for path in PRODUCT if "st.cache" in (ROOT / path).read_text("utf-8")] == []
