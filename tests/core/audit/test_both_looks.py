"""Attacks on a second look go by both looks: they convict copies with less noise, and no other.

One seed each. The audit convicts a mechanism that keeps its guarantee with probability at most .05.
Few outputs of pure noise show all of ε: in so few releases a copy with 0.8 of it is not convicted.
"""

from dataclasses import dataclass

import numpy as np
import pytest
from scipy.stats import norm

from dpca_core import Budget
from dpca_core.audit.attacks import OF_MATRIX, all_statistics
from dpca_core.audit.audited_pair import worst_pair
from dpca_core.mechanisms.rescaled_axes import NoiseSize, axes_of
from dpca_core.mechanisms.second_look import SecondLook, SecondLookPure
from tests.core.audit.audited import BOTH, audited


def times(factor, size):
    return NoiseSize(factor * size.scale, factor**2 * size.variance, factor * size.edge)


@dataclass(frozen=True)
class LessNoise(SecondLook):
    def sizes(self, d, budget):
        first, second = super().sizes(d, budget)
        return times(0.8, first), times(0.8, second)


@dataclass(frozen=True)
class LessNoiseAtLast(SecondLook):
    """The first look is as it should be; what the second spends shows in the second alone."""

    def sizes(self, d, budget):
        first, second = super().sizes(d, budget)
        return first, times(0.7, second)


@dataclass(frozen=True)
class HalfPureNoise(SecondLookPure):
    def sizes(self, d, budget):
        first, second = super().sizes(d, budget)
        return times(0.5, first), times(0.5, second)


@pytest.mark.parametrize(
    ("mechanism", "budget", "releases", "convicted"),
    [
        (SecondLook(), Budget(1.0, 0.2), 2_500, False),
        (LessNoise(), Budget(1.0, 0.2), 2_500, True),
        (LessNoiseAtLast(), Budget(1.0, 0.2), 2_500, True),
        (SecondLookPure(), Budget(1.0), 2_500, False),
        (HalfPureNoise(), Budget(1.0), 2_500, True),
    ],
)
def test_a_copy_with_less_noise_is_convicted(mechanism, budget, releases, convicted):
    found = audited(mechanism, budget, 2, 1, 60, releases=releases)
    assert found.convicted == convicted
    assert ("both looks" in found.statistic) == (found.epsilon_lower > 0)


@BOTH
def test_the_statistic_is_the_likelihood_ratio_of_both_looks(adjacency):
    """It is that of a release's two noises, found again from the data and the looks."""
    mechanism, budget = SecondLook(radius_share=0.1), Budget(2.0, 0.01, adjacency)
    pair = worst_pair(mechanism, 3, 1, 200, budget)
    drawn = mechanism.release(pair.with_person, budget, np.random.default_rng(1), 5, keep="moment")
    names, values = all_statistics(mechanism, drawn, pair, budget)
    assert names == (*OF_MATRIX, mechanism.transcript_attack)
    sizes = mechanism.sizes(3, budget)
    for looks, radius, found in zip(
        drawn.info["looks"], drawn.info["radius"], values[-1], strict=True
    ):
        axes = axes_of(looks[0], sizes[0], 1, mechanism.tail)
        a = axes.rest * np.eye(3) + axes.top * (axes.factors - axes.rest) @ axes.top.T
        densities = []
        for problem in (pair.with_person, pair.without_person):
            sums = [np.zeros((3, 3)), np.zeros((3, 3))]
            for x in problem.rows:
                inside = x / max(radius, np.linalg.norm(x))
                z = a @ inside / max(1.0, np.linalg.norm(a @ inside))
                sums = [sums[0] + np.outer(inside, inside), sums[1] + np.outer(z, z)]
            # Independent entries of the upper triangle: τ² on the diagonal, τ²/2 above it.
            densities.append(
                sum(
                    norm.logpdf(
                        (look - true)[np.triu_indices(3)],
                        scale=size.scale * np.sqrt([1, 0.5, 0.5, 1, 0.5, 1]),
                    ).sum()
                    for look, true, size in zip(looks, sums, sizes, strict=True)
                )
            )
        assert found == pytest.approx(densities[0] - densities[1], abs=1e-8)
