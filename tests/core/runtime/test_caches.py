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

PACKAGES = ("dpca_core", "sample_data", "ui")
BUDGETS = [Budget(2.0, delta, adjacency) for delta in (0.0, 1e-6) for adjacency in Adjacency]

Reached = tuple[set[float], list[bytes]]


def modules() -> list[ModuleType]:
    paths = (p.relative_to(ROOT) for package in PACKAGES for p in (ROOT / package).rglob("*.py"))
    names = (".".join(p.with_suffix("").parts).removesuffix(".__init__") for p in paths)
    return [importlib.import_module(name) for name in sorted(names) if "make_rand" not in name]


def shared_caches() -> dict[str, object]:
    """Every function of the product that remembers for the whole process."""
    found = {}
    for module in modules():
        for name, value in vars(module).items():
            if isinstance(value, _lru_cache_wrapper):
                found[f"{value.__module__}.{value.__qualname__}"] = value
            elif isinstance(value, type):
                for own, method in vars(value).items():
                    assert not isinstance(method, _lru_cache_wrapper), f"{module}.{name}.{own}"
    return found


def reached(start: object) -> Reached:
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
        elif isinstance(one, np.ndarray) and one.dtype.kind not in "biuf":
            # A table's texts and mixed cells.
            left.extend(one.ravel().tolist() if one.dtype.kind == "O" else [])
        elif isinstance(one, np.ndarray):
            numbers.update(np.asarray(one, dtype=float).ravel().tolist())
        left.extend(gc.get_referents(one))
    return numbers, contents


@pytest.fixture(scope="module")
def data() -> Dataset:
    rows = np.random.default_rng(20260214).normal(size=(4000, 5)) * (1, 0.8, 0.3, 0.2, 0.1)
    rows /= np.maximum(1, np.linalg.norm(rows, axis=1, keepdims=True))
    return Dataset("upload:x", "x", "x", rows, ("a", "b", "c", "d", "e"))


def secrets_of(problem: Problem) -> Iterator[float]:
    """What nobody outside the session may find: S, its eigenvalues, gaps and eigenvectors."""
    for k in (1, 2, 3):
        yield problem.with_k(k).gap
    yield from problem.spectrum.tolist()
    yield from problem.moment.ravel().tolist()
    yield from problem.eigenvectors.ravel().tolist()


def leaked(caches: dict[str, object], problem: Problem) -> list[str]:
    wanted = {abs(float(f"{v:.12g}")) for v in secrets_of(problem) if v != 0}
    contents = [problem.spectrum.tobytes(), problem.moment.tobytes()]
    found = []
    for name, cache in caches.items():
        numbers, texts = reached(cache)
        if wanted & {abs(float(f"{v:.12g}")) for v in numbers} or any(
            secret in text for secret in contents for text in texts
        ):
            found.append(name)
    return found


def test_the_search_finds_what_a_cache_keeps(data: Dataset) -> None:
    @lru_cache
    def by_gap(gap: float) -> int:
        return 1

    @lru_cache
    def by_spectrum(spectrum: bytes) -> int:
        return 1

    @lru_cache
    def with_moment(number: int) -> Array:
        return data.problem(number).moment

    problem = data.problem(2)
    caches: dict[str, object] = {"gap": by_gap, "bytes": by_spectrum, "result": with_moment}
    assert leaked(caches, problem) == []
    by_gap(problem.gap)
    by_spectrum(problem.spectrum.tobytes())
    with_moment(2)
    assert leaked(caches, problem) == ["gap", "bytes", "result"]


def test_no_shared_cache_holds_what_follows_from_the_data(data: Dataset) -> None:
    for mechanism in MECHANISMS.values():
        for budget in BUDGETS:
            for k in (1, 2):
                try:
                    points = [data.point(k, None, budget)]
                    mechanism.guarantee(*points[0])
                    mechanism.claim(*points[0])
                    mechanism.calibrate(*points[0])
                    run_trials(TrialDraws(mechanism, 0, range(1)), points)
                except InfeasibleBudget:
                    continue
    view = ExploreQuery(
        MECHANISMS["gaussian"], 2, 1e-6, float(data.people), Adjacency.ADD_OR_REMOVE_ONE, 0
    )
    study = Study(data, view, tuple(MECHANISMS[key] for key in GAP_ADAPTIVE))
    study.advance(1.0)
    problem, budget = data.point(2, None, BUDGETS[-1])
    for key in GAP_ADAPTIVE:
        entry_noise(MECHANISMS[key], problem, budget)
    asked = SampleSizeQuery(
        data, 5, 0.3, 2, "captured", 0.9, 0.9, 1.0, 1e-6, Adjacency.ADD_OR_REMOVE_ONE, GAP_ADAPTIVE
    )
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
