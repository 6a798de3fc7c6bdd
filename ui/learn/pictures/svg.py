"""What all pictures of lessons share: the frame, texts, and paths of many dots."""

from collections.abc import Iterable

from ui.page.markup import element, role_style

SMALL_TEXT, TEXT = 13.0, 15.0
"""Sizes of type, in units of the picture: pixels on a laptop."""


def picture(width: float, height: float, label: str, *parts: str, **places: str) -> str:
    """Return a picture as SVG that fills the width it is given.

    Parameters
    ----------
    places
        Attributes from which the browser knows where a guess may be dragged: ``Guess`` says which.
    """
    return element(
        "svg",
        *parts,
        viewBox=f"0 0 {width:g} {height:g}",
        width="100%",
        role="img",
        aria_label=label,
        **places,
    )


def text(
    x: float,
    y: float,
    content: str,
    size: float = SMALL_TEXT,
    *,
    bold: bool = False,
    **more: object,
) -> str:
    """Return a text at a place; ``content`` is markup."""
    weight = {"font_weight": 650} if bold else {}
    colour = {"fill": "currentColor"} if bold else {"fill": "var(--grey)"}
    place = {"x": f"{x:.1f}", "y": f"{y:.1f}", "font_size": f"{size:g}"}
    return element("text", content, **(place | weight | colour | more))


def dots(places: Iterable[tuple[float, float]], radius: float, fill: str, **more: object) -> str:
    """Return many dots of one colour as one path: the round ends of lines without a length."""
    drawn = "".join(f"M{x:.1f} {y:.1f}h0" for x, y in places)
    ends = {"stroke": fill, "stroke_width": f"{2 * radius:.3g}", "stroke_linecap": "round"}
    return element("path", d=drawn, **(ends | more)) if drawn else ""


def coloured(role: str, *parts: str) -> str:
    """Return a group whose ``--role`` is the colour of a role of the palette."""
    return element("g", *parts, style=role_style(role))
