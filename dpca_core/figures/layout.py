"""The layout that all figures share: fonts, hover labels, no legend."""

from typing import Any

Spec = dict[str, Any]
"""A figure in Plotly's schema: ``data`` and ``layout``."""
FONT = '"Source Sans", "Source Sans Pro", sans-serif'


def shared_layout(
    font_size: float = 12.5, annotations: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Return the layout that figures have in common; a figure adds its axes.

    Parameters
    ----------
    annotations
        What a figure's annotations have in common, beside that they have no arrow.
    """
    return {
        "paper_bgcolor": "clear",
        "plot_bgcolor": "clear",
        "font": {"family": FONT, "size": font_size, "color": "grey"},
        "hoverlabel": {
            "bgcolor": "panel",
            "bordercolor": "rule",
            "font": {"family": FONT, "size": 13, "color": "ink"},
            "align": "left",
            "namelength": -1,
        },
        "showlegend": False,
        "hovermode": "closest",
        "template": {
            "layout": {
                "annotationdefaults": {"showarrow": False} | (annotations or {}),
                # Else Plotly measures each tick's words after drawing them, to hide those that a
                # file would cut off: for every axis it makes the browser lay out the page again.
                "xaxis": {"ticklabeloverflow": "allow"},
                "yaxis": {"ticklabeloverflow": "allow"},
            }
        },
    }


def within_edges(layout: dict[str, Any]) -> dict[str, Any]:
    """Return a layout for a file, at whose edges ticks would be cut off: they are not shown."""
    shared = layout.get("template", {}).get("layout", {})
    kept = {name: value for name, value in shared.items() if name not in ("xaxis", "yaxis")}
    return layout | {"template": {"layout": kept}}
