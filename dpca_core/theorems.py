"""What is proved about the number of people a mechanism needs, at k = 1.

Proofs, corrections and readings: docs/sample-size.md.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import exp, expm1, floor, log, log1p, pi, sqrt
from typing import Literal

import numpy as np
import scipy

from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.noise_on_s import ModSulq
from dpca_core.mechanisms.smooth import SmoothCauchyPrinted, SmoothGaussianPrinted, SmoothNoise
from dpca_core.privacy.budget import Adjacency, Budget
from dpca_core.privacy.gaussian import gaussian_sigma
from dpca_core.privacy.roots import bisect
from dpca_core.privacy.sensitivity import frobenius, gap_change
from dpca_core.privacy.smooth_sensitivity import smooth_sensitivity

_NEAR_ENDS = np.sort(
    np.concatenate([np.geomspace(1e-9, 0.5, 600), 1 - np.geomspace(1e-9, 0.5, 600)])
)


@dataclass(frozen=True)
class Case:
    """A spectrum of d ≥ 2 columns, a budget, and an aim: |⟨v̂, v⟩| ≥ ρ with probability 1 − η.

    ``gap`` and ``top`` are λ₁ − λ₂ and λ₁ of A = S/n, shares of 1.
    """

    d: int
    gap: float
    top: float
    epsilon: float
    delta: float
    adjacency: Adjacency
    rho: float
    eta: float

    @property
    def printed_epsilon(self) -> float:
        """ε of replacing a person, as Chaudhuri et al. have it: twice that of adding one."""
        return self.epsilon * (1 if self.adjacency is Adjacency.REPLACE_ONE else 2)


@dataclass(frozen=True)
class Theorem:
    """A paper's statement about the number of people that its mechanism needs."""

    kind: Literal["enough", "few", "order"]
    """So many people suffice; fewer cannot; the constant is left open."""
    people: Callable[[Case], float | None]
    """The number in a case; None outside the theorem's conditions."""
    label: str
    """Short, for a mark in a chart."""
    name: str = ""
    """For a sentence or a curve; "" for one that is only marked."""


def ppca_enough(case: Case) -> float:
    """n for PPCA: Chaudhuri, Sarwate & Sinha 2013, Theorem 7."""
    logs = 4 * log(1 / case.eta) / case.d + 2 * log(8 * case.top / ((1 - case.rho**2) * case.gap))
    return case.d / (case.printed_epsilon * case.gap * (1 - case.rho)) * logs


def packing_distance(d: int, *, printed: bool = False) -> float:
    """1 − φ of Chaudhuri et al. 2013, Theorem 8, for d ≥ 3 columns.

    Printed: exp(−2(ln 8 + ln(1 + e^d))/(d − 2)). Their Lemma 11 gives that value for 1 − φ²: what
    is proved is 1 − √(1 − exp(…)), about half of it.
    """
    value = exp(-2 * (log(8) + d + log1p(exp(-d))) / (d - 2))
    return value if printed else -expm1(0.5 * log1p(-value))


def pure_least_rho(d: int, *, printed: bool = False) -> float:
    """Smallest ρ that Theorem 8 speaks of."""
    return 1 - packing_distance(d, printed=printed) / 16


def pure_too_few(case: Case, *, printed: bool = False) -> float | None:
    """n below which no ε-DP mechanism has expected correlation ρ on all data of this gap.

    Their Theorem 8. None outside its conditions: d ≥ 3, gap ≤ ½, ρ close to 1. Its data sets differ
    in d/ε people, which is proved for a whole number of them alone.
    """
    people = case.d / case.printed_epsilon
    people = people if printed else floor(people * (1 + 1e-12))
    if people < 1 and not printed:
        return None
    if case.d < 3 or case.gap > 0.5 or case.rho < pure_least_rho(case.d, printed=printed):
        return None
    distance = packing_distance(case.d, printed=printed)
    growth = max(1.0, sqrt(distance / (80 * (1 - case.rho))))
    return people / case.gap * growth


def mod_sulq_correlation(d: int, beta: float) -> float:
    """Bound on MOD-SULQ's expected correlation on some data: Chaudhuri et al. 2013, eq. (21).

    At noise β on an entry of A. By Fano's inequality: never below ¾, it says little of small n.
    """
    information = 1 / beta**2
    lowest = max(
        1 / sqrt(2 * pi * d),
        sqrt(-expm1(-2 * log(8 * d) / (d - 1))),
        sqrt(-expm1(-(2 * information + log(256)) / (d - 1))),
    )
    if lowest >= 1:
        return 1.0
    phi = lowest + (1 - lowest) * _NEAR_ENDS
    logs: Array = -(d - 1) / 2 * np.log1p(-(np.minimum(phi, 1 - 1e-15) ** 2)) - log(8)
    inside = np.where(logs > 0, 1 - (information + log(2)) / np.where(logs > 0, logs, 1), 0)
    return float(min(1.0, (1 - (1 - phi) / 4 * np.maximum(inside, 0) ** 2).min()))


