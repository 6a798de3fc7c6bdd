"""A release made in a thread of its own: a click elsewhere, or a closed page, does not end it."""

import logging
import traceback
from dataclasses import dataclass, field

from dpca_core.data.errors import RecipeError, TableError
from dpca_core.release.draw import NotFinished, draw, finish
from dpca_core.release.ledger import Account, LedgerError, Row, Status
from dpca_core.release.plan import Plan, PlanError
from dpca_core.release.published_release import PublishedRelease
from dpca_core.release.table_source import Source
from ui.release.text import FAILED
from ui.server.stoppable_thread import BackgroundJob


@dataclass(frozen=True)
class Files:
    """A stored release as files.

    Attributes
    ----------
    each, archive
        Contents by name, and all of them in one zip archive.
    """

    row: Row
    each: dict[str, bytes]
    archive: bytes

    @classmethod
    def of(cls, release: PublishedRelease) -> "Files":
        """Make the files of a stored release: they are the same whenever they are made."""
        return cls(release.row, release.files(), release.zipped())


@dataclass
class ReleaseJob(BackgroundJob):
    """One release: drawn as planned, or finished.

    Attributes
    ----------
    plan, row
        One of them: what is to be spent, or the release that is to be finished.
    spend_again
        Whether a draw that had begun may be spent and drawn anew.
    reached
        Statuses, in their order.
    files
        Of the stored release, once it is there.
    problem
        Why there is none, in a sentence.
    """

    account: Account
    source: Source | None
    plan: Plan | None = None
    row: Row | None = None
    spend_again: bool = False
    reached: list[Status] = field(default_factory=list)
    files: Files | None = None
    problem: str = ""

    @property
    def reason(self) -> str:
        """Why its ε was chosen."""
        found = self.plan if self.row is None else self.row.plan
        return "" if found is None else found.reason

    def _work(self) -> None:
        self.waiting = False
        try:
            self.files = Files.of(self._released())
        except (PlanError, LedgerError, RecipeError, TableError) as error:
            self.problem = str(error)
        except NotFinished as error:
            self.problem = str(error)
        except Exception as error:
            # The log gets the error's type and place, never its message: it may quote a cell.
            place = "".join(traceback.format_tb(error.__traceback__))
            logging.getLogger(__name__).error(
                "A release failed: %s.\n%s", type(error).__name__, place
            )
            self.problem = FAILED

    def _released(self) -> PublishedRelease:
        if self.row is not None:
            return finish(
                self.account,
                self.row,
                self.source,
                spend_again=self.spend_again,
                reached=self.reached.append,
            )
        assert self.plan is not None
        assert self.source is not None
        return draw(self.account, self.plan, self.source, reached=self.reached.append)
