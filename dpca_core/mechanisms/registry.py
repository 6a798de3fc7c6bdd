"""The one table of mechanisms, in menu order. A new mechanism is one class and one line here."""

from difflib import get_close_matches

import numpy as np

from dpca_core.mechanisms import noise_on_s, power, ppca, second_look, smooth
from dpca_core.mechanisms.bartlett_wishart import Wishart, WishartSheffet
from dpca_core.mechanisms.baselines import NonPrivate, RandomProjection
from dpca_core.mechanisms.gap_release import GapRelease
from dpca_core.mechanisms.local_sparse import LocalSparse
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.noise_laws import ExactNoise
from dpca_core.privacy.budget import Budget, Guarantee
from dpca_core.problem import Problem

# What pages name is named here, never found by its properties: another may have the same ones.
DEFAULT, LESS_NOISE = noise_on_s.Gaussian(), noise_on_s.MatrixT()
"""Noise on S to start from; less of it, in simulations: it is not drawn exactly."""
PURE_DEFAULT, PURE_WIDE_DEFAULT = noise_on_s.WishartDifference(), noise_on_s.Laplace()
"""Noise on S at δ = 0; and there on more columns than Wisharts are drawn for."""
PURE_LESS_NOISE = noise_on_s.NuclearNorm()
"""Less of it at δ = 0, in simulations."""
TWO_LOOKS: Mechanism = second_look.SecondLook()
TWO_LOOKS_PURE: Mechanism = second_look.SecondLookPure()
"""What public facts may recommend in their place, in simulations as well."""
LOCAL_DEFAULT, LOCAL_PRINTED = noise_on_s.LocalGaussian(), noise_on_s.LocalPrinted()
LOCAL_SPARSE = LocalSparse()
SMOOTH_DEFAULT, SMOOTH_PURE_DEFAULT = smooth.SmoothGaussian(), smooth.SmoothCauchy()
SMOOTH_PRINTED = smooth.SmoothGaussianPrinted()
RANDOM_DEFAULT, NON_PRIVATE = RandomProjection(), NonPrivate()
UNBOUNDED, REFUTED_DEFAULT = ppca.Ppca(), noise_on_s.WishartSN()
"""A draw by rejection, for as long as that takes; a claim that an output disproves."""

MECHANISMS: dict[str, Mechanism] = {
    mechanism.key: mechanism
    for mechanism in (
        DEFAULT,
        noise_on_s.AnalyzeGauss(),
        Wishart(),
        PURE_DEFAULT,
        PURE_LESS_NOISE,
        LESS_NOISE,
        TWO_LOOKS,
        TWO_LOOKS_PURE,
        UNBOUNDED,
        ppca.PpcaSequential(),
        PURE_WIDE_DEFAULT,
        noise_on_s.LaplacePrinted(),
        power.Power(),
        power.PowerPure(),
        GapRelease(),
        SMOOTH_DEFAULT,
        SMOOTH_PRINTED,
        SMOOTH_PURE_DEFAULT,
        smooth.SmoothCauchyPrinted(),
        noise_on_s.Sulq(),
        noise_on_s.ModSulq(),
        WishartSheffet(),
        power.PowerPrinted(),
        power.PowerPurePrinted(),
        ppca.PpcaGibbs(),
        ppca.EigenvectorSampling(),
        REFUTED_DEFAULT,
        noise_on_s.WishartJiang(),
        RANDOM_DEFAULT,
        NON_PRIVATE,
        LOCAL_DEFAULT,
        LOCAL_PRINTED,
        LOCAL_SPARSE,
    )
}

DRAWN_EXACTLY = {
    DEFAULT.key: ExactNoise.GAUSSIAN,
    PURE_DEFAULT.key: ExactNoise.WISHART_DIFFERENCE,
    PURE_WIDE_DEFAULT.key: ExactNoise.LAPLACE,
}
"""The law by which a release can be drawn without floating-point error, of those that have one.

It is a sampler of the rounded ideal noise, so that the sum, rounded to whole units, is
post-processing of the mechanism that is proved (``dpca_core.release``). Without such a law a
mechanism is a demonstration, which is not safe against attacks on floating-point noise."""


def shown_by_default() -> tuple[Mechanism, ...]:
    """Return what pages compare before anybody has chosen, in menu order."""
    return tuple(m for m in MECHANISMS.values() if m.role in ("candidate", "variant"))


def mechanism_of(name: str | Mechanism) -> Mechanism:
    """Return the mechanism of a key, or the one given; ValueError says which key comes nearest."""
    if isinstance(name, Mechanism):
        return name
    if name in MECHANISMS:
        return MECHANISMS[name]
    near = get_close_matches(str(name), MECHANISMS, 1)
    hint = f"did you mean {near[0]!r}?" if near else f"choose from {', '.join(MECHANISMS)}."
    raise ValueError(f"There is no mechanism {name!r}: {hint}")


def guarantee(mechanism: Mechanism, d: int, k: int, budget: Budget) -> Guarantee:
    """Return what a mechanism promises, from d, k and the budget alone; or InfeasibleBudget."""
    spectrum = np.arange(d, 0, -1.0)
    stand_in = Problem.from_spectrum(spectrum, float(d * (d + 1)), k, np.eye(d))
    return mechanism.guarantee(stand_in, budget)
