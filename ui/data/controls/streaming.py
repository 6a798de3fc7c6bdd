"""Summing up a table on the server: where, the buttons and the progress."""

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from dpca_core.data.column_names import MAX_COLUMNS
from dpca_core.data.dataset import Dataset
from dpca_core.data.recipe import Recipe
from ui.owner.streaming_job import IN_PROCESS, StreamingJob, places
from ui.data.text import FIRST_ROWS_ONLY, STOPPED, too_many_columns
from ui.state import session_data
from ui.text.numbers import escape_markdown

JOB = "sum"
"""Session key."""

REFRESH_SECONDS = 0.4


def stop_streaming() -> None:
    """Stop the sum of this session, if there is one."""
    job = st.session_state.get(JOB)
    if isinstance(job, StreamingJob):
        job.stop.set()


def stream_table(
    name: str, path: Path, recipe: Recipe, forget: Callable[[], None]
) -> Dataset | None:
    """Draw the controls and the progress; return the data set once, when it is there."""
    st.caption(FIRST_ROWS_ONLY)
    choices, job = places(path), st.session_state.get(JOB)
    with st.container(horizontal=True, vertical_alignment="bottom", key="sum.row"):
        where = IN_PROCESS
        if len(choices) > 1:
            chosen = st.selectbox(
                "Where to compute",
                list(choices),
                format_func=lambda place: choices[place],
                key="sum.where",
                width=320,
            )
            where = str(chosen)
        if isinstance(job, StreamingJob) and job.running:
            st.button("Stop", on_click=job.stop.set, key="sum.stop")
        elif st.button("Compute from the whole table", type="primary", key="sum.start"):
            job = _start(name, path, recipe, where)
        st.button("Forget this table", key="forget", on_click=forget)
    if not isinstance(job, StreamingJob):
        return None
    if job.running:
        _show_progress()
        return None
    if job.problem:
        if job.path == path:
            show = st.info if job.problem == STOPPED else st.error
            show(escape_markdown(job.problem))
        return None
    return _use(job)


def _start(name: str, path: Path, recipe: Recipe, where: str) -> StreamingJob | None:
    columns = len(recipe.numbers) + sum(len(c.values) for c in recipe.categories)
    if columns > MAX_COLUMNS:
        st.error(too_many_columns(columns, MAX_COLUMNS))
        return None
    job = StreamingJob(name, path, recipe, where)
    st.session_state[JOB] = job
    job.start()
    st.rerun()


def _use(job: StreamingJob) -> Dataset | None:
    """Make a finished sum the session's data set."""
    del st.session_state[JOB]
    if job.found is not None:
        session_data.add_upload(job.found)
        session_data.show_in_explore(job.found.key)
    return job.found


@st.fragment(run_every=REFRESH_SECONDS)
def _show_progress() -> None:
    job = st.session_state.get(JOB)
    if not isinstance(job, StreamingJob) or not job.running:
        st.rerun()
    st.progress(*job.status)
