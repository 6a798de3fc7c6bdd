"""A table on the server summed up beside the page: progress, a way to stop, a data set."""

import logging
import os
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from dpca_core.data.column_names import MAX_COLUMNS, TableError
from dpca_core.data.dataset import Dataset
from dpca_core.data.labels import EncodingError
from dpca_core.data.recipe import Reading, Recipe, RecipeError
from dpca_core.streaming.moments import Moments
from dpca_core.streaming.second_moment import Cancelled, Progress, second_moment
from dpca_core.streaming.summed_dataset import SHOWN, data_set
from ui.data.server_tables import dask_there, parts_of
from ui.server.background_job import WAITING_MESSAGE, BackgroundJob
from ui.server.scheduler import BACKGROUND_SCHEDULER, PAGE_SCHEDULER
from ui.state import session_data
from ui.text.numbers import count, escape_markdown

LOG = logging.getLogger(__name__)
HERE, PROCESSES, CLUSTER = "here", "processes", "cluster"
ADDRESS = "DPCA_DASK"
STOPPED = "The sum was stopped; nothing was kept."


@dataclass
class Job(BackgroundJob):
    """One sum in a thread of its own; it ends with its session."""

    name: str
    path: Path
    recipe: Recipe
    where: str = HERE
    progress: Progress | None = None
    found: Dataset | None = None
    problem: str = ""

    def _work(self) -> None:
        try:
            with BACKGROUND_SCHEDULER.turn(urgent=False):
                self.waiting = False
                if self.should_stop:
                    raise Cancelled(STOPPED)
                self.found = data_set(self._sum(), self.name, Reading.TOTAL)
        except Cancelled:
            self.problem = STOPPED
        except (TableError, EncodingError, RecipeError, ValueError) as error:
            self.problem = str(error)
        except MemoryError:
            self.problem = "This sum needs more memory than this machine has: leave columns out."
        except OSError:
            self.problem = f"{self.name} cannot be read, or a worker that reads it was lost."
        except Exception as error:
            # Whatever else a file or a cluster may hold: the log has its kind and place, but not
            # its words, which may quote a cell; the page has one sentence.
            LOG.error("A sum failed: %s.\n%s", type(error).__name__, _places(error))
            self.problem = f"{self.name} cannot be summed up; it may be damaged."

    def _sum(self) -> Moments:
        if self.where == HERE:
            return second_moment(self.path, self.recipe, on_progress=self._told, sample=SHOWN)
        from dpca_core.streaming.dask_moment import dask_moment

        client = os.environ.get(ADDRESS) if self.where == CLUSTER else None
        return dask_moment(self.path, self.recipe, client, on_progress=self._told, sample=SHOWN)

    def _told(self, progress: Progress) -> bool:
        self.progress = progress
        PAGE_SCHEDULER.yield_to_waiting()
        return not self.should_stop


def _places(error: BaseException) -> str:
    """Where an error was raised, without what it says."""
    return "".join(traceback.format_tb(error.__traceback__))


def stop_sum() -> None:
    """Stop what this session is summing up."""
    job = st.session_state.get("sum")
    if isinstance(job, Job):
        job.stop.set()


def places(path: Path) -> dict[str, str]:
    """Say where a table can be summed up, by key."""
    found = {HERE: "in this process"}
    if dask_there() and parts_of(path) > 1:
        found[PROCESSES] = "in processes of this machine (Dask)"
        if os.environ.get(ADDRESS):
            found[CLUSTER] = "on the cluster of this server (Dask)"
    return found


def draw(name: str, path: Path, recipe: Recipe, forget: Callable[[], None]) -> Dataset | None:
    """Draw where to sum up, the buttons, progress; return the data set once, when it is there."""
    st.caption(
        "Only the first rows were read so far: the preview, the histogram and what is filled in "
        "come from them. The sum reads all."
    )
    choices, job = places(path), st.session_state.get("sum")
    with st.container(horizontal=True, vertical_alignment="bottom", key="sum.row"):
        where = HERE
        if len(choices) > 1:
            where = str(st.selectbox("Sum up", list(choices), format_func=lambda w: choices[w],
                                     key="sum.where", width=320))  # fmt: skip
        if isinstance(job, Job) and job.running:
            st.button("Stop", on_click=job.stop.set, key="sum.stop")
        elif st.button("Sum up these data", type="primary", key="sum.start"):
            job = _started(name, path, recipe, where)
        st.button("Forget this table", key="forget", on_click=forget)
    if not isinstance(job, Job):
        return None
    if job.running:
        _watch()
        return None
    if job.problem and job.path != path:
        return None
    if job.problem:
        (st.info if job.problem == STOPPED else st.error)(escape_markdown(job.problem))
        return None
    return _taken(job)


def _started(name: str, path: Path, recipe: Recipe, where: str) -> Job | None:
    width = len(recipe.numbers) + sum(len(c.values) for c in recipe.categories)
    if width > MAX_COLUMNS:
        st.error(
            f"There are {count(width)} columns with one for each category; a page takes "
            f"{count(MAX_COLUMNS)}, and Python 10,000: leave columns out."
        )
        return None
    job = Job(name, path, recipe, where)
    st.session_state["sum"] = job
    job.start()
    st.rerun()


def _taken(job: Job) -> Dataset | None:
    """Make a finished sum the session's data set."""
    del st.session_state["sum"]
    if job.found is not None:
        session_data.add_upload(job.found)
        session_data.show_in_explore(job.found.key)
    return job.found


@st.fragment(run_every=0.4)
def _watch() -> None:
    job = st.session_state.get("sum")
    if not isinstance(job, Job) or not job.running:
        st.rerun()
    st.progress(*said(job))


def said(job: Job) -> tuple[float, str]:
    """Return the share done and its sentence: rows, speed, time left."""
    now = job.progress
    if now is None:
        return 0.0, escape_markdown(WAITING_MESSAGE if job.waiting else f"Opening {job.name}…")
    speed = float(f"{now.rows_per_second:.2g}")
    parts = [f"{job.name}: {count(now.rows)} rows", f"{count(speed)} a second"]
    if now.seconds_left:
        parts.append(f"about {duration(now.seconds_left)} left")
    return min(now.done or 0.0, 1.0), escape_markdown(", ".join(parts) + ".")


def duration(seconds: float) -> str:
    """Write a time to wait: 8 seconds, 3 minutes."""
    if seconds < 90:
        whole = max(1, round(seconds))
        return f"{whole} second{'s' if whole > 1 else ''}"
    return f"{round(seconds / 60)} minutes"
