"""One colour per family of mechanisms, chosen to stay apart for colour-blind readers too."""

from dpca_core.figures.theme import FAMILY_COLOURS
from dpca_core.mechanisms.family import Family


def colour(family: Family) -> tuple[str, str]:
    """Return the family's colour on light and on dark; that of baselines for a new family."""
    return FAMILY_COLOURS.get(family, FAMILY_COLOURS[Family.BASELINE])
