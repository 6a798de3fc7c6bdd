"""``cached_property`` as Python has it from 3.12 on: without a lock that all objects share.

In Python 3.11 one lock per property is held while a value is computed: of two threads that ask two
problems for their eigenvectors, the second waits for the first.
"""

import functools
import sys
from typing import TYPE_CHECKING, Any, TypeVar

T = TypeVar("T")

if TYPE_CHECKING or sys.version_info >= (3, 12):
    cached_property = functools.cached_property
else:

    class cached_property(functools.cached_property[T]):  # noqa: N801
        """A property that is computed once and kept; two threads at once may both compute it."""

        def __get__(self, instance: Any, owner: Any = None) -> Any:
            """Return the cached value, or compute it."""
            if instance is None:
                return self
            kept = vars(instance)
            if self.attrname not in kept:
                kept[self.attrname] = self.func(instance)
            return kept[self.attrname]
