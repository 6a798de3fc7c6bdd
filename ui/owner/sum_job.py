"""A table on the server summed up in the background: where, its progress, and how it is stopped."""

import logging
import os
import traceback
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import streamlit as st

from dpca_core.data.dataset import Dataset
from dpca_core.data.recipe import Recipe
from dpca_core.tables.moments import Moments
from dpca_core.tables.prepare import data_set
from dpca_core.tables.second_moment import SAMPLED_ROWS, Cancelled, Progress, second_moment
from ui.owner import session
from ui.owner.text import say
from ui.server.scheduler import BACKGROUND_SCHEDULER, PAGE_SCHEDULER
from ui.server.workers import WAITING_MESSAGE, BackgroundJob
from ui.text.numbers import escape_markdown
from ui.text.words import time_left

LOG = logging.getLogger(__name__)

IN_PROCESS, PROCESSES, CLUSTER = "here", "processes", "cluster"
"""Where a sum can be computed."""
CLUSTER_ADDRESS = "DPCA_DASK"
"""Environment variable with the address of a cluster's scheduler."""
REFRESH_SECONDS = 0.4


@dataclass
class StreamingJob(BackgroundJob):
    """One sum in a thread of its own."""

    name: str
    path: Path
    recipe: Recipe
    where: str = IN_PROCESS
    progress: Progress | None = None
    found: Dataset | None = None
    problem: str = ""

    def _work(self) -> None:
        try:
            with BACKGROUND_SCHEDULER.turn(urgent=False):
                self.waiting = False
                if self.should_stop:
                    raise Cancelled
                self.found = data_set(self._sum(), self.name)
        except Cancelled:
            self.problem = say("stopped")
        except ValueError as error:
            self.problem = str(error)
        except MemoryError:
            self.problem = say("sum_too_large")
        except OSError:
            self.problem = say("sum_unreadable", name=self.name)
        except Exception as error:
            # Anything else a file or a cluster may raise. The log gets the error's type and place
            # but not its message, which may quote a cell.
            place = "".join(traceback.format_tb(error.__traceback__))
            LOG.error("A sum failed: %s.\n%s", type(error).__name__, place)
            self.problem = say("sum_failed", name=self.name)

    def _sum(self) -> Moments:
        how: dict[str, Any] = {"on_progress": self._report, "sample": SAMPLED_ROWS}
        if self.where == IN_PROCESS:
            return second_moment(self.path, self.recipe, **how)
        from dpca_core.tables.dask_sum import dask_sum

        client = os.environ.get(CLUSTER_ADDRESS) if self.where == CLUSTER else None
        return dask_sum(self.path, self.recipe, client, **how)

    def _report(self, progress: Progress) -> bool:
        self.progress = progress
        PAGE_SCHEDULER.yield_to_waiting()
        return not self.should_stop

    @property
    def status(self) -> tuple[float, str]:
        """The share done and a sentence: rows, speed, time left."""
        now = self.progress
        if now is None:
            said = WAITING_MESSAGE if self.waiting else say("sum_opening", name=self.name)
            return 0.0, escape_markdown(said)
        left = time_left(now.seconds_left) if now.seconds_left else ""
        said = say("sum_progress", name=self.name, now=now, left=left)
        return now.done, escape_markdown(said)


def choose_place(path: Path) -> str:
    """Ask where a table is summed up: processes take one file of a folder at a time."""
    if find_spec("distributed") is None or not path.is_dir():
        return IN_PROCESS
    choices = [IN_PROCESS, PROCESSES, *[CLUSTER] * bool(os.environ.get(CLUSTER_ADDRESS))]
    words = say.table("places")
    return st.selectbox(say("where_to_compute"), choices, 0, words.__getitem__, key="sum.where")


def _current() -> StreamingJob | None:
    job = session.current().job
    return job if isinstance(job, StreamingJob) else None


def draw_progress() -> StreamingJob | None:
    """Draw how far the sum is, with Stop; return the job once, when its data set is there."""
    job = _current()
    if job is None:
        return None
    if job.running:
        st.button(say("stop"), on_click=job.stop.set, key="sum.stop")
        _show_progress()
    elif job.problem:
        show = st.info if job.problem == say("stopped") else st.error
        show(escape_markdown(job.problem))
    else:
        session.update(job=None)
        return job
    return None


@st.fragment(run_every=REFRESH_SECONDS)
def _show_progress() -> None:
    job = _current()
    if job is None or not job.running:
        st.rerun()
    st.progress(*job.status)
