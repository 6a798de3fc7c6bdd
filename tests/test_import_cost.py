"""``import dpca_core`` loads little besides NumPy: ``python -X importtime`` has the seconds."""

import json
import subprocess
import sys

import pytest

EXPENSIVE = {
    "dask", "numpy.f2py", "numpy.testing", "pandas", "plotly", "pyarrow", "scipy.linalg",
    "scipy.optimize", "scipy.special", "scipy.stats", "sklearn", "streamlit",
}  # fmt: skip
SWEEP, ESTIMATOR = "dpca_core.simulation.sweep", "dpca_core.estimator"


def loaded(statement):
    """Names of the modules that a new interpreter has after a statement."""
    code = f"import json, sys; {statement}; print(json.dumps(list(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return set(json.loads(found.stdout))


@pytest.mark.parametrize(
    ("statement", "there", "absent"),
    [
        ("from dpca_core import MECHANISMS, Budget, Problem, sweep", SWEEP, EXPENSIVE),
        ("import dpca_core", "dpca_core", {"numpy", "dpca_core.release", "dpca_core.mechanisms"}),
        ("sys.modules['sklearn'] = None; from dpca_core import *; sweep, plot", SWEEP, {ESTIMATOR}),
    ],
)  # fmt: skip
def test_nothing_is_loaded_before_it_is_used(statement, there, absent):
    found = loaded(statement)
    assert there in found
    assert found & absent == set()
