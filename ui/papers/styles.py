"""How a series is drawn: thin as its paper states it, thick what holds; dots where refuted."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from dpca_core.analysis.claims import claim_of, example
from dpca_core.figures.colours import CHANCE, CHOSEN_WIDTH, DASHES, PRINTED_WIDTH, family_role
from dpca_core.mechanisms.mechanism import Family
from dpca_core.mechanisms.registry import MECHANISMS, NON_PRIVATE, RANDOM_DEFAULT
from dpca_core.privacy.budget import Budget, Standing
from papers.card import Card, Role, Series

FORMULA_COLOURS = (
    Family.EXPONENTIAL,
    Family.GAUSSIAN,
    Family.GAUSSIAN_TRIANGLE,
    Family.WISHART,
    Family.LAPLACE,
    Family.POWER,
)
"""Of series without a mechanism, in their order."""
REFERENCE_WIDTH = 1.6
REFUTED_DASH, APPROXIMATE_DASH, CHANCE_DASH, ORDER_DASH = (
    "2px,3px",
    "6px,4px",
    "1px,4px",
    "10px,5px",
)
CHANCE_LABEL = "andom directions"
"""What the label of random directions holds, at its beginning or behind a k."""
MOST_BOUNDS = 2
"""Lines in ink that a panel can tell apart; more have colours."""


@dataclass(frozen=True)
class Style:
    """Role of a colour, dashes, width in pixels, and whether the guarantee is refuted."""

    color: str
    dash: str
    width: float
    refuted: bool = False


@cache
def is_refuted(key: str | None) -> bool:
    """Tell whether what a mechanism's paper promises is refuted, whatever the budget."""
    if key is None:
        return False
    guarantee = claim_of(MECHANISMS[key], example(10, 2, 1000), Budget(1.0, 0.01)).guarantee
    return guarantee is not None and guarantee.standing is Standing.REFUTED


def is_chance(series: Series) -> bool:
    """Tell whether a series is of directions drawn at random, by releases or by their formula."""
    formula = series.mechanism is None and series.role is Role.REFERENCE
    return series.mechanism == RANDOM_DEFAULT.key or (formula and CHANCE_LABEL in series.label)


def is_truth(series: Series) -> bool:
    """Tell whether a series is PCA without privacy."""
    return series.mechanism == NON_PRIVATE.key


def styles_of(card: Card) -> dict[str, Style]:
    """Return the style of each series: those of one family in one panel differ in their dashes."""
    found: dict[str, Style] = {}
    for panel in card.panels:
        own = panel.series
        computed = [s for s in own if s.mechanism is None and not is_chance(s)]
        bounds = [s for s in computed if s.role is Role.REFERENCE]
        formulas = [s for s in computed if s not in bounds]
        if len(bounds) > MOST_BOUNDS:
            bounds, formulas = [], [*bounds, *formulas]
        relatives: dict[tuple[object, ...], int] = {}
        for series in own:
            color = _colour(series, bounds, formulas)
            kin = (series.role, color)
            number = relatives[kin] = relatives.get(kin, -1) + 1
            refuted = series.role is not Role.REFERENCE and is_refuted(series.mechanism)
            dash = _dash(series, number, refuted=refuted, bound=series in bounds)
            found[series.key] = Style(color, dash, _width(series), refuted)
    return found


def _colour(series: Series, bounds: Sequence[Series], formulas: Sequence[Series]) -> str:
    if is_chance(series):
        return CHANCE
    if is_truth(series) or series in bounds:
        return "ink"
    if series.mechanism is None:
        return family_role(FORMULA_COLOURS[formulas.index(series) % len(FORMULA_COLOURS)])
    return family_role(MECHANISMS[series.mechanism].family)


def _dash(series: Series, number: int, *, refuted: bool, bound: bool) -> str:
    if is_chance(series):
        return CHANCE_DASH
    if refuted:
        return REFUTED_DASH
    if series.approximate:
        return APPROXIMATE_DASH
    if series.role is Role.REFERENCE and series.mechanism is not None:
        return "solid" if is_truth(series) else ORDER_DASH
    return DASHES[(number + bound) % len(DASHES)]


def _width(series: Series) -> float:
    widths = {Role.PRINTED: PRINTED_WIDTH, Role.REPAIRED: CHOSEN_WIDTH}
    return widths.get(series.role, REFERENCE_WIDTH)
