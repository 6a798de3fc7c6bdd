"""The documents: complete and linked, and numbers on which a promise rests."""

import re
from itertools import product
from math import expm1, sqrt

import numpy as np
import pytest

from dpca_core import MECHANISMS, Adjacency, Budget, Problem
from dpca_core.privacy.gaussian import classic_gaussian_sigma, gaussian_epsilon, gaussian_sigma
from dpca_core.privacy.inference_risk import gaussian_guess_probability, guess_probability
from dpca_core.privacy.sensitivity import frobenius, gap_change, nuclear, upper_triangle_l1
from dpca_core.privacy.smooth_sensitivity import local_sensitivity
from tests.paths import ROOT
from tests.references.worst_person import any_person
from ui.text.documents import DOCUMENTS, FOLDER, text_of


def texts(*folders):
    paths = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    return [path.read_text("utf-8") for path in [*paths, ROOT / "README.md"]]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_has_a_title_and_links_that_lead_somewhere(name):
    """Its formulas are rendered by tests/browser/test_site.py."""
    text = (FOLDER / f"{name}.md").read_text("utf-8")
    assert re.fullmatch(r"# \S.*", text.partition("\n")[0])
    assert all((FOLDER / target).is_file() for target in re.findall(r"\]\(([^)]+)\)", text))
    assert ".md)" not in text_of(name)


def test_documents_and_paths_that_are_named_exist():
    """In guarantees and claims of every mechanism, in code, and in the files for newcomers."""
    named = set(re.findall(r"docs/([\w-]+)\.md", " ".join(texts("dpca_core", "ui", "sample_data"))))
    problem = Problem.from_moment(np.diag([60.0, 40, 10, 5]), 200, 2)
    for mechanism, adjacency in product(MECHANISMS.values(), Adjacency):
        budget = Budget(0.9, 1e-6, adjacency)
        for promised in (mechanism.guarantee(problem, budget), mechanism.claim(problem, budget)):
            source = promised.source if promised else ""
            named |= set(re.findall(r"docs/([\w-]+)\.md", source))
    assert len(named) > 10
    assert named <= set(DOCUMENTS) == {path.stem for path in FOLDER.glob("*.md")}
    for name in ("README.md", "CONTRIBUTING.md", "docs/architecture.md"):
        paths = re.findall(r"`((?:[\w.]+/)+[\w.]*)`", (ROOT / name).read_text("utf-8"))
        missing = [path for path in paths if not (ROOT / path).exists()]
        assert set(missing) <= {"ui/x/", "pages/x.py", "lessons/x.md", "lessons/x.py"}
    contributing, tests = (ROOT / "CONTRIBUTING.md").read_text("utf-8"), " ".join(texts("tests"))
    named = re.findall(r"`(test_\w+)`", contributing)
    assert len(named) > 5
    assert [name for name in named if f"def {name}(" not in tests] == []


@pytest.mark.parametrize("adjacency", Adjacency)
def test_several_rows_a_person_keep_every_bound(adjacency):
    """Random search, d ≤ 4 and every k: no change of S passes the table of the conventions."""
    rng = np.random.default_rng(1)
    for trial in range(2000):
        d = 2 + trial % 3
        base = rng.normal(size=(d, d)) * rng.uniform(0.5, 4)
        base, before, after = base @ base.T, any_person(rng, d), any_person(rng, d)
        before = before * (adjacency is Adjacency.REPLACE_ONE)
        difference = after - before
        values = np.linalg.eigvalsh(difference)
        assert np.abs(values).max() <= 1 + 1e-9
        assert np.linalg.norm(difference) <= frobenius(adjacency) + 1e-9
        assert np.abs(values).sum() <= nuclear(adjacency) + 1e-9
        assert np.abs(np.triu(difference)).sum() <= upper_triangle_l1(d, adjacency) + 1e-9
        for k in range(1, d):
            here, there = (Problem(base + person, 1e9, k) for person in (before, after))
            assert abs(here.gap - there.gap) <= gap_change(adjacency) + 1e-9
            cosines = np.linalg.svd(here.basis.T @ there.basis, compute_uv=False)
            turned = sqrt(max(0.0, float((2 - 2 * np.minimum(cosines, 1)).sum())))
            assert turned <= local_sensitivity(here.gap, d, k, adjacency) + 1e-6


def test_the_gaussian_numbers_stated():
    sigma, printed = gaussian_sigma(1.0, 1e-6, 1.0), classic_gaussian_sigma(1.0, 1e-6)
    assert (sigma, printed) == pytest.approx((4.22, 5.30), abs=0.005)
    assert gaussian_epsilon(printed, 1e-6, 1.0) == pytest.approx(0.784, abs=5e-4)
    assert 1.138 < gaussian_epsilon(printed, 1e-6, sqrt(2)) < 1.139
    assert gaussian_guess_probability(sigma) == pytest.approx(0.547, abs=5e-4)
    assert guess_probability(1.0, 1e-6) == pytest.approx(0.731, abs=5e-4)
    row = gaussian_sigma(1 / 5, 1e-6 * expm1(1 / 5) / expm1(1), 1.0)
    assert (5 * sigma, row) == pytest.approx((21.12, 21.17), abs=0.005)
