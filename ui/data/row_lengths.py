"""How long the rows of an uploaded table are, and which of them R would shorten."""

from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from dpca_core.data.labels import EncodingError
from dpca_core.data.recipe import Recipe, RecipeError, Scaling
from dpca_core.preparation import lengths
from ui.text.numbers import count, percent, significant

if TYPE_CHECKING:
    from pandas import DataFrame


HELD, BARS, MOST_ROWS, MOST_CELLS, HEIGHT = "lengths.held", 40, 20_000, 2_000_000, 220
LONGEST, ROUNDING = 1e300, 1e-12
INSIDE, BEYOND, RULE = "#8A9099", "#E26808", "#D0103A"


def draw_lengths(table: "DataFrame", recipe: Recipe, *, streamed: bool = False) -> None:
    """Draw a histogram of row lengths with R; nothing while the choices are incomplete."""
    if recipe.scaling is Scaling.AS_IN_PAPERS:
        return
    found = _measured(table, recipe)
    bound = min(recipe.bound, LONGEST)
    if len(found) == 0 or not found[found < LONGEST].any():
        return
    first = streamed or len(table) > _most_rows(table)
    st.markdown(shortened_said(found, bound, first=first))
    st.plotly_chart(
        _figure(found, bound), key="lengths", config={"displayModeBar": False}, height=HEIGHT
    )
    st.caption("Choosing R by this picture reads private data.")


def _most_rows(table: "DataFrame") -> int:
    return max(1, min(MOST_ROWS, MOST_CELLS // table.shape[1]))


def _measured(table: "DataFrame", recipe: Recipe) -> np.ndarray:
    """Lengths of the first rows, kept until a choice changes; none while choices are incomplete."""
    held = st.session_state.get(HELD)
    if held is not None and held[0] is table and held[1] == recipe:
        return np.asarray(held[2])
    try:
        found = lengths(table.head(_most_rows(table)), recipe)
    except (RecipeError, EncodingError, MemoryError):
        found = np.empty(0)
    st.session_state[HELD] = table, recipe, found
    return found


def beyond(found: np.ndarray, bound: float) -> np.ndarray:
    """Tell which rows (n,) are shortened: longer than R by more than rounding."""
    return np.asarray(found > bound * (1 + ROUNDING))


def shortened_said(found: np.ndarray, bound: float, *, first: bool) -> str:
    """Say how many rows R shortens, and of which; never "0 %" where there is one."""
    long = int(beyond(found, bound).sum())
    rows = f"the first {count(len(found))} rows" if first else f"all {count(len(found))} rows"
    share = "none" if long == 0 else percent(long / len(found))
    if 0 < long < 0.005 * len(found):
        share = f"{count(long)}"
    elif long == len(found):
        share = "all"
    return f"**R\u00a0=\u00a0{significant(bound, 3)} shortens {share} of {rows}**"


def bars(found: np.ndarray, bound: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the bars' edges (b + 1,) and how many rows (b,) R leaves and shortens in each.

    R is an edge, so that no bar holds rows of both kinds. The last bar holds all that are longer.
    """
    finite = np.minimum(found, LONGEST)
    top = max(float(np.quantile(finite, 0.995)), bound) * 1.1
    width = bound / max(1, round(BARS * bound / top))
    with np.errstate(over="ignore"):
        edges = width * np.arange(int(np.clip(np.ceil(top / width), 1, 4 * BARS)) + 1)
    with np.errstate(over="ignore"):
        place = np.minimum(finite / width, len(edges) - 2).astype(int)
    long = beyond(found, bound)
    inside = min(round(bound / width), len(edges) - 1)
    left = np.bincount(np.minimum(place[~long], inside - 1), minlength=len(edges) - 1)
    cut = np.bincount(np.maximum(place[long], inside), minlength=len(edges) - 1)
    return edges, left, cut[: len(edges) - 1]


def _figure(found: np.ndarray, bound: float) -> object:
    import plotly.graph_objects as go

    edges, left, cut = bars(found, bound)
    middles, width = (edges[1:] + edges[:-1]) / 2, float(edges[1])
    figure = go.Figure(
        [
            go.Bar(
                x=middles, y=rows, width=width * 0.9, marker_color=colour,
                hovertemplate=f"length %{{x:.3g}}: %{{y:,}} rows{said}<extra></extra>",
            )
            for rows, colour, said in ((left, INSIDE, ""), (cut, BEYOND, ", shortened"))
        ]
    )  # fmt: skip
    figure.add_vline(bound, line_color=RULE, line_width=1.5, annotation_text="R")
    figure.update_layout(
        height=HEIGHT, margin={"l": 0, "r": 0, "t": 18, "b": 0}, bargap=0, showlegend=False,
        barmode="stack", xaxis_title="length of a row before dividing by R", yaxis_title="rows",
    )  # fmt: skip
    return figure
