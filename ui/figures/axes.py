"""Axes and lines of charts, as plain data for the component that draws them."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dpca_core.mechanisms.base import Family
from dpca_core.text.privacy_numbers import power
from ui.figures.palette import colour
from ui.text.numbers import count, significant

Values = Sequence[float] | np.ndarray


def axis(
    name: str,
    title: str,
    low: float,
    high: float,
    *,
    log: bool = True,
    values: Values = (),
    text: Callable[[float], str] | None = None,
) -> dict[str, Any]:
    """Return an axis.

    Parameters
    ----------
    name, title
        The quantity's symbol and its description with a unit.
    low, high
        Where the axis begins and ends.
    log
        Whether it is logarithmic.
    values
        Of a horizontal axis: the places at which all lines have a value.
    text
        Writes a value.
    """
    write = text or (_short if log else significant)
    ticks = _decade_ticks(low, high) if log else _round_ticks(low, high)
    return {
        "name": name,
        "title": title,
        "low": low,
        "high": high,
        "log": log,
        "values": [float(v) for v in values],
        "texts": [write(v) for v in values],
        "ticks": [{"value": tick, "text": write(tick)} for tick in ticks],
    }


def _decade_ticks(low: float, high: float) -> list[float]:
    """Return powers of ten, eight at most."""
    first, last = int(np.ceil(np.log10(low) - 1e-9)), int(np.floor(np.log10(high) + 1e-9))
    step = max(1, -(-(last - first) // 7))
    return [10.0**e for e in range(first, last + 1, step)]


def _round_ticks(low: float, high: float) -> list[float]:
    """Return multiples of 1, 2 or 5 times a power of ten, about six."""
    raw = (high - low) / 6
    unit = 10.0 ** np.floor(np.log10(raw))
    step = next(s * unit for s in (1, 2, 5, 10) if s * unit >= raw)
    return [float(v) for v in np.arange(np.ceil(low / step) * step, high + step / 1e6, step)]


def _short(value: float) -> str:
    return count(value) if 1 <= value < 1e7 else power(float(f"{value:.3g}"))


def line(name: str, values: Values, family: Family | None = None, **options: Any) -> dict[str, Any]:
    """Return a line through y values, in its family's colour, else in that of the text."""
    y = [float(f"{v:.6g}") if np.isfinite(v) else None for v in values]
    return {"name": name, "y": y, "color": colour(family) if family else "ink", **options}
