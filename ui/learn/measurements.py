"""What the lessons have measured, kept for all visitors: every number is of public data."""

from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock

from ui.learn.fields import Fields
from ui.learn.registry import LESSONS

MOST_MEASUREMENTS = 256
"""Measurements that are kept."""
Place = tuple[str, int, int]
"""A lesson's key, the stop of its control from 0, and the seed."""


@dataclass
class MeasuredLessons:
    """The last measurements of all visitors; what is asked for again comes at once."""

    most: int = MOST_MEASUREMENTS
    _kept: OrderedDict[Place, Fields] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def at(self, key: str, stop: int, seed: int) -> Fields:
        """Return a lesson's fields, measured where nobody has asked for them lately."""
        place = (key, stop, seed)
        if (found := self.known(*place)) is not None:
            return found
        lesson = LESSONS[key]
        measured = lesson.measure(lesson.control.stops[stop], seed)
        with self._lock:
            self._kept[place] = measured
            while len(self._kept) > self.most:
                self._kept.popitem(last=False)
        return measured

    def known(self, key: str, stop: int, seed: int) -> Fields | None:
        """Return a lesson's fields without measuring them; None where they are not kept."""
        place = (key, stop, seed)
        with self._lock:
            if place in self._kept:
                self._kept.move_to_end(place)
            return self._kept.get(place)


MEASURED = MeasuredLessons()
"""Of this server."""
