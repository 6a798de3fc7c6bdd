"""A table on the server summed up in the background: where, its progress, and how it is stopped."""

import logging
import os
import traceback
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import streamlit as st

from dpca_core.data.dataset import Dataset
from dpca_core.data.recipe import Recipe
from dpca_core.tables.moments import Moments
from dpca_core.tables.prepare import data_set
from dpca_core.tables.second_moment import SAMPLED_ROWS, Cancelled, Progress, second_moment
from ui.owner import text
from ui.owner.server_folders import files_of
from ui.server.scheduler import BACKGROUND_SCHEDULER, PAGE_SCHEDULER
from ui.server.workers import WAITING_MESSAGE, BackgroundJob
from ui.text.numbers import escape_markdown

LOG = logging.getLogger(__name__)

IN_PROCESS, PROCESSES, CLUSTER = "here", "processes", "cluster"
"""Where a sum can be computed."""
CLUSTER_ADDRESS = "DPCA_DASK"
"""Environment variable with the address of a cluster's scheduler."""
JOB = "owner.sum"
"""Session key."""
REFRESH_SECONDS = 0.4


@dataclass
class StreamingJob(BackgroundJob):
    """One sum in a thread of its own, to be opened ``as_page`` once it is ``found``."""

    name: str
    path: Path
    recipe: Recipe
    where: str = IN_PROCESS
    as_page: bool = False
    progress: Progress | None = None
    found: Dataset | None = None
    problem: str = ""

    def _work(self) -> None:
        try:
            with BACKGROUND_SCHEDULER.turn(urgent=False):
                self.waiting = False
                if self.should_stop:
                    raise Cancelled(text.STOPPED)
                self.found = data_set(self._sum(), self.name)
        except Cancelled:
            self.problem = text.STOPPED
        except ValueError as error:
            self.problem = str(error)
        except MemoryError:
            self.problem = text.SUM_TOO_LARGE
        except OSError:
            self.problem = f"{self.name} cannot be read, or a worker that reads it was lost."
        except Exception as error:
            # Anything else a file or a cluster may raise. The log gets the error's type and place
            # but not its message, which may quote a cell.
            place = "".join(traceback.format_tb(error.__traceback__))
            LOG.error("A sum failed: %s.\n%s", type(error).__name__, place)
            self.problem = f"{self.name} cannot be processed; it may be damaged."

    def _sum(self) -> Moments:
        if self.where == IN_PROCESS:
            return second_moment(
                self.path, self.recipe, on_progress=self._report, sample=SAMPLED_ROWS
            )
        from dpca_core.tables.dask_sum import dask_sum

        client = os.environ.get(CLUSTER_ADDRESS) if self.where == CLUSTER else None
        return dask_sum(
            self.path, self.recipe, client, on_progress=self._report, sample=SAMPLED_ROWS
        )

    def _report(self, progress: Progress) -> bool:
        self.progress = progress
        PAGE_SCHEDULER.yield_to_waiting()
        return not self.should_stop

    @property
    def status(self) -> tuple[float, str]:
        """The share done and a sentence: rows, speed, time left."""
        now = self.progress
        if now is None:
            said = WAITING_MESSAGE if self.waiting else f"Opening {self.name}…"
            return 0.0, escape_markdown(said)
        return min(now.done or 0.0, 1.0), text.progress_text(self.name, now)


def places(path: Path) -> dict[str, str]:
    """Say where a table can be summed up, by key."""
    found = {IN_PROCESS: "in this process"}
    if find_spec("distributed") and files_of(path) > 1:
        found[PROCESSES] = "in processes of this machine (Dask)"
        if os.environ.get(CLUSTER_ADDRESS):
            found[CLUSTER] = "on the cluster of this server (Dask)"
    return found


def choose_place(path: Path) -> str:
    """Ask where a table is summed up, where there is a choice."""
    choices = places(path)
    if len(choices) < 2:
        return IN_PROCESS
    return str(
        st.selectbox(text.WHERE_LABEL, choices, format_func=choices.__getitem__, key="sum.where")
    )


def current_job() -> StreamingJob | None:
    """Return the sum of this session, if there is one."""
    job = st.session_state.get(JOB)
    return job if isinstance(job, StreamingJob) else None


def draw_progress() -> StreamingJob | None:
    """Draw how far the sum is, with Stop; return the job once, when its data set is there."""
    job = current_job()
    if job is None:
        return None
    if job.running:
        st.button(text.STOP, on_click=job.stop.set, key="sum.stop")
        _show_progress()
    elif job.problem:
        show = st.info if job.problem == text.STOPPED else st.error
        show(escape_markdown(job.problem))
    else:
        del st.session_state[JOB]
        return job
    return None


@st.fragment(run_every=REFRESH_SECONDS)
def _show_progress() -> None:
    job = current_job()
    if job is None or not job.running:
        st.rerun()
    st.progress(*job.status)
