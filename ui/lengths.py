"""How long the rows of an uploaded table are, and which of them R would shorten."""

from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from dpca_core.choices import Recipe, RecipeError, Scaling
from dpca_core.coding import CodingError
from dpca_core.recipe import lengths
from ui.format import percent, significant

if TYPE_CHECKING:
    from pandas import DataFrame

BARS, MOST_ROWS, HEIGHT = 40, 20_000, 220
LONGEST = 1e300
INSIDE, BEYOND, RULE = "#8A9099", "#E26808", "#D0103A"


def draw_lengths(table: "DataFrame", recipe: Recipe) -> None:
    """Draw a histogram of row lengths with R; nothing while the choices are incomplete."""
    if recipe.scaling is Scaling.AS_IN_PAPERS:
        return
    try:
        found = lengths(table.head(MOST_ROWS), recipe)
    except (RecipeError, CodingError, MemoryError):
        return
    bound, finite = min(recipe.bound, LONGEST), found[found < LONGEST]
    if len(finite) == 0 or not finite.any():
        return
    share = percent(float((found > bound * (1 + 1e-12)).mean()))
    st.markdown(f"**R\u00a0=\u00a0{significant(bound, 3)} shortens {share} of the rows**")
    st.plotly_chart(
        _figure(finite, bound), key="lengths", config={"displayModeBar": False}, height=HEIGHT
    )
    st.caption("Choosing R by this picture reads private data.")


def _figure(values: np.ndarray, bound: float) -> object:
    import plotly.graph_objects as go

    top = max(float(np.quantile(values, 0.995)), bound) * 1.1
    counts, edges = np.histogram(np.minimum(values, top), bins=BARS, range=(0, top))
    middles = (edges[1:] + edges[:-1]) / 2
    bars = go.Bar(
        x=middles, y=counts, width=top / BARS * 0.9,
        marker_color=[BEYOND if m > bound else INSIDE for m in middles],
        hovertemplate="length %{x:.3g}: %{y:,} rows<extra></extra>",
    )  # fmt: skip
    figure = go.Figure(bars)
    figure.add_vline(bound, line_color=RULE, line_width=1.5, annotation_text="R")
    figure.update_layout(
        height=HEIGHT, margin={"l": 0, "r": 0, "t": 18, "b": 0}, bargap=0, showlegend=False,
        xaxis_title="length of a row before dividing by R", yaxis_title="rows",
    )  # fmt: skip
    return figure
