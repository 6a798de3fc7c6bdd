"""What noise to expect from the choices about columns alone: it gets no table."""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from dpca_core.analysis.recommended_mechanism import recommended_mechanism
from dpca_core.mechanisms.noise_on_s import NoiseOnS
from dpca_core.privacy.budget import Budget
from dpca_core.problem import Problem

VISIBLE_SINE = 0.3
"""Sine of the angle, about 17°, by which noise of that size turns a direction beside its gap."""


@dataclass(frozen=True)
class PublicPreview:
    """What follows from d, k and a budget.

    Attributes
    ----------
    columns
        d, after coding.
    entry_noise
        Standard deviation of the noise on a product of two columns, in people.
    visible_gap
        Smallest eigengap, in people, that the noise leaves visible.
    mechanism
        Whose noise it is.
    """

    columns: int
    entry_noise: float
    visible_gap: float
    mechanism: NoiseOnS


def public_preview(people: float, d: int, k: int, budget: Budget) -> PublicPreview:
    """Return what to expect of a release of d columns before any look at the data.

    Noise of standard deviation σ off the diagonal turns k directions by sin θ with
    E sin²θ ≈ k(d − k)·σ²/gap² in all; a gap is called visible where its root is at most 0.3.

    Parameters
    ----------
    people
        A public guess.

    Raises
    ------
    ValueError
        Unless 1 ≤ k < d.
    """
    mechanism = recommended_mechanism(people, d, budget).mechanism
    problem = Problem.from_spectrum(np.ones(d), max(people, 1.0), k)
    scale = mechanism.calibrate(problem, budget).scale
    off_diagonal = scale * mechanism.law.std(d)[1]
    visible_gap = off_diagonal * sqrt(k * (d - k)) / VISIBLE_SINE
    return PublicPreview(d, off_diagonal, visible_gap, mechanism)
