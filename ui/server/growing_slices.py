"""Time slices for measuring between two drawings of a page: they grow while nothing changes."""

from time import perf_counter

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

    def begin(self, query: object, most: float | None = None) -> float:
        """Begin a slice and return when it ends, by ``perf_counter``.

        Parameters
        ----------
        most
            Limit in place of ``longest``, in seconds.
        """
        self._unchanged = 0 if self.is_new(query) else self._unchanged + 1
        self._query = query
        self.stage += 1
        longest = self._longest if most is None else most
        return perf_counter() + min(longest, self._shortest * _GROWTH**self._unchanged)
