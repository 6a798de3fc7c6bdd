"""Every choice between a table and a data set: bounds, columns, persons, missing values, R."""

import streamlit as st

from dpca_core.data.recipe import Combine, Missing, Recipe, Scaling
from ui.data.controls.columns import choose_columns
from ui.data.controls.session_table import current_draft, update_draft
from ui.data.controls.unit_of_privacy import choose_id_column
from ui.data.recipe_draft import UNITS, RecipeDraft, unit_problem
from ui.data.source_table import SourceTable
from ui.data.text import COMBINE, MISSING, RADIUS_HELP, SCALINGS
from ui.text.numbers import escape_markdown

STREAMED_SCALINGS = [Scaling.BOUNDED, Scaling.NORM_ONLY]
"""What one pass over the rows can follow."""


def choose_recipe(source: SourceTable) -> Recipe:
    """Draw the controls; a streamed table has fewer of them."""
    draft, streamed = current_draft(), source.streamed
    if streamed and draft.scaling not in STREAMED_SCALINGS:
        draft = update_draft(scaling=Scaling.BOUNDED)
    scalings = STREAMED_SCALINGS if streamed else list(SCALINGS)
    scaling = st.radio(
        "How rows are bounded",
        scalings,
        scalings.index(draft.scaling),
        format_func=lambda s: SCALINGS[Scaling(s)],
        key="scaling",
    )
    draft = update_draft(scaling=Scaling(str(scaling)))
    draft = choose_columns(source, draft.missing)
    _choose_persons(draft, streamed)
    columns = st.columns(3)
    with columns[0]:
        missing = st.radio(
            "A missing value",
            list(MISSING),
            list(MISSING).index(draft.missing),
            format_func=lambda m: MISSING[Missing(m)],
            key="missing",
        )
    with columns[1]:
        radius = st.number_input(
            "Norm bound R",
            min_value=0.0,
            value=draft.radius,
            format="%g",
            key="radius",
            placeholder=f"{draft.default_radius:.3g}",
            help=RADIUS_HELP,
        )
    share = draft.mean_share
    with columns[2]:
        if draft.scaling is Scaling.PRIVATE_MEAN:
            share = st.slider("Share of ε and δ for the mean", 0.01, 0.5, share, key="mean_share")
    draft = update_draft(
        missing=Missing(str(missing)), radius=radius or None, mean_share=float(share)
    )
    return draft.recipe(streamed=streamed)


def _choose_persons(draft: RecipeDraft, streamed: bool) -> None:
    """Draw the unit of privacy, the ID column, and what becomes of several rows of one person."""
    columns, units = st.columns(3), list(dict.fromkeys([*UNITS, draft.unit]))
    with columns[0]:
        unit = st.selectbox(
            "Unit of privacy",
            units,
            units.index(draft.unit),
            key="unit",
            accept_new_options=True,
        )
    draft = update_draft(unit=str(unit))
    if problem := unit_problem(draft.unit):
        st.error(problem)
    with columns[1]:
        choose_id_column(draft, streamed)
    if streamed or current_draft().person is None:
        return
    with columns[2]:
        combine = st.radio(
            f"Several rows of one {escape_markdown(draft.unit)}",
            list(COMBINE),
            list(COMBINE).index(draft.combine),
            format_func=lambda c: COMBINE[Combine(c)],
            key="combine",
        )
        most = draft.rows_per_person
        if Combine(str(combine)) is Combine.AT_MOST:
            most = st.number_input("m", 1, 1000, most, key="most")
    update_draft(combine=Combine(str(combine)), rows_per_person=int(most))
