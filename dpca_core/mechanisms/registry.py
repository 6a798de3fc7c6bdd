"""The one table of mechanisms, in menu order. Adding a mechanism is one class and one line here."""

from difflib import get_close_matches

import numpy as np

from dpca_core.mechanisms.bartlett_wishart import Wishart, WishartSheffet
from dpca_core.mechanisms.baselines import NonPrivate, RandomProjection
from dpca_core.mechanisms.gap_release import GapRelease
from dpca_core.mechanisms.local_sparse import LocalSparse
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.noise_laws import ExactNoise
from dpca_core.mechanisms.noise_on_s import (
    AnalyzeGauss,
    Gaussian,
    Laplace,
    LaplacePrinted,
    LocalGaussian,
    LocalPrinted,
    MatrixT,
    ModSulq,
    Sulq,
    WishartDifference,
    WishartJiang,
    WishartSN,
)
from dpca_core.mechanisms.power import Power, PowerPrinted, PowerPure, PowerPurePrinted
from dpca_core.mechanisms.ppca import Ppca, PpcaGibbs, PpcaSequential
from dpca_core.mechanisms.second_look import SecondLook, SecondLookPure
from dpca_core.mechanisms.smooth_cauchy import SmoothCauchy, SmoothCauchyPrinted
from dpca_core.mechanisms.smooth_gaussian import SmoothGaussian, SmoothGaussianPrinted
from dpca_core.privacy.budget import Budget, Guarantee
from dpca_core.problem import Problem

MECHANISMS: dict[str, Mechanism] = {
    mechanism.key: mechanism
    for mechanism in (
        Gaussian(),
        AnalyzeGauss(),
        Wishart(),
        WishartDifference(),
        MatrixT(),
        SecondLook(),
        SecondLookPure(),
        Ppca(),
        PpcaSequential(),
        Laplace(),
        LaplacePrinted(),
        Power(),
        PowerPure(),
        GapRelease(),
        SmoothGaussian(),
        SmoothGaussianPrinted(),
        SmoothCauchy(),
        SmoothCauchyPrinted(),
        Sulq(),
        ModSulq(),
        WishartSheffet(),
        PowerPrinted(),
        PowerPurePrinted(),
        PpcaGibbs(),
        WishartSN(),
        WishartJiang(),
        RandomProjection(),
        NonPrivate(),
        LocalGaussian(),
        LocalPrinted(),
        LocalSparse(),
    )
}

DRAWN_EXACTLY = {
    Gaussian.key: ExactNoise.GAUSSIAN,
    WishartDifference.key: ExactNoise.WISHART_DIFFERENCE,
    Laplace.key: ExactNoise.LAPLACE,
}
"""The law by which a release can be drawn without floating-point error, of those that have one.

It is a sampler of the rounded ideal noise: digits of the continuous variates are drawn only as a
rounding needs them, so that the sum, rounded to whole units, is post-processing of the mechanism
that is proved (``dpca_core.release``). ``Mechanism.sample`` itself draws in floating point, as
simulations do; a mechanism without such a law is a demonstration, which is not safe against attacks
on floating-point noise."""

DEFAULT = MECHANISMS[Gaussian.key]
"""The mechanism to start from: isotropic Gaussian noise on S."""

PURE_DEFAULT = MECHANISMS[WishartDifference.key]
"""The mechanism to start from where δ = 0: pure noise on S."""

PURE_WIDE_DEFAULT = MECHANISMS[Laplace.key]
"""Pure noise on S for more columns than exact Wishart noise is drawn for."""

# What public facts may recommend in their place, in simulations: none is drawn exactly.
LESS_NOISE = MECHANISMS[MatrixT.key]
"""Noise on S that may be smaller, where a person has one row."""

TWO_LOOKS = MECHANISMS[SecondLook.key]
"""Two looks at the rows, where δ > 0."""

TWO_LOOKS_PURE = MECHANISMS[SecondLookPure.key]
"""Two looks at the rows, where δ = 0."""

# What pages show as an example is named, never found by its properties: a mechanism that is
# registered before it may have the same ones.
LOCAL_DEFAULT = MECHANISMS[LocalGaussian.key]
"""The local model: calibrated noise on every record."""

LOCAL_PRINTED = MECHANISMS[LocalPrinted.key]
"""The local model as its paper prints it."""

LOCAL_SPARSE = MECHANISMS[LocalSparse.key]
"""The local model where the directions use few columns."""

SMOOTH_DEFAULT = MECHANISMS[SmoothGaussian.key]
"""Noise on the basis that follows the gap."""

SMOOTH_PURE_DEFAULT = MECHANISMS[SmoothCauchy.key]
"""Noise on the basis that follows the gap where δ = 0."""

SMOOTH_PRINTED = MECHANISMS[SmoothGaussianPrinted.key]
"""Noise on the basis that follows the gap, as its paper prints it."""

NON_PRIVATE = MECHANISMS[NonPrivate.key]
"""The true directions: every release is the same."""

RANDOM_DEFAULT = MECHANISMS[RandomProjection.key]
"""Directions drawn at random: what chance gives."""

UNBOUNDED = MECHANISMS[Ppca.key]
"""Drawn by rejection, for as long as that takes."""

REFUTED_DEFAULT = MECHANISMS[WishartSN.key]
"""A claim that an output disproves."""


def shown_by_default() -> tuple[Mechanism, ...]:
    """Return what pages compare before anybody has chosen, in menu order."""
    return tuple(m for m in MECHANISMS.values() if m.role in ("candidate", "variant"))


def mechanism_of(name: str | Mechanism) -> Mechanism:
    """Return the mechanism of a key; one that is given stays as it is.

    Raises
    ------
    ValueError
        For a key that is not in the registry; the sentence says which one comes nearest.
    """
    if isinstance(name, Mechanism):
        return name
    if name in MECHANISMS:
        return MECHANISMS[name]
    near = get_close_matches(str(name), MECHANISMS, 1)
    hint = f"did you mean {near[0]!r}?" if near else f"choose from {', '.join(MECHANISMS)}."
    raise ValueError(f"There is no mechanism {name!r}: {hint}")


def guarantee(mechanism: Mechanism, d: int, k: int, budget: Budget) -> Guarantee:
    """Return what a mechanism promises, from d, k and the budget alone.

    It is asked about a table that stands in for every other of d columns.

    Raises
    ------
    InfeasibleBudget
        Where the budget cannot be met.
    """
    spectrum = np.arange(d, 0, -1.0)
    stand_in = Problem.from_spectrum(spectrum, float(d * (d + 1)), k, np.eye(d))
    return mechanism.guarantee(stand_in, budget)
