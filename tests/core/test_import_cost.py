"""``import dpca_core`` loads little besides NumPy; benchmarks/import_cost.py has the seconds."""

import json
import subprocess
import sys

import pytest

import dpca_core

EXPENSIVE = {
    "dask", "numpy.f2py", "numpy.testing", "pandas", "plotly", "pyarrow", "scipy.linalg",
    "scipy.optimize", "scipy.special", "scipy.stats", "sklearn", "streamlit",
}  # fmt: skip


def loaded(statement: str) -> set[str]:
    """Names of the modules that a new interpreter has after a statement."""
    code = f"import json, sys; {statement}; print(json.dumps(list(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return set(json.loads(found.stdout))


def test_the_library_imports_nothing_expensive() -> None:
    names = loaded("from dpca_core import MECHANISMS, Budget, Problem, sweep")
    assert "dpca_core.simulation.sweep" in names
    assert names & EXPENSIVE == set()


def test_the_package_alone_loads_nothing_of_itself() -> None:
    """What verifies certificates lies in it, and must not load what draws releases."""
    names = loaded("import dpca_core")
    assert {name for name in names if name.startswith(("dpca_core", "numpy"))} == {"dpca_core"}


def test_every_name_that_is_offered_is_there_and_listed() -> None:
    assert dir(dpca_core) == sorted([*dpca_core.__all__, "__version__"])
    for name in {*dir(dpca_core)} - {"PrivatePCA"}:
        assert getattr(dpca_core, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = dpca_core.nothing


def test_without_scikit_learn_all_the_rest_can_be_imported_at_once() -> None:
    names = loaded("sys.modules['sklearn'] = None; from dpca_core import *; sweep, plot")
    assert "dpca_core.simulation.sweep" in names
    assert "dpca_core.estimator" not in names
    assert "dpca_core.estimator" in loaded("from dpca_core import *; PrivatePCA")


def test_scipy_is_loaded_at_the_first_use() -> None:
    names = loaded("from dpca_core.privacy.gaussian import gaussian_sigma as f; f(1.0, 1e-6, 1.0)")
    assert "scipy.special" in names
    assert "scipy.optimize" not in names
