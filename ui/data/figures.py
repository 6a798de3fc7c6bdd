"""The histogram of row lengths, and which rows R would shorten."""

import numpy as np

HEIGHT = 220
BARS = 40
LONGEST = 1e300
"""Lengths beyond this one are drawn as this one."""

_ROUNDING = 1e-12
_KEPT, _SHORTENED, _RULE = "#8A9099", "#E26808", "#D0103A"


def exceeds(lengths: np.ndarray, radius: float) -> np.ndarray:
    """Tell which rows (n,) are shortened: longer than R by more than rounding."""
    return np.asarray(lengths > radius * (1 + _ROUNDING))


def histogram(lengths: np.ndarray, radius: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the bars' edges (b + 1,) and how many rows (b,) R keeps and shortens in each.

    R is an edge, so that no bar holds rows of both kinds. The last bar holds all longer rows.
    """
    finite = np.minimum(lengths, LONGEST)
    top = max(float(np.quantile(finite, 0.995)), radius) * 1.1
    width = radius / max(1, round(BARS * radius / top))
    with np.errstate(over="ignore"):
        edges = width * np.arange(int(np.clip(np.ceil(top / width), 1, 4 * BARS)) + 1)
    with np.errstate(over="ignore"):
        bar = np.minimum(finite / width, len(edges) - 2).astype(int)
    long = exceeds(lengths, radius)
    inside = min(round(radius / width), len(edges) - 1)
    kept = np.bincount(np.minimum(bar[~long], inside - 1), minlength=len(edges) - 1)
    shortened = np.bincount(np.maximum(bar[long], inside), minlength=len(edges) - 1)
    return edges, kept, shortened[: len(edges) - 1]


def row_length_figure(lengths: np.ndarray, radius: float) -> object:
    """Return a Plotly histogram of lengths (n,), with R as a line."""
    import plotly.graph_objects as go

    edges, kept, shortened = histogram(lengths, radius)
    middles, width = (edges[1:] + edges[:-1]) / 2, float(edges[1])
    bars = [
        go.Bar(
            x=middles,
            y=rows,
            width=width * 0.9,
            marker_color=colour,
            hovertemplate=f"length %{{x:.3g}}: %{{y:,}} rows{suffix}<extra></extra>",
        )
        for rows, colour, suffix in ((kept, _KEPT, ""), (shortened, _SHORTENED, ", shortened"))
    ]
    figure = go.Figure(bars)
    figure.add_vline(radius, line_color=_RULE, line_width=1.5, annotation_text="R")
    figure.update_layout(
        height=HEIGHT,
        margin={"l": 0, "r": 0, "t": 18, "b": 0},
        bargap=0,
        showlegend=False,
        barmode="stack",
        xaxis_title="length of a row before dividing by R",
        yaxis_title="rows",
    )
    return figure
