"""The numbers that the document on sample sizes gives are those measured."""

import re
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from dpca_core import MECHANISMS, Adjacency, Budget
from dpca_core.analysis.sample_size import (
    measure,
    single_spike,
)
from dpca_core.theorems.sample_size_theorems import (
    cauchy_norm,
    local_order,
    ppca_enough,
    pure_least_rho,
    pure_too_few,
    smooth_cauchy_enough,
    smooth_gaussian_enough,
    wishart_enough,
)
from dpca_core.theorems.theorem import Case
from tests.core.analysis.sample_size_cases import AIM
from ui.text.documents import FOLDER


@pytest.mark.parametrize(("d", "gap"), [(2, 0.01), (10, 0.3), (200, 0.9)])
def test_one_direction_above_a_flat_rest(d, gap):
    problem = single_spike(d, gap, 5000)
    assert problem.k == 1
    assert problem.n == 5000
    assert problem.d == d
    assert problem.gap == pytest.approx(5000 * gap, rel=1e-9)
    assert np.trace(problem.moment) == pytest.approx(5000, rel=1e-12)
    assert np.ptp(problem.spectrum[1:]) == pytest.approx(0, abs=1e-9)


TEXT = (FOLDER / "sample-size.md").read_text("utf-8")
EXAMPLE = {
    "ppca": ("| PPCA |", ppca_enough),
    "wishart_jiang": ("| Wishart, Jiang", wishart_enough),
    "smooth_gaussian_printed": (
        "| Smooth Gaussian, printed |", partial(smooth_gaussian_enough, printed=True),
    ),
    "smooth_cauchy_printed": (
        "| Smooth Cauchy, printed |", partial(smooth_cauchy_enough, printed=True),
    ),
}  # fmt: skip


def number(text):
    return float(text.replace(" ", ""))


@pytest.mark.parametrize("key", EXAMPLE)
def test_the_example_of_the_document(key):
    """Bound, measured number and its interval as this code finds them, to 1 %."""
    start, enough = EXAMPLE[key]
    row = next(line for line in TEXT.splitlines() if line.startswith(start))
    bound, measured_here, ratio = row.strip("| ").split(" | ")[2:]
    case = Case(50, 0.3, 0.314, 1.0, 1e-6, Adjacency.ADD_OR_REMOVE_ONE, 0.9, 0.1)
    assert number(bound) == pytest.approx(enough(case), rel=0.01)
    problem, budget = single_spike(50, 0.3), Budget(1.0, 1e-6)
    steps = list(measure(MECHANISMS[key], lambda n: (problem.scaled(n), budget)))
    found = steps[-1].needed(AIM)
    stated = [number(part) for part in re.split(r"[(–)]", measured_here) if part]
    assert stated == pytest.approx([found.n, found.low, found.high], rel=0.01)
    assert number(ratio) == pytest.approx(enough(case) / found.n, rel=0.02)


@pytest.mark.parametrize(
    ("key", "stated"),
    [("gaussian", "186"), ("wishart_difference", "349"), ("smooth_gaussian", "4030"),
     ("local_printed", "100 000"), ("mod_sulq", "19 200")],
)  # fmt: skip
def test_the_comparison_of_the_document(key, stated):
    problem, budget = single_spike(50, 0.3), Budget(1.0, 1e-6)
    steps = list(measure(MECHANISMS[key], lambda n: (problem.scaled(n), budget)))
    assert steps[-1].needed(AIM).n == pytest.approx(number(stated), rel=0.01)
    assert f" {stated}" in TEXT.partition("For comparison")[2]


def test_what_the_document_says_of_theorem_8_and_the_orders():
    case = Case(50, 0.3, 0.314, 1.0, 1e-6, Adjacency.ADD_OR_REMOVE_ONE, 0.9, 0.1)
    assert local_order(case) == pytest.approx(3980, rel=0.01)
    assert pure_least_rho(50) == pytest.approx(0.9963, abs=5e-5)
    assert pure_least_rho(100) == pytest.approx(0.9960, abs=5e-5)
    assert pure_least_rho(100, printed=True) == pytest.approx(0.9922, abs=5e-5)
    assert pure_too_few(case) is None
    assert pure_too_few(replace(case, rho=0.999)) == pytest.approx(83, abs=0.5)
    assert cauchy_norm(50, 0.1) / 50 == pytest.approx(6.3, abs=0.06)
    solved = [smooth_gaussian_enough(case), smooth_cauchy_enough(case)]
    assert solved == pytest.approx([5630, 51_500], rel=0.01)
