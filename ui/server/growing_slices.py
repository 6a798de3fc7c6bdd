"""Time slices for measuring between two drawings of a page: they grow while nothing changes."""

from collections.abc import Callable, Iterable

from ui.server.refinement import take_steps

_GROWTH = 1.25


class GrowingSlices:
    """How long a page measures before it draws again: briefly after a change, then ever longer.

    Parameters
    ----------
    shortest, longest
        The first slice and the limit, in seconds.

    Attributes
    ----------
    stage
        Slices so far.
    """

    def __init__(self, shortest: float, longest: float) -> None:
        self._shortest, self._longest = shortest, longest
        self._query: object = None
        self._unchanged = 0
        self.stage = 0

    def is_new(self, query: object) -> bool:
        """Whether nothing was measured since this was asked: its visitor may ask for more."""
        return query != self._query

    def take(
        self,
        query: object,
        steps: Iterable[object],
        should_yield: Callable[[], bool],
        most: float | None = None,
    ) -> None:
        """Take steps of work for a query for one slice; see ``take_steps``.

        Parameters
        ----------
        most
            Limit in place of ``longest``, in seconds.
        """
        self._unchanged = 0 if self.is_new(query) else self._unchanged + 1
        self._query = query
        self.stage += 1
        longest = self._longest if most is None else most
        seconds = min(longest, self._shortest * _GROWTH**self._unchanged)
        take_steps(steps, seconds, should_yield)
