"""What a plan is refused for, each in one sentence; nothing of it depends on a table's rows."""

from collections.abc import Mapping
from fractions import Fraction

from dpca_core.analysis.recommendation import MOST_WISHART_COLUMNS
from dpca_core.data.column_names import MAX_COLUMNS
from dpca_core.data.errors import RecipeError
from dpca_core.data.recipe import MissingPerson, Recipe, Scaling, Source
from dpca_core.data.recipe_checks import require_valid
from dpca_core.mechanisms.noise_laws import ExactNoise
from dpca_core.mechanisms.registry import DRAWN_EXACTLY, MECHANISMS
from dpca_core.privacy.budget import LEAST_DELTA, MOST_EPSILON
from dpca_core.release.drawn import MOST_BINS
from dpca_core.release.plan_parts import PartName, noise_of, scale_names
from dpca_core.text.listed import listed

LEAST_ASKED = Fraction(1, 10**6)
"""Smallest ε of a release."""
SCALE_LIMIT = 2**57
"""Scales are below: noise and sums fit 64 bits."""
LEAST_MATRIX_SHARE = Fraction(1, 5)
FEWEST_BINS = 5
LONGEST_REASON = 500
"""Characters of a reason, and of a sentence that is confirmed."""
_LONGEST_PRACTICE = 100
_NO_ROOM = "Noise of this size leaves no room in 64 bits; ask for ε of 10⁻⁶ or more."


class PlanError(ValueError):
    """A plan that cannot be followed; nothing is spent. The message is one sentence."""


def require_public(recipe: Recipe, columns: tuple[str, ...]) -> None:
    """Refuse a recipe under which rows depend on other rows, or on what was read from the file."""
    read = any(column.source is Source.FILE for column in recipe.columns)
    if recipe.scaling is Scaling.AS_IN_PAPERS or not recipe.bounds_are_public or read:
        raise PlanError(
            "Centre and norm are read from the data, so nothing can be promised: choose public "
            "ranges first."
        )
    if recipe.names_persons and recipe.missing_person is MissingPerson.OWN:
        raise PlanError(
            "Rows without an ID would each count as another person: leave them out of a release."
        )
    if max(len(columns), recipe.width) > MAX_COLUMNS:
        raise PlanError(
            f"A release holds at most {MAX_COLUMNS:,} columns after coding; leave some out."
        )
    try:
        require_valid(recipe)
    except RecipeError as error:
        raise PlanError(str(error)) from None
    if len(columns) != recipe.width:
        raise PlanError("The plan is about other columns than its recipe.")


def noise_for(mechanism: str) -> ExactNoise:
    """Return the law of a mechanism's noise; refuse one that cannot be drawn exactly."""
    found = DRAWN_EXACTLY.get(mechanism)
    if found is None:
        exact = listed([MECHANISMS[key].name for key in DRAWN_EXACTLY], "or")
        raise PlanError(f"The noise of this mechanism cannot be drawn exactly; choose {exact}.")
    return found


def require_budget(epsilon: Fraction, delta: Fraction, noise: ExactNoise, d: int) -> None:
    """Refuse a budget that the noise cannot meet."""
    if not (isinstance(epsilon, Fraction) and isinstance(delta, Fraction)):
        raise PlanError("ε and δ must be exact: give fractions, not floats.")
    if epsilon < LEAST_ASKED:
        raise PlanError(_NO_ROOM)
    if epsilon > Fraction(MOST_EPSILON):
        raise PlanError("ε must be at most 10¹⁰.")
    if not (delta == 0 or LEAST_DELTA <= delta < 1):
        raise PlanError("δ must be 0, or at least 10⁻³⁰ and below 1.")
    if delta == 0 and noise is ExactNoise.GAUSSIAN:
        raise PlanError("Gaussian noise needs δ > 0; choose δ, or the difference of Wisharts.")
    if noise is ExactNoise.WISHART_DIFFERENCE and d > MOST_WISHART_COLUMNS:
        raise PlanError(
            f"Exact Wishart noise is drawn for at most {MOST_WISHART_COLUMNS} columns; Gaussian "
            "noise with δ = 2⁻⁶⁴ is smaller there."
        )


def require_shares(means: Fraction, scores: Fraction | None, private_mean: bool) -> None:
    """Refuse shares that are none, or leave too little; ``scores`` is None for no histogram."""
    given = [means] if scores is None else [means, scores]
    if not all(isinstance(share, Fraction) for share in given):
        raise PlanError("Shares must be exact: give fractions, not floats.")
    too_small = means < 0 or (scores is not None and scores <= 0)
    if too_small or 1 - sum(given) < LEAST_MATRIX_SHARE:
        raise PlanError("The parts’ shares must be above 0 and leave at least 20 % for the matrix.")
    if private_mean and means == 0:
        raise PlanError(
            "A private mean is subtracted from every row, so the means need a share of the budget."
        )


def require_histogram(bins: tuple[int, int], reach: Fraction) -> None:
    """Refuse a histogram with too few or too many bins, or with a reach outside (0, 1]."""
    whole = len(bins) == 2 and all(isinstance(b, int) for b in bins)
    if not (whole and all(FEWEST_BINS <= b <= MOST_BINS for b in bins)):
        raise PlanError(f"The histogram needs {FEWEST_BINS} to {MOST_BINS} bins each way.")
    if not (isinstance(reach, Fraction) and 0 < reach <= 1):
        raise PlanError("The histogram’s reach must be above 0 and at most 1.")


def require_directions(k: int, d: int) -> None:
    """Refuse a number of directions that is none."""
    if not (isinstance(k, int) and 1 <= k < d):
        raise PlanError(
            f"The number of directions must be at least 1 and below that of columns, {d}."
        )


def require_texts(reason: str, practice: str, sentences: list[str]) -> None:
    """Refuse a reason that is missing or long, and texts that no file can hold."""
    if not reason.strip() or len(reason) > LONGEST_REASON:
        raise PlanError(
            f"Say in 1 to {LONGEST_REASON} characters why this ε was chosen: it is published."
        )
    if len(practice) > _LONGEST_PRACTICE or any(len(s) > LONGEST_REASON for s in sentences):
        raise PlanError(f"A sentence to be confirmed has at most {LONGEST_REASON} characters.")
    if any(
        "\ud800" <= letter <= "\udfff" for text in (reason, practice, *sentences) for letter in text
    ):
        raise PlanError("The reason holds half of a letter, which no file can hold: type it anew.")


def require_scales(
    scales: Mapping[PartName, Mapping[str, int]], parts: tuple[PartName, ...], mechanism: ExactNoise
) -> None:
    """Refuse scales that leave no room, or that are not those of these parts."""
    if set(scales) != set(parts):
        raise PlanError("The scales of the noise are not those of the plan’s parts.")
    for name, found in scales.items():
        wanted = scale_names(name, noise_of(name, mechanism))
        if tuple(found) != wanted or not all(isinstance(s, int) and s >= 1 for s in found.values()):
            raise PlanError("The scales of the noise are not those of the plan’s parts.")
        if "b" in found and found["b"] ** 2 < 2 * found["a"] ** 2:
            raise PlanError("The scales of the noise are not those of the plan’s parts.")
        if max(found.values()) >= SCALE_LIMIT:
            raise PlanError(_NO_ROOM)
