"""One BLAS thread for every test, set before numpy is imported; every run tries the same inputs."""

import gc
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import pytest
from hypothesis import settings

# No deadline: on a busy machine an example takes as long as it takes.
settings.register_profile("fixed", derandomize=True, deadline=None)
# For a search, by hand, for inputs that nobody has thought of: --hypothesis-profile=wide.
settings.register_profile("wide", print_blob=True)
settings.load_profile("fixed")

# What is imported and collected stays: looking there for garbage takes a third of the collection.
gc.disable()

TESTS = Path(__file__).parent
MAIN = sys.modules["__main__"]


def pytest_sessionstart(session: pytest.Session) -> None:
    """Let each of several processes compile a part of the files first, for all.

    In a new checkout nothing is compiled, and all would begin with the same file.
    """
    worker = getattr(session.config, "workerinput", None)
    if worker is None:
        return
    first = int(worker["workerid"].removeprefix("gw"))
    for path in sorted(TESTS.rglob("test_*.py"))[first :: worker["workercount"]]:
        # What cannot be imported fails where it is collected.
        with suppress(Exception):
            import_module(".".join(path.relative_to(TESTS.parent).with_suffix("").parts))


BROWSERS = {"browser", "browser_page"}
WAITED_IN_VAIN = ["TimeoutError: ", r"(Locator|Page \w+) expected to"]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let tests in a browser try once more what it waited for in vain; the report names them.

    On a machine that is busy with the tests themselves a click can fall beside a button that is
    just drawn anew; a second time fails. Not for all tests: the plugin asks a server of its own
    before each of them, which takes 40 ms.
    """
    again = pytest.mark.flaky(reruns=1, only_rerun=WAITED_IN_VAIN)
    for item in items:
        if _in_a_browser(item):
            item.add_marker(again)
    workers = int(getattr(config, "workerinput", {"workercount": 1})["workercount"])
    if workers > 1:
        items[:] = _dealt(items, workers)


def _in_a_browser(item: pytest.Item) -> bool:
    return bool(BROWSERS.intersection(getattr(item, "fixturenames", ())))


def _dealt(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """Order tests so that two workers begin with those of the workbench in a browser.

    Each worker is given one stretch of the tests, and who is done takes the end of another's: so
    two of them start the server and a browser, once, and nobody does in between. The third begins
    with what needs a browser alone, and what mostly waits: at the end nobody would work meanwhile.
    """
    first: list[list[pytest.Item]] = [[], [], []]
    rest, modules = list[pytest.Item](), dict[Path, int]()
    for item in items:
        if item.path.parent == TESTS / "browser":
            first[modules.setdefault(item.path, len(modules)) % 2].append(item)
        elif _in_a_browser(item) or item.get_closest_marker("waits"):
            first[2].append(item)
        else:
            rest.append(item)
    if workers == 2:
        first[1:] = [first[1] + first[2]]
    ordered, left = list[pytest.Item](), len(items)
    for worker in range(workers):
        size = left // (workers - worker)
        begin = first[worker] if worker < len(first) else []
        more = max(0, size - len(begin))
        ordered += begin + rest[:more]
        del rest[:more]
        left -= size
    return ordered + rest


def pytest_collection_finish() -> None:
    """Leave what was collected out of every later search for garbage."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Undo what an AppTest leaves: its script as the main module.

    New processes, as Dask starts them, run the main module's file first; a script of an AppTest
    that was made from a function cannot run by itself.
    """
    sys.modules["__main__"] = MAIN


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """A Dask client with two worker processes; idle ones cost more than new ones."""
    from distributed import Client, LocalCluster

    cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0")
    with cluster, Client(cluster) as connected:
        yield connected


@pytest.fixture(scope="session", autouse=True)
def component_manifests_once() -> Iterator[None]:
    """Every AppTest reads the metadata of all installed packages: once is enough."""
    if "streamlit" not in sys.modules:
        yield
        return
    from streamlit.components.v2 import manifest_scanner

    with pytest.MonkeyPatch.context() as patch:
        scan = cache(manifest_scanner.scan_component_manifests)
        patch.setattr(manifest_scanner, "scan_component_manifests", scan)
        yield
