"""A copy of matrix-t noise with 0.8 of its scale is convicted; at its whole scale it is not."""

from dataclasses import dataclass, replace

import pytest

from dpca_core import Budget
from dpca_core.mechanisms.matrix_t import MatrixT
from tests.core.audit.audited import audited


@dataclass(frozen=True)
class ScaledMatrixT(MatrixT):
    """Matrix-t noise that claims the budget at a part of the scale that it needs."""

    factor: float = 1.0

    def calibrate(self, problem, budget):
        noise = super().calibrate(problem, budget)
        return replace(noise, scale=self.factor * noise.scale)


@pytest.mark.parametrize(("factor", "convicted"), [(1.0, False), (0.8, True)])
def test_too_little_noise_is_convicted(factor, convicted):
    """60,000 releases, ε = 1, δ = .05: the bound is .85 and 1.17, each within .1 (one seed)."""
    found = audited(ScaledMatrixT(factor=factor), Budget(1.0, 0.05), 3, 1, 40, releases=60_000)
    assert found.convicted == convicted
