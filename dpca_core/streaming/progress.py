"""How far a sum over a long table has come, and how long the rest will take."""

from dataclasses import dataclass


class Cancelled(Exception):
    """The caller stopped a sum; there is no result."""


@dataclass(frozen=True)
class Progress:
    """How far a sum has come.

    Attributes
    ----------
    rows
        Rows read.
    seconds
        Time since the beginning.
    done
        Share of the whole from 0 to 1, by bytes or rows; None where the end is not known.
    """

    rows: int
    seconds: float
    done: float | None

    @property
    def rows_per_second(self) -> float:
        """Speed so far."""
        return self.rows / max(self.seconds, 1e-9)

    @property
    def seconds_left(self) -> float | None:
        """Time that the rest will take at this speed; None where that is not known."""
        return self.seconds * (1 / self.done - 1) if self.done else None
