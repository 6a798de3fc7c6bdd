"""The controls above a summary: whether it is still what the settings ask for, and ways to keep it.

What is set here changes the wording alone, never a number.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import streamlit as st

from dpca_core.analysis.direction_words import ColumnWords, candidates, plain
from dpca_core.data.dataset import Dataset
from sample_data import source_of
from ui.figures.component import component_of
from ui.page.markup import button
from ui.state import session_data
from ui.state.widget_keys import widget_key
from ui.summary import control_text as text
from ui.summary.file import summary_file
from ui.summary.measurements import SummaryMeasurements
from ui.summary.pattern_rows import words_of
from ui.summary.query import Frozen, Presentation

STYLE = Path(__file__).with_name("summary.css")
PEOPLE_PUBLIC, WORDS = "summary.people-public", "summary.words"
"""Session keys: data sets whose n may be said, and the owner's words for columns, by data set."""

_print = component_of("dpca_print", "summary", button(text.PRINT, title=text.PRINT_HELP))


def presentation(data: Dataset) -> Presentation:
    """Return how a summary of a data set is worded in this session."""
    public = data.synthetic or session_data.is_public(data)
    named: set[str] = st.session_state.get(PEOPLE_PUBLIC, set())
    return Presentation(
        people_are_public=not data.own or data.synthetic or data.key in named,
        data_are_public=public,
        words={**_shipped(data), **_own_words(data)},
    )


def _shipped(data: Dataset) -> Mapping[str, ColumnWords]:
    source = source_of(data.key)
    return {} if source is None else source.column_words


def _own_words(data: Dataset) -> dict[str, ColumnWords]:
    words: dict[str, dict[str, ColumnWords]] = st.session_state.get(WORDS, {})
    return words.get(data.key, {})


def draw_changed() -> bool:
    """Say that the settings have changed; tell whether a new summary is asked for."""
    with st.container(key="summary-changed", horizontal=True, vertical_alignment="center"):
        st.markdown(text.CHANGED, width="content")
        return st.button(text.UPDATE, key="summary-update", type="primary")


def draw_bar(frozen: Frozen, measured: SummaryMeasurements, shown: Presentation) -> Presentation:
    """Draw what can be done with a summary; return how it is worded now."""
    with st.container(key="summary-bar", horizontal=True, vertical_alignment="center"):
        if st.button(text.BACK, key="summary-back", type="tertiary"):
            st.switch_page("pages/explore.py")
        st.space("stretch")
        with st.popover(text.WORDING, key="summary-wording"):
            shown = _draw_wording(frozen.dataset, measured, shown)
        file = summary_file(frozen, measured, shown)
        st.download_button(
            text.SAVE,
            file.text,
            file.name,
            file.format,
            key="summary-save",
            help=text.SAVE_HELP,
            on_click="ignore",
        )
        _print(key="summary-print", data={})
    return shown


def _draw_wording(
    data: Dataset, measured: SummaryMeasurements, shown: Presentation
) -> Presentation:
    """Let the owner say whether n is public, and how the ends of columns are called."""
    if data.own and not data.synthetic:
        named: set[str] = st.session_state.setdefault(PEOPLE_PUBLIC, set())
        ticked = st.checkbox(
            text.PEOPLE_PUBLIC.format(many=data.unit.many),
            data.key in named,
            key=widget_key(f"summary-n-{data.key}"),
            help=text.PEOPLE_PUBLIC_HELP,
        )
        (named.add if ticked else named.discard)(data.key)
        shown = replace(shown, people_are_public=ticked)
    st.markdown(text.WORDS_NOTE)
    edited = _edit_words(data, measured, shown)
    return replace(shown, words={**shown.words, **edited})


def _edit_words(
    data: Dataset, measured: SummaryMeasurements, shown: Presentation
) -> dict[str, ColumnWords]:
    """Draw two fields for each column that may be named; return the words that differ."""
    words = words_of(measured, shown)
    named = {i for j in range(measured.query.k) for i in candidates(measured.directions[:, j])}
    kept: dict[str, ColumnWords] = st.session_state.setdefault(WORDS, {}).setdefault(data.key, {})
    for i in sorted(named):
        column, now = data.columns[i], words[i]
        ends = ((text.LOW_END, "low", now.low), (text.HIGH_END, "high", now.high))
        typed = [
            place.text_input(
                label.format(column=plain(column)),
                end,
                max_chars=text.LONGEST_WORDS,
                key=widget_key(f"summary-{side}-{data.key}-{i}"),
            ).strip()
            for place, (label, side, end) in zip(st.columns(2), ends, strict=True)
        ]
        low, high = (plain(one) for one in typed)
        if low and high and (low, high) != (now.low, now.high):
            kept[column] = ColumnWords(low, high, now.name, now.topic)
    return kept
