"""Mechanisms that publish S + noise and take its top directions: a law and a scale each."""

from abc import abstractmethod
from dataclasses import replace
from math import log, pi, sqrt
from typing import ClassVar

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.eigh_top import eigh_top
from dpca_core.linalg.symmetric import top_basis
from dpca_core.mechanisms import noise_laws as laws
from dpca_core.mechanisms.mechanism import Family, Keep, Noise, Release, SharedNoise, Unit
from dpca_core.privacy.budget import Adjacency, Budget, Guarantee, Notion, Standing
from dpca_core.privacy.gaussian import classic_gaussian_sigma
from dpca_core.problem import Problem
from dpca_core.text.privacy_numbers import upward

TOP_ALONE_FROM, FEW_SHARE = 200, 0.1
"""From so many columns on, and up to that share of them, the top is found without the rest."""


class NoisySum(SharedNoise):
    """A noisy sum, for which the guarantee is, and its top k eigenvectors: post-processing."""

    publishes_matrix = True

    @abstractmethod
    def published(self, problem: Problem, budget: Budget, unit: Unit) -> Array:
        """Noisy sums (trials, d, d): deterministic."""

    def apply(self, problem: Problem, budget: Budget, unit: Unit, keep: Keep = None) -> Release:
        noisy, k = self.published(problem, budget, unit), problem.k
        if problem.d >= TOP_ALONE_FROM and k <= FEW_SHARE * problem.d:
            bases = np.asarray(eigh_top(noisy.copy(), k).rows.swapaxes(1, 2), np.float64)
        else:
            bases = top_basis(noisy, k)
        return Release(bases, moment=noisy if keep == "moment" else None)


class NoiseOnS(NoisySum):
    """Publish S + scale·E for E of a law: the smallest scale that is private, or a printed one.

    In the local model each person adds Gaussian noise to their own xxᵀ, and n such matrices add up
    to one √n times as large (docs/local.md). A report hides any two records, as noise on S hides
    that one person replaces another.
    """

    does = "adds its noise to S"
    law: ClassVar[laws.NoiseLaw]
    symbol: ClassVar[str] = ""
    """Of the scale in its paper; "" for that of the law."""
    loose: ClassVar[bool] = False
    """Whether its paper asks for far more noise than is needed: an erratum says so."""

    @staticmethod
    def printed_scale(d: int, budget: Budget) -> float | None:
        """Return the scale in a paper, in people; None for the smallest that is private."""
        return None

    def _noise(self, problem: Problem, budget: Budget) -> Noise:
        d, hidden, symbol = problem.d, self._hidden(budget), self.symbol or self.law.symbol
        scale = self.printed_scale(d, hidden)
        if scale is None:
            scale = self.law.scale(d, hidden, problem.rows_per_person)
        if self.local:
            scale, symbol = sqrt(problem.n) * scale, f"√n·{symbol}"
        entry, mean = scale * self.law.std(d)[0], scale * self.law.mean(d)
        return Noise(scale, "people", symbol, entry, mean)

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        """Return what the law spends at this scale; of a calibrated one that is the budget."""
        hidden, people = self._hidden(budget), sqrt(problem.n) if self.local else 1.0
        scale = self.calibrate(problem, budget).scale / people
        spent = self.law.spent(problem.d, scale, hidden, problem.rows_per_person)
        epsilon, standing, erratum = budget.epsilon, Standing.PROVED, None
        if self.role == "printed":
            epsilon = spent.epsilon
            standing, erratum = self._verdict(problem, hidden, scale, spent)
        pure_or_not = Notion.APPROXIMATE if spent.delta > 0 else Notion.PURE
        return Guarantee(
            epsilon,
            spent.delta,
            Notion.LOCAL if self.local else pure_or_not,
            standing,
            budget.adjacency,
            f"docs/{self.document}.md" if self.local else self.law.source,
            erratum,
            spent.multiplier,
            spent.exact,
        )

    def _verdict(
        self, problem: Problem, hidden: Budget, scale: float, spent: laws.Spent
    ) -> tuple[Standing, str | None]:
        true = f"true ε = {upward(spent.epsilon)}."
        if spent.refuted:
            proofs = round(100 * spent.delta)
            some = f"About {proofs} of 100" if proofs > 1 else "Some"
            return Standing.REFUTED, (
                f"{some} published matrices prove that an absent record is absent."
            )
        if spent.epsilon > hidden.epsilon:
            return Standing.WEAKER, f"{self._not_covered(hidden)}: {true}"
        if not self.loose:
            return Standing.PROVED, None
        times = scale / self.law.scale(problem.d, hidden, problem.rows_per_person)
        much = f"{times:,.0f}" if times >= 100 else f"{times:.3g}"
        return Standing.PROVED, f"{much} times the noise that this shape needs: {true}"

    def _not_covered(self, hidden: Budget) -> str:
        return "The printed noise is too small here"

    def unit(self, d: int, k: int, rng: np.random.Generator, trials: int) -> Unit:
        """Draw E (trials, d, d), the same for every k."""
        return (self.law.draw(d, rng, trials),)

    def published(self, problem: Problem, budget: Budget, unit: Unit) -> Array:
        return problem.moment + self.calibrate(problem, budget).scale * unit[0]

    def relative_noise(self, problem: Problem, budget: Budget) -> float:
        return self.calibrate(problem, budget).scale / problem.n

    def log_likelihood(self, problem: Problem, budget: Budget, release: Release) -> Array:
        assert release.moment is not None
        noise = release.moment - problem.moment
        return self.law.log_density(noise / self.calibrate(problem, budget).scale)

    def _hidden(self, budget: Budget) -> Budget:
        return replace(budget, adjacency=Adjacency.REPLACE_ONE) if self.local else budget


