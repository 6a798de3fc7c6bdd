"""Colours of a dark room: a projector washes out what a screen shows well."""

from dpca_core.figures.colours import palette
from dpca_core.mechanisms.mechanism import Family

ROOM_ROLES = {
    "page": "#0E1013",
    "ink": "#F4F5F6",
    "grey": "#B3BAC2",
    "faint": "#B3BAC2",
    "clear": "#0E101300",
}
"""Role: colour in a dark room. Grey stands against the page as 9.7 to 1."""

ROOM_FAMILIES = {Family.LAPLACE: "#E0793A", Family.SULQ: "#A48FDA"}
"""Families whose colour on dark would be too faint: 6.3 and 6.8 to 1 here, 4.1 and 4.6 before."""


def room_colours() -> dict[str, tuple[str, str]]:
    """Return the roles that have other colours in a dark room, as ``palette`` has them."""
    changed = ROOM_ROLES | {str(family): shade for family, shade in ROOM_FAMILIES.items()}
    texts = {f"{role}/text": shade for role, shade in changed.items() if role != "clear"}
    usual = palette()
    return {role: (usual[role][0], shade) for role, shade in (changed | texts).items()}
