"""How large a release's noise will be: a function of public settings, shown before any spending."""

from dpca_core.analysis.recommendation import visible_gap
from dpca_core.mechanisms.noise_on_s import NoiseOnS
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Adjacency
from dpca_core.release.plan import MEANS, SCORES, Plan, right_guesses
from dpca_core.text.privacy_numbers import right_guesses as guesses_text
from dpca_core.text.release_statements import MEAN_STAYS


def preview_rows(plan: Plan, people: int = 0) -> list[tuple[str, str]]:
    """Return what to expect of a plan: what, and how much, as a share of a guessed number too.

    Standard deviations of entries, how long noise is where it is longest, and the eigengap from
    which k directions turn by a sine of 0.3 at most, to first order; in people.
    """
    mechanism, unit = MECHANISMS[plan.mechanism], plan.recipe.unit
    assert isinstance(mechanism, NoiseOnS)
    diagonal, beside = (std * plan.scale for std in mechanism.law.std(plan.d))
    longest, gap = mechanism.law.edge(plan.d) * plan.scale, visible_gap(beside, plan.d, plan.k)
    hold = f"{plan.k} directions hold" if plan.k > 1 else "1 direction holds"
    replaced = plan.neighbours is Adjacency.REPLACE_ONE
    guess = f"which of two {unit.many}" if replaced else f"whether one {unit.one}"
    rows = [
        ("noise of a diagonal entry", _people(diagonal)),
        ("noise of another entry", _people(beside)),
        ("noise in its longest direction", _people(longest, people)),
        (f"smallest gap at which {hold}", _people(gap, people)),
    ]
    if plan.mean_stays:
        rows.append(("direction 1 probably shows", MEAN_STAYS))
    if plan.means:
        rows.append(("noise of a column’s sum", in_rows(plan.noise(MEANS))))
    if plan.scores:
        rows.append(("noise of a bin", in_rows(plan.noise(SCORES))))
    if len(plan.shares) > 1:
        power = 0.5 if plan.gaussian else 1.0
        times = ", ".join(
            f"{of} {float(1 / part) ** power:.3g}" for of, part in plan.shares.items()
        )
        rows.append(("times the noise that the whole budget would give", times))
    right = f"at most {guesses_text(right_guesses(plan.cost, plan.gaussian))} in 100"
    return [*rows, (f"right guesses {guess} is in it (a coin: 50)", right)]


def in_rows(value: float) -> str:
    """Write a number of rows."""
    return f"{float(f'{value:.3g}'):,g} rows"


def _people(value: float, guess: float = 0.0) -> str:
    """Write a number of people, and which share of a guessed number it is."""
    share = f" ({100 * value / guess:.2g} % of {guess:,.0f})" if 0 < value <= guess else ""
    more = f" (more than {guess:,.0f})" if 0 < guess < value else ""
    return f"{float(f'{value:.3g}'):,g} people{share}{more}"