class Gaussian(NoiseOnS):
    """Isotropic symmetric Gaussian noise on S, exactly calibrated: diagonal τ, off-diagonal τ/√2.

    It is the same in every direction of the Frobenius norm, in which a person changes S by at most
    1 (√2 if replaced); off the diagonal it is √2 times smaller than an i.i.d. triangle.
    """

    key, name, family, document = "gaussian", "Gaussian", Family.GAUSSIAN, "gaussian"
    law, needs_delta = laws.ISOTROPIC, True


class ClassicGaussian(NoiseOnS):
    """An i.i.d. triangle of the classic scale, proved for ε ≤ 1 and changes of at most 1."""

    role, law, needs_delta = "printed", laws.TRIANGLE, True
    printed_scale = staticmethod(
        lambda d, budget: classic_gaussian_sigma(budget.epsilon, budget.delta)
    )

    def _not_covered(self, hidden: Budget) -> str:
        if hidden.adjacency is Adjacency.ADD_OR_REMOVE_ONE:
            return "The printed noise is proved only for ε ≤ 1"
        who = "Two records differ" if self.local else "Replacing a person changes S"
        reason = f"{who} by up to √2, not by 1 as the printed noise assumes"
        more = "" if hidden.epsilon <= 1 else ", and the noise is proved only for ε ≤ 1"
        return f"{reason}{more}"


class AnalyzeGauss(ClassicGaussian):
    """Symmetric noise with an i.i.d. N(0, σ²) upper triangle on S, σ = √(2 ln(1.25/δ))/ε.

    Dwork, Talwar, Thakurta & Zhang 2014, as used by Imtiaz & Sarwate 2016. The proof of that σ
    needs ε ≤ 1 and a change of S by at most 1 in Frobenius norm; a replaced person makes it √2.
    """

    key, name, counterpart = "analyze_gauss", "Analyze Gauss, printed", "gaussian"
    family, document = Family.GAUSSIAN_TRIANGLE, "gaussian"
    claimed_in = "Dwork et al. 2014, Algorithm 1; Imtiaz & Sarwate 2016, section 3"


class Sulq(NoiseOnS):
    """Independent Gaussian noise in every entry of the second-moment matrix, not symmetric.

    Blum, Dwork, McSherry & Nissim 2005, as quoted by Chaudhuri et al. 2013: variance
    8d² ln²(d/δ)/(n²ε²). Here it is symmetrised, (N + Nᵀ)/2, which costs no privacy.
    """

    key, name, family, document = "sulq", "SULQ, printed", Family.SULQ, "gaussian"
    role, counterpart = "printed", "gaussian"
    law, needs_delta, symbol, loose = laws.ISOTROPIC, True, "β·n", True
    claimed_in = "Blum et al. 2005, as quoted by Chaudhuri et al. 2013, section 3.1"
    printed_scale = staticmethod(
        lambda d, budget: sqrt(8) * d * log(d / budget.delta) / budget.epsilon
    )


class ModSulq(NoiseOnS):
    """A Gaussian triangle that grows with d: Chaudhuri, Sarwate & Sinha 2013, Algorithm 1."""

    key, name, family, document = "mod_sulq", "MOD-SULQ, printed", Family.SULQ, "gaussian"
    role, counterpart = "printed", "gaussian"
    law, needs_delta, symbol, loose = laws.TRIANGLE, True, "β·n", True
    claimed_in = "Chaudhuri, Sarwate & Sinha 2013, Theorem 5"

    @staticmethod
    def printed_scale(d: int, budget: Budget) -> float:
        inside = log((d * d + d) / (2 * sqrt(2 * pi) * budget.delta))
        return (d + 1) / budget.epsilon * sqrt(2 * inside) + 1 / sqrt(budget.epsilon)


