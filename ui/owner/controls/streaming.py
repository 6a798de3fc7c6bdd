"""Summing up a table on the server: where, the buttons and the progress."""

from pathlib import Path

import streamlit as st

from dpca_core.data.column_names import MAX_COLUMNS
from dpca_core.data.dataset import Dataset
from dpca_core.data.recipe import Recipe
from ui.owner import text_table as text
from ui.owner.streaming_job import IN_PROCESS, StreamingJob, places
from ui.text.numbers import escape_markdown

JOB = "owner.sum"
"""Session key."""

REFRESH_SECONDS = 0.4


def stop_streaming() -> None:
    """Stop the sum of this session, if there is one."""
    job = st.session_state.get(JOB)
    if isinstance(job, StreamingJob):
        job.stop.set()


def choose_place(path: Path) -> str:
    """Ask where a table is summed up, where there is a choice."""
    choices = places(path)
    if len(choices) < 2:
        return IN_PROCESS
    chosen = st.selectbox(
        text.WHERE_LABEL,
        list(choices),
        format_func=lambda place: choices[place],
        key="sum.where",
    )
    return str(chosen)


def start_streaming(name: str, path: Path, recipe: Recipe, where: str) -> None:
    """Begin to sum up a table; one sentence where it has too many columns."""
    columns = recipe.width
    if columns > MAX_COLUMNS:
        st.error(text.too_many_columns(columns, MAX_COLUMNS))
        return
    job = StreamingJob(name, path, recipe, where)
    st.session_state[JOB] = job
    job.start()


def draw_progress() -> Dataset | None:
    """Draw how far the sum is, with Stop; return the data set once, when it is there."""
    job = st.session_state.get(JOB)
    if not isinstance(job, StreamingJob):
        return None
    if job.running:
        st.button(text.STOP, on_click=job.stop.set, key="sum.stop")
        _show_progress()
        return None
    if job.problem:
        show = st.info if job.problem == text.STOPPED else st.error
        show(escape_markdown(job.problem))
        return None
    del st.session_state[JOB]
    return job.found


@st.fragment(run_every=REFRESH_SECONDS)
def _show_progress() -> None:
    job = st.session_state.get(JOB)
    if not isinstance(job, StreamingJob) or not job.running:
        st.rerun()
    st.progress(*job.status)
