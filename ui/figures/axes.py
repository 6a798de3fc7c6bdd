"""Axes and lines of a sheet of charts, as plain data."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

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
    """Return an axis; along x all lines share ``values``."""
    write = text or (_decade if log else significant)
    return {
        "name": name, "title": title, "low": low, "high": high, "log": log,
        "values": [float(v) for v in values], "texts": [write(v) for v in values],
        "ticks": [{"value": t, "text": write(t)} for t in (_tens if log else _steps)(low, high)],
    }  # fmt: skip


def _tens(low: float, high: float) -> list[float]:
    first, last = int(np.ceil(np.log10(low) - 1e-9)), int(np.floor(np.log10(high) + 1e-9))
    step = max(1, -(-(last - first) // 7))
    return [10.0**e for e in range(first, last + 1, step)]


def _steps(low: float, high: float) -> list[float]:
    raw = (high - low) / 6
    unit = 10.0 ** np.floor(np.log10(raw))
    step = next(s * unit for s in (1, 2, 5, 10) if s * unit >= raw)
    return [float(v) for v in np.arange(np.ceil(low / step) * step, high + step / 1e6, step)]


def _decade(value: float) -> str:
    return count(value) if 1 <= value < 1e7 else power(float(f"{value:.3g}"))


def line(name: str, values: Values, family: str | None = None, **options: Any) -> dict[str, Any]:
    """Return a line in its family's colour, or in a named one."""
    y = [float(f"{v:.6g}") if np.isfinite(v) else None for v in values]
    return {"name": name, "y": y, "color": colour(family) if family else "ink", **options}
