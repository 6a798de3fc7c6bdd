"""Axes of figures: their range, ticks and title, and where values lie on them."""

from dataclasses import dataclass
from math import floor
from typing import Any

import numpy as np

from dpca_core.text.privacy_numbers import power

POWERS = "~e"
"""Format of ticks at powers of ten, which are written as 10⁻⁶."""
LARGE_COUNT = 1e6
"""From which on counts on an axis are written as 500k and 1.5M."""
MOST_DECADES = 8
"""Ticks of a logarithmic axis, at most."""


def count_format(most: float) -> str:
    """Return D3's format of ticks of counts, of people for example, up to so many."""
    return ",~r" if most < LARGE_COUNT else "~s"


@dataclass(frozen=True)
class Axis:
    """An axis: its range as values, not logarithms, and its ticks; () for Plotly's own.

    Attributes
    ----------
    tick_format, hover_format
        D3's formats of ticks and of values in a hover; ``POWERS`` for ticks as powers of ten.
    """

    low: float
    high: float
    log: bool = False
    title: str = ""
    ticks: tuple[float, ...] = ()
    tick_texts: tuple[str, ...] = ()
    tick_format: str = "~g"
    hover_format: str = ".3~g"

    def position(self, values: Any) -> Any:
        """Return values as positions: their logarithms on a logarithmic axis; NaN below 0 there."""
        numbers = np.asarray(values, dtype=np.float64)
        if not self.log:
            return numbers
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(numbers > 0, np.log10(numbers), np.nan)

    @property
    def ends(self) -> tuple[float, float]:
        """Positions of both ends; half a unit to each side of a single value."""
        low, high = self.low, self.high
        if self.log:
            low, high = float(np.log10(low)), float(np.log10(high))
        return (low, high) if low != high else (low - 0.5, low + 0.5)

    def share(self, values: Any) -> Any:
        """Return how far along the axis values are: 0 at its low end, 1 at its high end."""
        low, high = self.ends
        return (self.position(values) - low) / (high - low)

    def layout(self) -> dict[str, Any]:
        """Return the axis in Plotly's schema."""
        found: dict[str, Any] = {
            "type": "log" if self.log else "linear",
            "range": list(self.ends),
            "showgrid": True,
            "gridcolor": "hair",
            "zeroline": False,
            "tickfont": {"color": "grey"},
            "tickformat": self.tick_format,
            "labelalias": self._aliases(),
            "hoverformat": self.hover_format,
        }
        if self.title:
            found["title"] = {"text": self.title, "standoff": 6}
        if self.ticks:
            found |= {"tickmode": "array", "tickvals": list(self.ticks)}
            if self.tick_texts:
                found["ticktext"] = list(self.tick_texts)
        elif self.log:
            # One tick for a decade at first; in a zoom Plotly adds 2 and 5.
            decades = floor(self.ends[1] - self.ends[0] + 1e-9)
            found["nticks"] = decades + 1 if decades < MOST_DECADES else MOST_DECADES - 1
        return found

    def _aliases(self) -> dict[str, str]:
        """Return what D3 writes of ticks, and what is written instead."""
        if self.tick_format != POWERS:
            return {"1G": "1B", "10G": "10B", "100G": "100B"}
        first, last = (round(end) for end in self.ends)
        texts = {0: "1", 1: "10"}
        return {
            f"1e{e:+d}".replace("-", "\u2212"): texts.get(e, power(10.0**e))
            for e in range(first, last + 1)
        }