def mod_sulq_too_few(case: Case) -> float | None:
    """n below which MOD-SULQ's expected correlation is under ρ on some data: Theorem 15.

    None at δ = 0, or where the bound says nothing of this ρ.
    """
    if case.delta == 0 or case.d < 3:
        return None
    noise = ModSulq.printed_scale(case.d, Budget(case.epsilon, case.delta))

    def reaches(n: float) -> bool:
        return mod_sulq_correlation(case.d, noise / n) >= case.rho

    return None if reaches(1.0) else _first(reaches)


def gaussian_enough(case: Case) -> float | None:
    """n for Gaussian noise of the size that it needs; None at δ = 0. Own: docs/sample-size.md.

    The largest less the smallest eigenvalue of the noise is at most τ·(2√(2d) + 2√ln(1/η)), but
    with probability η; over the gap it bounds sin²θ.
    """
    if case.delta == 0:
        return None
    tau = gaussian_sigma(case.epsilon, case.delta, frobenius(case.adjacency))
    spread = tau * 2 * (sqrt(2 * case.d) + sqrt(log(1 / case.eta)))
    return spread / ((1 - case.rho**2) * case.gap)


def wishart_enough(case: Case) -> float | None:
    """n for the refuted Wishart mechanism: Jiang et al. 2016, Theorem 7; None for ρ < 1/√2."""
    if case.rho < sqrt(0.5):
        return None
    d, logs = case.d, log(case.d / case.eta)
    norm = d + 1 + sqrt(2 * (d + 1) * (d + 2) * logs) + 2 * d * logs
    return 3 * norm / (2 * case.epsilon * (1 - case.rho**2) * case.gap)


def smooth_gaussian_enough(case: Case, *, printed: bool = False) -> float | None:
    """n for the printed smooth Gaussian; None at δ = 0. Gonen & Gilad-Bachrach 2018, Lemma 15.

    ``printed``: with C = √2 in the lemma; else U itself is solved for.
    """
    if case.delta == 0:
        return None
    longest = sqrt(float(scipy.special.chdtri(case.d, case.eta)))
    return _people(case, SmoothGaussianPrinted(), longest, printed)


def smooth_cauchy_enough(case: Case, *, printed: bool = False) -> float:
    """n for the printed smooth Cauchy, likewise: Lemma 16, with the 12d of a proof like 15's."""
    longest = sqrt(case.d) * cauchy_norm(case.d, case.eta)
    return _people(case, SmoothCauchyPrinted(), longest, printed)


def cauchy_norm(d: int, share: float) -> float:
    """Length that d Cauchy entries exceed with at most this probability, by Lévy's stable law."""
    return d / (sqrt(pi) * float(scipy.special.erfinv(share)))


def _people(case: Case, mechanism: SmoothNoise, longest: float, printed: bool) -> float:
    """n at which noise ``longest`` times that of an entry turns a unit vector no further than ρ."""
    beta, factor = mechanism.constants(case.d, Budget(case.epsilon, case.delta))
    bound = sqrt(1 - case.rho**2) / (factor * longest)
    if printed:
        steps = 2 * sqrt(2) / bound + 2 / beta * max(log(sqrt(2) / bound), 0.0)
        return steps * gap_change(case.adjacency) / case.gap

    def is_enough(n: float) -> bool:
        return smooth_sensitivity(n * case.gap, case.d, 1, beta, case.adjacency).bound <= bound

    return _first(is_enough)


def _first(enough: Callable[[float], bool]) -> float:
    """Smallest number with ``enough``, to 10⁻⁹ of it, between 10⁻⁶ and 10³⁰."""
    return exp(bisect(lambda size: enough(exp(size)), log(1e-6), log(1e30), absolute=1e-9))


def local_order(case: Case) -> float | None:
    """λ₁²·d·ln(1/δ)/(gap²·ε²·(1 − ρ²)): Wang & Xu 2020, Theorem 2 at k = 1, constant 1."""
    if case.delta == 0:
        return None
    squared = (case.top / (case.gap * case.epsilon)) ** 2
    return squared * case.d * log(1 / case.delta) / (1 - case.rho**2)


_lemma_15, _lemma_16 = (
    partial(enough, printed=True) for enough in (smooth_gaussian_enough, smooth_cauchy_enough)
)
THEOREMS: dict[str, tuple[Theorem, ...]] = {
    "gaussian": (Theorem("enough", gaussian_enough, "by the noise’s spread"),),
    "ppca": (Theorem("enough", ppca_enough, "Thm\u00a07", "PPCA’s Theorem\u00a07"),),
    "smooth_gaussian_printed": (
        Theorem("enough", smooth_gaussian_enough, "Lemma\u00a015, exact LS"),
        Theorem("enough", _lemma_15, "Lemma\u00a015, C\u00a0=\u00a0√2", "Gonen’s Lemma\u00a015"),
    ),
    "smooth_cauchy_printed": (
        Theorem("enough", smooth_cauchy_enough, "Lemma\u00a016, exact LS"),
        Theorem("enough", _lemma_16, "Lemma\u00a016, C\u00a0=\u00a0√2"),
    ),
    "mod_sulq": (Theorem("few", mod_sulq_too_few, "Thm\u00a015, expected"),),
    "wishart_jiang": (Theorem("enough", wishart_enough, "Thm\u00a07", "Jiang’s Theorem\u00a07"),),
    "local_printed": (Theorem("order", local_order, "Thm\u00a02, constant 1"),),
}
"""What is proved of a mechanism, by its key."""
