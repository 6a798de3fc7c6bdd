"""The file of a release that Explore offers: its guarantee, its draw, its refusals."""

import csv
import io

import numpy as np
import pytest

from dpca_core import MECHANISMS, Budget, InfeasibleBudget
from tests.ui.explore.screen_cases import own, rand
from ui.explore.release_file import create_release_file


def table_of(file):
    lines = [line for line in file.splitlines() if not line.startswith("#")]
    return list(csv.reader(io.StringIO("\n".join(lines))))


def test_a_download_states_its_guarantee_and_is_orthonormal():
    file = create_release_file(rand(), MECHANISMS["gaussian"], 2, Budget(0.5, 1e-6)).text
    assert "ε\u00a0=\u00a00.5, δ\u00a0=\u00a010⁻⁶, for one person added or removed" in file
    assert "floating-point arithmetic" in file
    assert file.splitlines()[1].startswith("# Example, not for publication: ")
    head, *rows = table_of(file)
    assert head == ["column", "direction_1", "direction_2"]
    assert [row[0] for row in rows] == list(rand().columns)
    basis = np.array([[float(v) for v in row[1:]] for row in rows])
    assert basis.T @ basis == pytest.approx(np.eye(2), abs=1e-12)


def test_a_download_is_never_drawn_from_the_seed():
    budget = Budget(0.5, 1e-6)
    files = {create_release_file(rand(), MECHANISMS["gaussian"], 2, budget).text for _ in range(3)}
    assert len(files) == 3


def test_a_refusal_can_be_downloaded_too():
    file = create_release_file(rand(), MECHANISMS["gap_release"], 2, Budget(0.01, 1e-6)).text
    assert "refused" in file
    assert table_of(file) == []


def test_what_cannot_be_met_is_infeasible_before_anything_is_drawn():
    with pytest.raises(InfeasibleBudget):
        create_release_file(rand(), MECHANISMS["gaussian"], 2, Budget(0.5, 0.0))


def test_no_cell_of_a_download_is_a_formula():
    file = create_release_file(own(), MECHANISMS["laplace"], 2, Budget(1.0)).text
    assert table_of(file)[1][0] == "'=cmd()"
