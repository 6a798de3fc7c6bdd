"""What all sessions of a process share: nothing in it follows from anybody's data."""

import ast
import gc
import importlib
from collections.abc import Iterator
from functools import _lru_cache_wrapper, lru_cache
from types import FunctionType, ModuleType

import numpy as np
import pytest

from dpca_core import MECHANISMS, Adjacency, Budget, InfeasibleBudget, Problem
from dpca_core.data.dataset import Dataset
from dpca_core.linalg.arrays import Array
from dpca_core.simulation.draws import TrialDraws
from dpca_core.simulation.trials import run_trials
from tests.paths import ROOT
from ui.eigengap.measurements import entry_noise
from ui.eigengap.noise_figures import GAP_ADAPTIVE
from ui.explore.measurements import Study
from ui.explore.query import ExploreQuery
from ui.sample_size.measurements import SampleSizeMeasurements
from ui.sample_size.query import SampleSizeQuery

ADD = Adjacency.ADD_OR_REMOVE_ONE
BUDGETS = [Budget(2.0, delta, adjacency) for delta in (0.0, 1e-6) for adjacency in Adjacency]


def shared_caches() -> dict[str, object]:
    """Every function of the product that remembers for the whole process."""
    packages = (ROOT / package for package in ("dpca_core", "sample_data", "ui"))
    paths = (path for package in packages for path in package.rglob("*.py"))
    names = (".".join(path.relative_to(ROOT).with_suffix("").parts) for path in paths)
    found: dict[str, object] = {}
    for name in sorted(name for name in names if "make_rand" not in name):
        for own, value in vars(importlib.import_module(name.removesuffix(".__init__"))).items():
            if isinstance(value, _lru_cache_wrapper):
                found[f"{value.__module__}.{value.__qualname__}"] = value
            methods = vars(value).values() if isinstance(value, type) else ()
            assert not any(isinstance(m, _lru_cache_wrapper) for m in methods), f"{name}.{own}"
    return found


def reached(start: object) -> tuple[set[float], list[bytes]]:
    """All numbers and all contents of arrays and bytes that a cache keeps alive."""
    numbers, contents = set[float](), list[bytes]()
    seen, left = set[int](), [start]
    while left:
        one = left.pop()
        if id(one) in seen or isinstance(one, ModuleType | FunctionType | type):
            continue
        seen.add(id(one))
        if isinstance(one, float):
            numbers.add(float(one))
        elif isinstance(one, bytes):
            contents.append(one)
        elif isinstance(one, np.ndarray) and one.dtype.kind in "biuf":
            numbers.update(np.asarray(one, dtype=float).ravel().tolist())
        elif isinstance(one, np.ndarray) and one.dtype.kind == "O":
            left.extend(one.ravel().tolist())
        left.extend(gc.get_referents(one))
    return numbers, contents


@pytest.fixture(scope="module")
def data() -> Dataset:
    rows = np.random.default_rng(20260214).normal(size=(4000, 5)) * (1, 0.8, 0.3, 0.2, 0.1)
    rows /= np.maximum(1, np.linalg.norm(rows, axis=1, keepdims=True))
    return Dataset("upload:x", "x", "x", rows, ("a", "b", "c", "d", "e"))


def secrets_of(problem: Problem) -> Iterator[float]:
    """What nobody outside the session may find: S, its eigenvalues, gaps and eigenvectors."""
    yield from (problem.with_k(k).gap for k in (1, 2, 3))
    for array in (problem.spectrum, problem.moment, problem.eigenvectors):
        yield from array.ravel().tolist()


def leaked(caches: dict[str, object], problem: Problem) -> list[str]:
    def rounded(values: Iterator[float] | set[float]) -> set[float]:
        return {abs(float(f"{v:.12g}")) for v in values if v != 0}

    wanted, found = rounded(secrets_of(problem)), []
    contents = [problem.spectrum.tobytes(), problem.moment.tobytes()]
    for name, cache in caches.items():
        numbers, texts = reached(cache)
        if wanted & rounded(numbers) or any(s in text for s in contents for text in texts):
            found.append(name)
    return found


def test_the_search_finds_what_a_cache_keeps(data: Dataset) -> None:
    @lru_cache
    def by_key(key: float | bytes) -> int:
        return 1

    @lru_cache
    def with_moment(number: int) -> Array:
        return data.problem(number).moment

    problem = data.problem(2)
    caches: dict[str, object] = {"key": by_key, "result": with_moment}
    assert leaked(caches, problem) == []
    for secret in (problem.gap, problem.spectrum.tobytes()):
        by_key.cache_clear()
        by_key(secret)
        assert leaked(caches, problem) == ["key"]
    with_moment(2)
    assert leaked(caches, problem) == ["key", "result"]


def test_no_shared_cache_holds_what_follows_from_the_data(data: Dataset) -> None:
    for mechanism in MECHANISMS.values():
        for budget in BUDGETS:
            for k in (1, 2):
                point = data.point(k, None, budget)
                try:
                    mechanism.guarantee(*point)
                    mechanism.claim(*point)
                    mechanism.calibrate(*point)
                    run_trials(TrialDraws(mechanism, 0, range(1)), [point])
                except InfeasibleBudget:
                    continue
    view = ExploreQuery(MECHANISMS["gaussian"], 2, 1e-6, float(data.people), ADD, 0)
    Study(data, view, tuple(MECHANISMS[key] for key in GAP_ADAPTIVE)).advance(1.0)
    for key in GAP_ADAPTIVE:
        entry_noise(MECHANISMS[key], *data.point(2, None, BUDGETS[-1]))
    asked = SampleSizeQuery(data, 5, 0.3, 2, "captured", 0.9, 0.9, 1.0, 1e-6, ADD, GAP_ADAPTIVE)
    SampleSizeMeasurements().advance(asked, 1.0)
    caches = shared_caches()
    assert "dpca_core.privacy.gaussian.gaussian_sigma" in caches
    assert leaked(caches, data.problem(2)) == []


def test_streamlits_shared_caches_are_of_public_things() -> None:
    """Two functions that Streamlit calls once for all: Papers prepares the project's own cards."""
    cached = set()
    for path in [ROOT / "app.py", *(ROOT / "ui").rglob("*.py"), *(ROOT / "pages").glob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                decorators = [ast.unparse(d) for d in node.decorator_list]
                cached |= {node.name for d in decorators if d.startswith("st.cache")}
    assert cached == {"warm_up", "_prepare_other_cards"}
