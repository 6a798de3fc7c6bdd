"""What a page sets alone: read from a link, and written into the address."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any, ClassVar, Self

from ui.state import query_params
from ui.state.slider_stops import nearest_stop


@dataclass(frozen=True)
class OwnSettings:
    """What a page sets alone, by its names in the address; defaults stay out of that."""

    ALWAYS: ClassVar[tuple[str, ...]] = ()
    """What stands in every address."""

    @classmethod
    def allows(cls, name: str, value: Any) -> bool:
        """Tell whether a link may set a value: no number below 0."""
        return isinstance(value, str) or (isfinite(value) and bool(value >= 0))

    def stops(self) -> Mapping[str, tuple[float, ...]]:
        """Return the stops of sliders, by name: a link's number becomes the nearest."""
        return {}

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> Self:
        """Read a link; what cannot be used becomes its default, or the nearest stop."""
        found = query_params.read_settings(cls(), query, cls.allows)
        moved = {
            name: type(getattr(cls(), name))(nearest_stop(getattr(found, name), stops))
            for name, stops in found.stops().items()
        }
        return replace(found, **moved)

    def to_query(self) -> dict[str, str]:
        """Return the query of a link."""
        return query_params.to_query(self, type(self)(), self.ALWAYS)
