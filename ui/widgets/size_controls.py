"""The controls of k and of the number of people, and of the seed, which pages share."""

from typing import cast

import streamlit as st

from dpca_core.data.dataset import Dataset
from ui.state.query_params import note_limit
from ui.state.session import default_k, follow_control, settings
from ui.state.slider_stops import MOST_DIRECTIONS, nearest_stop, people_stops
from ui.state.widget_keys import key_starting_at
from ui.text.numbers import count
from ui.widgets.budget_controls import Width


def choose_k(most: int, usual: int, width: Width = "stretch") -> int:
    """Draw the slider of k, or say its only value; return what is chosen.

    Parameters
    ----------
    most
        The largest k.
    usual
        Where none has been chosen.
    """
    shown = min(settings().k or usual, most)
    chosen = 1
    if most > 1:
        key = key_starting_at("k", shown)
        chosen = int(st.slider("Directions k", 1, most, shown, key=key, width=width))
        follow_control("k", shown, chosen)
    else:
        with st.container(key="k_fixed", width=110):
            st.markdown("Directions k  \n**1**")
    if asked := settings().k:
        note_limit("k", asked, chosen)
    return chosen


def choose_k_of(key: str, data: Dataset, width: Width = "stretch") -> int:
    """Draw the slider of k for a data set and its key, and return what is chosen."""
    return choose_k(most_directions(data), default_k(key, data), width)


def most_directions(data: Dataset) -> int:
    """Return the largest k of a data set's slider."""
    return min(MOST_DIRECTIONS, data.d - 1)


def choose_people(
    usual: float,
    many: str,
    stops: tuple[float, ...] = (),
    width: Width = "stretch",
    help: str = "",
    *,
    own: bool = True,
) -> float:
    """Draw the slider of the number of people and return what is chosen.

    Parameters
    ----------
    usual
        Where none has been chosen.
    many
        Whom the slider counts.
    stops
        Of the slider; usually ``people_stops``.
    own
        Whether ``usual`` is as many as the data have, which is then set by this name, not by its
        number.
    """
    asked = settings().n
    stops = stops or people_stops(int(usual), asked)
    shown = nearest_stop(asked or usual, stops)
    chosen = st.select_slider(
        many.capitalize(),
        stops,
        shown,
        format_func=count,
        key=key_starting_at("n", shown),
        width=width,
        help=help or None,
    )
    follow_control("n", shown, chosen, 0.0 if own and chosen == usual else chosen)
    if asked := settings().n:
        note_limit("n", asked, chosen)
    return float(chosen)


def choose_seed() -> int:
    """Draw the field of the seed and return what is chosen."""
    shown = settings().seed
    chosen = st.number_input("Seed", 0, 2**32 - 1, shown, key=key_starting_at("seed", shown))
    return follow_control("seed", shown, int(cast(float, chosen)))
