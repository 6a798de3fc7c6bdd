"""How long the rows of a table are, and which of them R would shorten."""

from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from dpca_core.data.errors import EncodingError, RecipeError
from dpca_core.data.recipe import Recipe, Scaling
from dpca_core.preparation import lengths
from ui.data.figures import LONGEST, exceeds, row_length_figure
from ui.data.text import CHOOSING_R, row_lengths_subtitle, shortened_rows
from ui.figures.charts import show_charts

if TYPE_CHECKING:
    from pandas import DataFrame

KEPT = "lengths.held"
"""Session key of the lengths last measured."""

MOST_ROWS, MOST_CELLS = 20_000, 2_000_000
"""Rows and cells that are measured."""


def show_row_lengths(table: "DataFrame", recipe: Recipe, *, streamed: bool = False) -> None:
    """Draw a histogram of row lengths with R; nothing while the choices are incomplete."""
    if recipe.scaling is Scaling.AS_IN_PAPERS:
        return
    found = _measured(table, recipe)
    radius = min(recipe.bound, LONGEST)
    if len(found) == 0 or not found[found < LONGEST].any():
        return
    used = min(len(table), _most_rows(table))
    first = streamed or used < len(table)
    shortened = int(exceeds(found, radius).sum())
    chart = {
        "key": "row-lengths",
        "title": shortened_rows(shortened, len(found), radius, first=first),
        "sub": row_lengths_subtitle(used, None if streamed else len(table)),
        "note": CHOOSING_R,
        "wide": True,
        "figure": row_length_figure(found, radius),
    }
    show_charts([chart], "lengths")


def _most_rows(table: "DataFrame") -> int:
    return max(1, min(MOST_ROWS, MOST_CELLS // table.shape[1]))


def _measured(table: "DataFrame", recipe: Recipe) -> np.ndarray:
    """Return lengths of the first rows, kept until a choice changes; none while incomplete."""
    kept = st.session_state.get(KEPT)
    if kept is not None and kept[0] is table and kept[1] == recipe:
        return np.asarray(kept[2])
    try:
        found = lengths(table.head(_most_rows(table)), recipe)
    except (RecipeError, EncodingError, MemoryError):
        found = np.empty(0)
    st.session_state[KEPT] = table, recipe, found
    return found
