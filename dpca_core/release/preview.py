"""How large a release's noise will be: a function of public settings, shown before any spending."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod, sqrt

from dpca_core.analysis.recommendation import visible_gap
from dpca_core.mechanisms.noise_on_s import NoiseOnS
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Adjacency
from dpca_core.release.plan import MATRIX, MEANS, SCORES, Plan, right_guesses
from dpca_core.text import privacy_numbers

_WISHART_EDGE = ((1 + sqrt(5)) / 2) ** 2.5
"""Spectral norm of G₁G₁ᵀ − G₂G₂ᵀ over d, for many columns (docs/difference-of-wisharts.md)."""


@dataclass(frozen=True)
class Preview:
    """Noise of a release, before it is drawn.

    Attributes
    ----------
    diagonal, off_diagonal
        Standard deviations of entries of the matrix, in people: τ and τ/√2 for Gaussian noise.
    spectral_norm
        About how long the noise is in the direction in which it is longest, in people.
    smallest_gap
        Eigengap, in people, from which k directions turn by a sine of 0.3 at most, to first order.
    means
        Standard deviation of a sum of a column and of the number of rows, in rows; None where the
        means are not published.
    bin
        Standard deviation of a count of the histogram, in rows; None without one.
    guess
        Chance that the best guess about one person is right, from even odds.
    factors
        By how much each table's noise is larger than if it had the whole budget.
    """

    diagonal: float
    off_diagonal: float
    spectral_norm: float
    smallest_gap: float
    means: float | None
    bin: float | None
    guess: float
    factors: Mapping[str, float]


def preview(plan: Plan) -> Preview:
    """Return what to expect of a plan: nothing of it is read from a table."""
    scales, unit = plan.scales[MATRIX], float(plan.unit(MATRIX))
    mechanism = MECHANISMS[plan.mechanism]
    assert isinstance(mechanism, NoiseOnS)
    if plan.gaussian:
        diagonal, off_diagonal = scales["b"] * unit, scales["a"] * unit
    else:
        (scale,) = scales.values()
        diagonal, off_diagonal = (std * scale * unit for std in mechanism.law.std(plan.d))
    edge = scales["s"] * unit * _WISHART_EDGE * plan.d if "s" in scales else None
    return Preview(
        diagonal=diagonal,
        off_diagonal=off_diagonal,
        spectral_norm=2 * sqrt(plan.d) * off_diagonal if edge is None else edge,
        smallest_gap=visible_gap(off_diagonal, plan.d, plan.k),
        means=_entry_noise(plan, MEANS),
        bin=_entry_noise(plan, SCORES),
        guess=right_guesses(plan.cost, plan.gaussian),
        factors={
            table: 1 / sqrt(share) if plan.gaussian else 1 / float(share)
            for table, share in plan.shares.items()
        },
    )


def preview_lines(plan: Plan) -> list[str]:
    """Return the preview in sentences, for a terminal."""
    found = preview(plan)
    said = [
        f"Noise on the matrix: {found.diagonal:.3g} people on the diagonal, "
        f"{found.off_diagonal:.3g} off it, about {found.spectral_norm:.3g} in its longest "
        "direction.",
        f"The top {plan.k} of {plan.d} directions can be told from the others where their "
        f"variances differ by {found.smallest_gap:.3g} people or more.",
    ]
    if found.means is not None:
        said.append(f"Noise on each sum of a column: {found.means:.3g} rows.")
    if plan.scores is not None:
        said.append(f"Noise on each of {prod(plan.scores.bins)} counts: {found.bin:.3g} rows.")
    if len(found.factors) > 1:
        said += [
            f"The {table}: {factor:.3g} times the noise that the whole budget would give."
            for table, factor in found.factors.items()
        ]
    replaced = plan.neighbours is Adjacency.REPLACE_ONE
    guessed = "which of two people is" if replaced else "whether one person is"
    said.append(
        f"From even odds, a guess {guessed} in the data is right at most "
        f"{privacy_numbers.right_guesses(found.guess)} times in 100."
    )
    return said


def _entry_noise(plan: Plan, table: str) -> float | None:
    """Standard deviation of an entry of means or counts, in rows."""
    if table not in plan.scales:
        return None
    (scale,) = plan.scales[table].values()
    return (1.0 if plan.gaussian else sqrt(2)) * scale * float(plan.unit(table))
