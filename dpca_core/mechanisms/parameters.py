"""A mechanism's own settings, declared together with what a page needs to draw a control."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Parameter:
    """A public setting of a mechanism: its label, unit, range and default."""

    name: str
    label: str
    unit: str
    low: float
    high: float
    default: float

    def said(self, value: float) -> str:
        """Write the setting with its value, or a switch by its name; "" where that is off."""
        if isinstance(self.default, bool):
            return self.label if value else ""
        return f"{self.label} {value:g}"


def parameter(default: Any, label: str, unit: str, low: float, high: float) -> Any:
    """Declare a field of a mechanism together with its label, unit and range."""
    return field(default=default, metadata={"label": label, "unit": unit, "range": (low, high)})
