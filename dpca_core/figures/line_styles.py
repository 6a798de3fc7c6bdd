"""How lines of one family, which share a colour, are told apart: by their dashes and width."""

from functools import cache

from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.registry import MECHANISMS

DASHES = ("solid", "9px,3px", "15px,4px", "9px,3px,2px,3px")
"""Of a family's mechanisms in the order of the menu; more begin again."""
PRINTED_DASHES = ("2px,3px", "5px,4px", "2px,7px", "5px,3px,1px,3px")
"""Of forms as a paper prints them."""
WIDTH, PRINTED_WIDTH, CHOSEN_WIDTH = 1.6, 1.3, 2.75
"""In pixels."""


def dash(mechanism: Mechanism) -> str:
    """Return the dashes of a mechanism's line, in Plotly's notation."""
    printed = mechanism.role == "printed"
    dashes = PRINTED_DASHES if printed else DASHES
    relatives = _relatives(mechanism.family, printed)
    place = relatives.index(mechanism.key) if mechanism.key in relatives else len(relatives)
    return dashes[place % len(dashes)]


def width(mechanism: Mechanism, chosen: bool = False) -> float:
    """Return the width of a mechanism's line, in pixels."""
    return CHOSEN_WIDTH if chosen else PRINTED_WIDTH if mechanism.role == "printed" else WIDTH


@cache
def _relatives(family: str, printed: bool) -> tuple[str, ...]:
    family_of = (m for m in MECHANISMS.values() if m.family == family)
    return tuple(m.key for m in family_of if (m.role == "printed") == printed)