class Laplace(NoiseOnS):
    """Symmetric noise with an i.i.d. Laplace upper triangle on S, calibrated. Pure ε-DP."""

    key, name, family, document = "laplace", "Laplace", Family.LAPLACE, "conventions"
    law = laws.LAPLACE


class LaplacePrinted(NoiseOnS):
    """An i.i.d. Laplace upper triangle of scale 2d/ε on S: Jiang, Xie & Zhang 2016, Algorithm 1."""

    key, name = "laplace_printed", "Laplace, printed"
    family, document = Family.LAPLACE, "conventions"
    role, counterpart, law, loose = "printed", "laplace", laws.LAPLACE, True
    claimed_in = "Jiang, Xie & Zhang 2016, Algorithm 1"
    printed_scale = staticmethod(lambda d, budget: 2 * d / budget.epsilon)


class WishartDifference(NoiseOnS):
    """W₁ − W₂ on S: two independent Wishart matrices of d + 1 degrees of freedom. Pure ε-DP.

    One Wishart matrix alone, as printed in two papers, is never private. Its noise is about √d
    times smaller than Laplace’s, which it is at d = 1. Own result, docs/difference-of-wisharts.md.
    """

    key, name, law = "wishart_difference", "Wishart difference", laws.WISHART_DIFFERENCE
    family, document = Family.WISHART, "difference-of-wisharts"


class NuclearNorm(NoiseOnS):
    """b·E on S, where symmetric E has density proportional to e^(−‖E‖_*). Pure ε-DP.

    The mechanism of Hardt & Talwar 2010 for the norm that fits one person added or removed, as
    d’Orsi & Novikov 2026 propose it: 4 to 9 % less noise than a Wishart difference. Own sampler,
    exact but for rounding; none in whole numbers, so that no release can draw it, only simulations.
    """

    key, name, law = "nuclear_norm", "Nuclear norm", laws.NUCLEAR_NORM
    family, document = Family.WISHART, "nuclear-norm"
    role, cost = "special", 10.0


class MatrixT(NoiseOnS):
    """c·F on S, where symmetric F has density proportional to det(I + F²)^(−q).

    Its tails are between a Gaussian’s and a Wishart difference’s. From 10 columns on it needs up to
    16 % less noise than the better of the two, when one person with one row is added or removed;
    else Gaussian noise is usually smaller. Own result, docs/matrix-t.md.
    """

    key, name, family, document = "matrix_t", "Matrix t", Family.GAUSSIAN, "matrix-t"
    role, cost, law = "special", 8.0, laws.MATRIX_T


class WishartSN(NoiseOnS):
    """W_d(d + 1, I/(2ε)) on S: Imtiaz & Sarwate 2016, Algorithm 1, withdrawn in 2017; refuted."""

    key, name = "wishart_sn", "Wishart SN, printed"
    family, document = Family.WISHART, "wishart-refutation"
    role, law = "printed", laws.WISHART
    claimed_in = "Imtiaz & Sarwate 2016, Theorem 1"
    printed_scale = staticmethod(lambda d, budget: 1 / (2 * budget.epsilon))


class WishartJiang(NoiseOnS):
    """W_d(d + 1, 3I/(2ε)) on S: Jiang, Xie & Zhang 2016, Algorithm 2; refuted."""

    key, name = "wishart_jiang", "Wishart Jiang, printed"
    family, document = Family.WISHART, "wishart-refutation"
    role, law = "printed", laws.WISHART
    claimed_in = "Jiang, Xie & Zhang 2016, Theorem 4"
    printed_scale = staticmethod(lambda d, budget: 3 / (2 * budget.epsilon))


class LocalGaussian(NoiseOnS):
    """Each person adds isotropic Gaussian noise to their record, exactly calibrated.

    Two records differ by up to √2 in Frobenius norm, so a report has the noise of the central
    mechanism under replacement: what a curator learns from n people takes about n² people here.
    """

    key, name, family, document = "local_gaussian", "Local Gaussian", Family.LOCAL, "local"
    does = "adds its noise to each person’s record"
    role, law, needs_delta = "special", laws.ISOTROPIC, True


class LocalPrinted(ClassicGaussian):
    """Each person adds an i.i.d. N(0, σ₁²) upper triangle, σ₁ = √(2 ln(1.25/δ))/ε, to their record.

    Wang & Xu 2020, Algorithm 1, for “any ε, δ > 0”. The proof of that σ₁ needs ε ≤ 1 and records
    that differ by 1; two records of norm 1 differ by up to √2.
    """

    key, name, family, document = "local_printed", "Local Gaussian, printed", Family.LOCAL, "local"
    does, counterpart, symbol = LocalGaussian.does, "local_gaussian", "σ₁"
    claimed_in = "Wang & Xu 2020, Theorem 2"
