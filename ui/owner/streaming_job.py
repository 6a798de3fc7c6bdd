"""A table on the server summed up in the background: it reports progress and can be stopped."""

import logging
import os
import traceback
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from dpca_core.data.dataset import Dataset
from dpca_core.data.recipe import Recipe
from dpca_core.tables.moments import Moments
from dpca_core.tables.prepare import data_set
from dpca_core.tables.second_moment import SAMPLED_ROWS, Cancelled, Progress, second_moment
from ui.owner.server_folders import files_of
from ui.owner.text_table import STOPPED, SUM_TOO_LARGE, progress_text
from ui.server.jobs import WAITING_MESSAGE, BackgroundJob
from ui.server.scheduler import BACKGROUND_SCHEDULER, PAGE_SCHEDULER
from ui.text.numbers import escape_markdown

LOG = logging.getLogger(__name__)

IN_PROCESS, PROCESSES, CLUSTER = "here", "processes", "cluster"
"""Where a sum can be computed."""

CLUSTER_ADDRESS = "DPCA_DASK"
"""Environment variable with the address of a cluster's scheduler."""


@dataclass
class StreamingJob(BackgroundJob):
    """One sum in a thread of its own.

    Attributes
    ----------
    name, path
        The table.
    recipe
        How its rows are prepared.
    where
        ``IN_PROCESS``, ``PROCESSES`` or ``CLUSTER``.
    progress
        How far it is.
    found
        The data set, once it is there.
    problem
        Why there is none, in one sentence.
    """

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
                    raise Cancelled(STOPPED)
                self.found = data_set(self._sum(), self.name)
        except Cancelled:
            self.problem = STOPPED
        except ValueError as error:
            self.problem = str(error)
        except MemoryError:
            self.problem = SUM_TOO_LARGE
        except OSError:
            self.problem = f"{self.name} cannot be read, or a worker that reads it was lost."
        except Exception as error:
            # Anything else a file or a cluster may raise. The log gets the error's type and place
            # but not its message, which may quote a cell.
            LOG.error("A sum failed: %s.\n%s", type(error).__name__, _traceback(error))
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
            text = WAITING_MESSAGE if self.waiting else f"Opening {self.name}…"
            return 0.0, escape_markdown(text)
        return min(now.done or 0.0, 1.0), progress_text(self.name, now)


def _traceback(error: BaseException) -> str:
    """Return where an error was raised, without its message."""
    return "".join(traceback.format_tb(error.__traceback__))


def dask_installed() -> bool:
    """Tell whether Dask is installed."""
    return find_spec("distributed") is not None


def places(path: Path) -> dict[str, str]:
    """Say where a table can be summed up, by key."""
    found = {IN_PROCESS: "in this process"}
    if dask_installed() and files_of(path) > 1:
        found[PROCESSES] = "in processes of this machine (Dask)"
        if os.environ.get(CLUSTER_ADDRESS):
            found[CLUSTER] = "on the cluster of this server (Dask)"
    return found
