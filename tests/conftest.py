"""What holds for every test: one BLAS thread, the same inputs, its own main module."""

import os
import sys
from functools import cache

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

# No deadline: on a busy machine an example takes as long as it takes.
settings.register_profile("fixed", derandomize=True, deadline=None)
# For a search, by hand, for inputs that nobody has thought of: --hypothesis-profile=wide.
settings.register_profile("wide", print_blob=True)
settings.load_profile("fixed")
# The same inputs whichever tests ran before: else constants of all loaded modules are tried, too.
providers._get_local_constants = providers.Constants

MAIN = sys.modules["__main__"]
MOST_CHANCE = 1e-4
"""Of a false failure anywhere in a run, when all random numbers are others than today."""


def pytest_collection_finish(session):
    """Ask each long test for its reason, and all statistical ones together for a small chance."""
    for item in session.items:
        for mark in item.iter_markers("long"):
            if not (mark.args and isinstance(mark.args[0], str)):
                raise pytest.UsageError(f"{item.nodeid}: long(reason) needs its reason.")
    chances = [mark.args[0] for item in session.items for mark in item.iter_markers("chance")]
    if sum(chances) > MOST_CHANCE:
        raise pytest.UsageError(
            f"{len(chances)} statistical tests fail by chance in {sum(chances):.1g} of runs, "
            f"more than {MOST_CHANCE:g}: widen their limits, or have fewer."
        )


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup():
    """Undo what an AppTest leaves: its script as the main module.

    New processes, as Dask starts them, run the main module's file first; a script of an AppTest
    that was made from a function cannot run by itself.
    """
    sys.modules["__main__"] = MAIN


@pytest.fixture(scope="module")
def client():
    """A Dask client with two worker processes; idle ones cost more than new ones."""
    from distributed import Client, LocalCluster

    cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0")
    with cluster, Client(cluster) as connected:
        yield connected


@pytest.fixture(scope="session", autouse=True)
def component_manifests_once():
    """Every AppTest reads the metadata of all installed packages: once is enough."""
    if "streamlit" not in sys.modules:
        yield
        return
    from streamlit.components.v2 import manifest_scanner

    with pytest.MonkeyPatch.context() as patch:
        scan = cache(manifest_scanner.scan_component_manifests)
        patch.setattr(manifest_scanner, "scan_component_manifests", scan)
        yield
