"""Colours of families, lines and text, named by their roles; dashes and widths of lines.

Lines of one family share a colour and are told apart by their dashes and width.
"""

from functools import cache
from typing import Any, Literal

from dpca_core.mechanisms.mechanism import Family, Mechanism
from dpca_core.mechanisms.registry import MECHANISMS

Theme = Literal["light", "dark"]

FAMILY_COLOURS = {
    Family.GAUSSIAN: ("#1230AE", "#5C74FF"),
    Family.GAUSSIAN_TRIANGLE: ("#0A93F5", "#6BA6B8"),
    Family.LAPLACE: ("#E26808", "#BE5410"),
    Family.WISHART: ("#4B9181", "#4FCBB5"),
    Family.EXPONENTIAL: ("#560D5F", "#C080F5"),
    Family.SMOOTH: ("#636200", "#B9DC2A"),
    Family.GAP_RELEASE: ("#2F7560", "#7FF0A8"),
    Family.SULQ: ("#7C4FDD", "#8671B4"),
    Family.POWER: ("#C868C7", "#FDB0FA"),
    Family.LOCAL: ("#7A1000", "#F0981F"),
    Family.BASELINE: ("#565D66", "#A9B0B9"),
}
"""Family: (on light, on dark); they stay apart for colour-blind readers too."""

ROLES = {
    "ink": ("#16191D", "#ECEEF0"),
    "grey": ("#565D66", "#A9B0B9"),
    "faint": ("#6F767E", "#8E96A0"),
    "hair": ("#ECEDEE", "#252A31"),
    "rule": ("#D9DBDE", "#363C45"),
    "page": ("#FFFFFF", "#14171C"),
    "panel": ("#F6F5F2", "#1C2027"),
    "accent": ("#D0103A", "#FF5470"),
    "clear": ("#FFFFFF00", "#14171C00"),
}
"""Role: (light, dark). ``clear`` is transparent."""

BAND_OPACITY = {"band95": (0.13, 0.18), "band80": (0.17, 0.22), "band50": (0.24, 0.29)}
"""Opacity of a band by the share of releases in it, in per cent: (light, dark)."""

DASHES = ("solid", "9px,3px", "15px,4px", "9px,3px,2px,3px")
"""Of a family's mechanisms in the order of the menu; more begin again."""
PRINTED_DASHES = ("2px,3px", "5px,4px", "2px,7px", "5px,3px,1px,3px")
"""Of forms as a paper prints them."""
WIDTH, PRINTED_WIDTH, CHOSEN_WIDTH = 1.6, 1.3, 2.75
"""In pixels."""

_IN_INK = (
    {Family.GAUSSIAN_TRIANGLE, Family.LAPLACE, Family.WISHART, Family.POWER},
    {Family.LAPLACE, Family.SULQ},
)
"""Families whose names are in ink, on light and on dark: their own contrast is below 4.5."""
CHANCE = str(Family.BASELINE)
"""Role of what is compared with without being a mechanism: directions drawn at random."""


def family_role(family: Family) -> str:
    """Return the role of a family's colour; that of baselines for a family without one."""
    return str(family if family in FAMILY_COLOURS else Family.BASELINE)


@cache
def dash(mechanism: Mechanism) -> str:
    """Return the dashes of a mechanism's line, in Plotly's notation."""
    printed = mechanism.role == "printed"
    dashes = PRINTED_DASHES if printed else DASHES
    relatives = [
        each.key
        for each in MECHANISMS.values()
        if each.family == mechanism.family and (each.role == "printed") == printed
    ]
    place = relatives.index(mechanism.key) if mechanism.key in relatives else len(relatives)
    return dashes[place % len(dashes)]


def width(mechanism: Mechanism, chosen: bool = False) -> float:
    """Return the width of a mechanism's line, in pixels."""
    return CHOSEN_WIDTH if chosen else PRINTED_WIDTH if mechanism.role == "printed" else WIDTH


def palette() -> dict[str, tuple[str, str]]:
    """Return the colours (on light, on dark) of every role, ``<role>/text`` included."""
    found = ROLES | {str(family): colours for family, colours in FAMILY_COLOURS.items()}
    found |= {f"{role}/text": ROLES[role] for role in ("ink", "grey", "faint", "accent")}
    for family, (light, dark) in FAMILY_COLOURS.items():
        on_light = ROLES["ink"][0] if family in _IN_INK[0] else light
        on_dark = ROLES["ink"][1] if family in _IN_INK[1] else dark
        found[f"{family}/text"] = on_light, on_dark
    return found


def colour(role: str, theme: Theme) -> str:
    """Return the colour of a role such as "gaussian", "gaussian/.13" or "gaussian/band95".

    Raises a KeyError for what is no name of ``palette``, alone or before an opacity.
    """
    mode = int(theme == "dark")
    if role in _PALETTE:
        return _PALETTE[role][mode]
    name, _, shade = role.rpartition("/")
    try:
        opacity = BAND_OPACITY[shade][mode] if shade in BAND_OPACITY else float(shade)
    except ValueError:
        raise KeyError(f"{role!r} is no role of a colour.") from None
    red, green, blue = bytes.fromhex(_PALETTE[name][mode][1:])
    return f"rgba({red},{green},{blue},{opacity:g})"


def resolve(figure: Any, theme: Theme, key: str = "") -> Any:
    """Return a figure, or a part of one, with colours in the places of their roles."""
    if isinstance(figure, dict):
        return {name: resolve(value, theme, name) for name, value in figure.items()}
    if isinstance(figure, list):
        return [resolve(value, theme, key) for value in figure]
    return colour(figure, theme) if isinstance(figure, str) and key.endswith("color") else figure


_PALETTE = palette()
