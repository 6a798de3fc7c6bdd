"""One row of controls over a page's picture: the data first, then what the page asks of them."""

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from dpca_core.data.dataset import Dataset
from ui.state import query_params, session_data
from ui.widgets.data_menu import data_menu
from ui.widgets.style import PAGE_STYLE

Asked = TypeVar("Asked")


def control_row(
    name: str, width: int, choose: Callable[[str, Dataset], Asked]
) -> tuple[Dataset, Asked] | None:
    """Draw the row; return the data and what is asked of them, None while there are no data.

    Parameters
    ----------
    name
        Key of the row's container.
    width
        Of the data menu, in pixels.
    choose
        Draws the page's own controls for a data set and its key, and returns what they ask for.
    """
    st.html(PAGE_STYLE)
    missing = session_data.missing_message()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key=name):
        key = data_menu(width)
        data = session_data.get(key) if key else None
        found = (data, choose(key, data)) if key and data else None
    query_params.show_replaced()
    if missing:
        st.info(missing)
    return found
