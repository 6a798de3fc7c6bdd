"""``import dpca_core`` loads little besides NumPy; benchmarks/import_cost.py has the seconds."""

import json
import subprocess
import sys

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
    names = loaded("import dpca_core")
    assert "dpca_core.simulation.sweep" in names
    assert names & EXPENSIVE == set()


def test_scipy_is_loaded_at_the_first_use() -> None:
    names = loaded("from dpca_core.privacy.gaussian import gaussian_sigma as f; f(1.0, 1e-6, 1.0)")
    assert "scipy.special" in names
    assert "scipy.optimize" not in names
