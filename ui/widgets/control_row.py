"""One row of controls over a page's charts: the data set first, then the page's own controls."""

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from dpca_core.data.dataset import Dataset
from ui.state import query_params, session, session_data
from ui.widgets.data_menu import data_menu
from ui.widgets.reset_button import reset_button

Query = TypeVar("Query")


def control_row(
    name: str,
    width: int,
    kind: type[session.Addressed],
    choose_query: Callable[[str, Dataset], Query],
) -> tuple[Dataset, Query] | None:
    """Draw the row; return the data set and what is asked of it, None while there are no data.

    Parameters
    ----------
    name
        Key of the row's container.
    width
        Of the data menu, in pixels.
    kind
        Class of the page's own settings.
    choose_query
        Draws the page's own controls for a data set and its key, and returns what they ask for.
    """
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key=name):
        key = data_menu(width)
        data = session_data.get(key) if key else None
        found = (data, choose_query(key, data)) if key and data else None
        reset_button(kind)
    session.write_address(session.page_settings(kind))
    query_params.show_replaced()
    if missing := session_data.missing_message():
        st.info(missing)
    return found
