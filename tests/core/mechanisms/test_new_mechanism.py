"""A new mechanism is one file, one line of the registry, one document and one naive reference.

A copy of the tree gets these four, as a contributor would add them. The real pages and the audit
run on it, and so do the tests that every mechanism must pass, for the new one alone.
"""

import json
import os
import shutil
import subprocess
import sys

import pytest

from dpca_core import Adjacency
from tests.paths import ROOT

pytestmark = pytest.mark.long("it runs pages and tests on a copy of the tree")

MECHANISM = '''"""Twice the noise of the calibrated Gaussian."""

from dataclasses import dataclass

from dpca_core.linalg.symmetric import symmetrized
from dpca_core.mechanisms.family import Family
from dpca_core.mechanisms.matrix_noise import MatrixNoise
from dpca_core.mechanisms.release import Noise
from dpca_core.privacy.budget import Guarantee, InfeasibleBudget, Notion, Standing
from dpca_core.privacy.gaussian import gaussian_epsilon, gaussian_sigma
from dpca_core.privacy.sensitivity import frobenius


@dataclass(frozen=True)
class DoubledGaussian(MatrixNoise):
    """Isotropic Gaussian noise on S, twice as much as is needed."""

    key = "doubled"
    name = "Doubled Gaussian"
    family = Family.GAUSSIAN
    document = "doubled-gaussian"
    needs_delta = True

    def guarantee(self, problem, budget):
        sigma = self.calibrate(problem, budget).scale
        epsilon = gaussian_epsilon(sigma, budget.delta, frobenius(budget.adjacency))
        return Guarantee(
            epsilon, budget.delta, Notion.APPROXIMATE, Standing.PROVED, budget.adjacency,
            "Balle & Wang 2018, Theorem 8",
        )

    def calibrate(self, problem, budget):
        if budget.delta == 0:
            raise InfeasibleBudget("It needs δ > 0; choose δ, or a pure mechanism.")
        sigma = gaussian_sigma(budget.epsilon, budget.delta, frobenius(budget.adjacency))
        return Noise(2 * sigma, "people", "2τ")

    def matrices(self, d, rng, trials):
        return symmetrized(rng.standard_normal((trials, d, d)))

    @staticmethod
    def entry_std(d):
        return 1.0, 0.5**0.5
'''

DOCUMENT = "# Doubled Gaussian\n\nTwice the noise of [the Gaussian](gaussian.md).\n"

REFERENCE = '''"""Twice the noise of the Gaussian, written naively."""

from math import sqrt

from tests.references.comparison import compared
from tests.references.second_moments import D, S, people, sigma, top


@compared(0.6, 0.8)
def doubled(budget, rng, releases):
    tau = 2 * sigma(budget.epsilon, budget.delta, people(budget.adjacency, 1, sqrt(2)))
    noise = rng.normal(0, tau, (releases, D, D))
    return top(S + (noise + noise.swapaxes(1, 2)) / 2)
'''

CONTRACT = (
    "tests/core/mechanisms/test_every_mechanism.py",
    "tests/references/test_references.py",
)

VISIT = """
import json

from streamlit.testing.v1 import AppTest

import dpca_core
from dpca_core.audit.audit import audit
from dpca_core.audit.audited_pair import worst_pair
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Budget

claims = AppTest.from_file("pages/claims.py", default_timeout=120).run()
assert not claims.exception, claims.exception
for page in ("explore", "compare", "sample_size"):
    opened = AppTest.from_file(f"pages/{page}.py", default_timeout=120)
    opened.query_params["mechanism"] = "doubled"
    opened.run()
    assert not opened.exception, opened.exception
mechanism, budget = MECHANISMS["doubled"], Budget(8.0, 1e-3)
found = audit(mechanism, worst_pair(mechanism, 5, 2, 100, budget), budget, releases=2000)
print(json.dumps({
    "core": dpca_core.__file__,
    "claims": sum("Doubled Gaussian" in element.proto.body for element in claims.get("html")),
    "audited": [found.epsilon_lower, found.guarantee.epsilon, found.convicted],
}))
"""


def with_one_more(registry: str) -> str:
    """Return the registry's text with an import and one line more."""
    line = "        WishartDifference(),\n"
    assert registry.count(line) == 1
    return registry.replace(line, f"{line}        DoubledGaussian(),\n").replace(
        "from dpca_core.mechanisms.base",
        "from dpca_core.mechanisms.doubled_gaussian import DoubledGaussian\n"
        "from dpca_core.mechanisms.base",
    )


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """A copy of the tree with one more mechanism."""
    tree = tmp_path_factory.mktemp("tree")
    ignored = shutil.ignore_patterns("__pycache__")
    for folder in ("dpca_core", "ui", "pages", "papers", "sample_data", "docs", "static", "tests"):
        shutil.copytree(ROOT / folder, tree / folder, ignore=ignored)
    registry = tree / "dpca_core" / "mechanisms" / "registry.py"
    registry.write_text(with_one_more(registry.read_text("utf-8")), "utf-8")
    (registry.parent / "doubled_gaussian.py").write_text(MECHANISM, "utf-8")
    (tree / "docs" / "doubled-gaussian.md").write_text(DOCUMENT, "utf-8")
    (tree / "tests" / "references" / "doubled.py").write_text(REFERENCE, "utf-8")
    shutil.copy(ROOT / "pyproject.toml", tree)
    return tree


def run_in(tree, *arguments):
    """Run Python on the copy and return what it printed."""
    run = subprocess.run(
        [sys.executable, *arguments],
        cwd=tree,
        env=os.environ | {"PYTHONPATH": str(tree)},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, (run.stdout + run.stderr)[-3000:]
    return run.stdout


def test_it_passes_what_every_mechanism_must(copied):
    options = ("-q", "-p", "no:cacheprovider", "-k", "doubled", "-rA")
    printed = run_in(copied, "-m", "pytest", *options, *CONTRACT)
    for path in CONTRACT:
        assert f"PASSED {path}::" in printed
    for adjacency in Adjacency:
        assert f"the_naive_mechanism[doubled-{adjacency}]" in printed
    assert "FAILED" not in printed
    assert "SKIPPED" not in printed


def test_without_its_reference_it_is_noticed(copied, tmp_path):
    reference = copied / "tests" / "references" / "doubled.py"
    kept = reference.rename(tmp_path / "doubled.py")
    with pytest.raises(AssertionError, match="doubled"):
        run_in(copied, "-m", "pytest", "-q", "-k", "has_a_reference", CONTRACT[1])
    shutil.move(kept, reference)


def test_pages_open_with_it_and_it_is_audited(copied):
    (copied / "visit.py").write_text(VISIT, "utf-8")
    seen = json.loads(run_in(copied, "visit.py").splitlines()[-1])
    assert seen["core"].startswith(str(copied))
    assert seen["claims"] > 0
    shown, guaranteed, convicted = seen["audited"]
    assert 0 < shown <= guaranteed < 8
    assert not convicted
