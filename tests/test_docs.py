"""The documents: complete, linked, rendered, and their numbers checked."""

import re
import warnings
from math import exp, sqrt
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom
from streamlit.testing.v1 import AppTest

from dpca_core import MECHANISMS, Adjacency, Budget, Problem
from dpca_core.accounting import classic_gaussian_sigma, gaussian_delta
from dpca_core.sensitivity import (
    frobenius,
    gap_change,
    local_sensitivity,
    nuclear,
    upper_triangle_l1,
)
from ui.documents import DOCUMENTS, FOLDER, text_of, title_of

ROOT = Path(__file__).resolve().parents[1]
EVERY = pytest.mark.parametrize("name", DOCUMENTS)


def text(name):
    return (FOLDER / f"{name}.md").read_text("utf-8")


def test_every_document_is_in_the_menu():
    assert {path.stem for path in FOLDER.glob("*.md")} == set(DOCUMENTS)


@EVERY
def test_a_document_has_a_title_and_balanced_mathematics(name):
    assert re.fullmatch(r"# \S.*", text(name).partition("\n")[0])
    for paragraph in text(name).split("\n\n"):
        assert paragraph.count("$") % 2 == 0
        assert paragraph.count("{") == paragraph.count("}")
        assert paragraph.count(r"\begin") == paragraph.count(r"\end")
        assert paragraph.count(r"\bigl") == paragraph.count(r"\bigr")
        assert paragraph.count(r"\Bigl") == paragraph.count(r"\Bigr")


@EVERY
def test_links_lead_somewhere(name):
    for target in re.findall(r"\]\(([^)]+)\)", text(name)):
        assert (FOLDER / target).is_file()
    assert ".md)" not in text_of(name)


def test_documents_named_in_the_code_exist():
    named = set()
    for folder in ("dpca_core", "ui", "pages", "sample_data"):
        for path in (ROOT / folder).rglob("*.py"):
            named |= set(re.findall(r"docs/([\w-]+)\.md", path.read_text("utf-8")))
    named |= set(re.findall(r"docs/([\w-]+)\.md", (ROOT / "README.md").read_text("utf-8")))
    assert named
    assert named <= set(DOCUMENTS)


def run_page(**query):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        page = AppTest.from_file(str(ROOT / "pages" / "proofs.py"), default_timeout=30)
        for key, value in query.items():
            page.query_params[key] = value
        return page.run()


@EVERY
def test_the_page_shows_each_document(name):
    page = run_page(document=name)
    assert not page.exception
    assert page.selectbox(key="document").value == name
    assert any(title_of(name) in block.value for block in page.markdown)


def test_the_page_lists_every_mechanism():
    table = next(b.value for b in run_page().markdown if b.value.startswith("| mechanism"))
    rows = {row.split(" | ")[0].strip("| *"): row for row in table.splitlines()[2:]}
    assert set(rows) == {m.name for m in MECHANISMS.values()}
    assert "(ε, δ)-DP with ε\u00a0=\u00a01, δ\u00a0=\u00a010⁻⁶ | proved |" in rows["Gaussian"]


# --- Numbers the documents state ---


def test_one_wishart_proves_absence_as_often_as_stated():
    """20,000 draws at d = 4; a deviation of 4.9 standard errors: 1 in 10⁶ by chance."""
    rng, s, d, draws = np.random.default_rng(0), 0.5, 4, 20_000
    frames = rng.standard_normal((draws, d, d + 1))
    wishart = s * frames @ frames.swapaxes(1, 2)
    x = np.array([0.5, 0.5, -0.5, 0.5])
    proofs = np.linalg.eigvalsh(wishart - np.outer(x, x))[:, 0] < 0
    stated = 1 - exp(-1 / (2 * s))
    assert stated == pytest.approx(0.632, abs=5e-4)
    assert abs(proofs.mean() - stated) < 4.9 * sqrt(stated * (1 - stated) / draws)


@pytest.mark.parametrize(("delta", "last"), [(1e-2, 6.8), (1e-5, 8.4), (1e-9, 9.6)])
def test_the_classic_formula_stops_where_stated(delta, last):
    def enough(epsilon):
        return gaussian_delta(classic_gaussian_sigma(epsilon, delta), epsilon, 1.0) <= delta

    assert enough(last - 0.1)
    assert not enough(last + 0.1)


def test_the_order_statistic_is_the_one_stated():
    assert binom.sf(4, 200, 0.05) >= 0.95 > binom.sf(5, 200, 0.05)
    assert binom.sf(0, 59, 0.05) >= 0.95 > binom.sf(0, 58, 0.05)


def psd_part(rng, d, rows):
    """What a person with several rows, of m at most, adds to S: PSD with trace at most 1."""
    x = rng.normal(size=(rng.integers(1, rows + 1), d))
    x /= np.maximum(np.linalg.norm(x, axis=1, keepdims=True), rng.random())
    return x.T @ x / rows


@pytest.mark.parametrize("adjacency", Adjacency)
@pytest.mark.parametrize("rows", [1, 3])
def test_several_rows_a_person_keep_every_bound(adjacency, rows):
    """Random search, d ≤ 4 and every k: no change of S passes the table of the conventions."""
    rng = np.random.default_rng(rows)
    for trial in range(3000):
        d = 2 + trial % 3
        change = psd_part(rng, d, rows)
        base = rng.normal(size=(d, d)) * rng.uniform(0.5, 4)
        base = base @ base.T
        before = base + (other := psd_part(rng, d, rows))
        if adjacency is Adjacency.REPLACE_ONE:
            after, difference = base + change, change - other
        else:
            after, difference = before + change, change
        values = np.linalg.eigvalsh(difference)
        assert np.abs(values).max() <= 1 + 1e-9
        assert np.linalg.norm(difference) <= frobenius(adjacency) + 1e-9
        assert np.abs(values).sum() <= nuclear(adjacency) + 1e-9
        assert np.abs(np.triu(difference)).sum() <= upper_triangle_l1(d, adjacency) + 1e-9
        for k in range(1, d):
            here, there = (Problem((m + m.T) / 2, 1e9, k) for m in (before, after))
            assert abs(here.gap - there.gap) <= gap_change(adjacency) + 1e-9
            cosines = np.linalg.svd(here.basis.T @ there.basis, compute_uv=False)
            turned = sqrt(max(0.0, float((2 - 2 * np.minimum(cosines, 1)).sum())))
            assert turned <= local_sensitivity(here.gap, d, k, adjacency) + 1e-6


def test_the_isotropic_noise_is_root_two_smaller_than_the_triangle():
    """Spectral norms at d = 150, 20 draws each: the ratio is √2 within 3 %."""
    norms = {}
    for key in ("gaussian", "analyze_gauss"):
        unit = MECHANISMS[key].unit(150, 1, np.random.default_rng(1), 20)[0]
        norms[key] = np.abs(np.linalg.eigvalsh(unit)).max(axis=1).mean()
    assert norms["analyze_gauss"] / norms["gaussian"] == pytest.approx(sqrt(2), rel=0.03)


def test_gap_release_answers_long_before_smooth_sensitivity_sees_the_gap():
    problem = Problem.from_moment(np.diag([900.0, 500, *[100] * 18]), 20_000, 2)
    budget = Budget(1.0, 1e-6)
    little = MECHANISMS["gap_release"].calibrate(problem, budget).scale
    assert little < 0.02
    assert MECHANISMS["smooth_gaussian_printed"].calibrate(problem, budget).scale > 50 * little
