"""A sheet of charts: what the generic chart component draws, as plain data."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import streamlit as st

from ui.format import count, power, significant
from ui.instrument import component_of
from ui.load import GATE, heavy, moved, pause, said
from ui.long_work import told_here
from ui.palette import colour

_component = component_of(
    "dpca_sheet",
    ("dom", "theme", "mount", "labels", "axes", "curves", "downloads", "rows", "chart",
     "images", "pictures", "charts"),
    ("instrument", "charts"),
)  # fmt: skip
Values = Sequence[float] | np.ndarray


def draw_sheet(
    compose: Callable[[], dict[str, Any]],
    key: str,
    more: Callable[[], None] | None = None,
    asked: object = None,
    columns: int = 0,
) -> None:
    """Mount the component; a new content is drawn into the old one.

    Where the content says ``complete: False`` the component asks for more: then ``more`` is called
    before it is composed again, unless something else is ``asked`` by now: an answer comes first.
    Both in turn with everybody else's; ``columns`` of the data tell how long that may take.
    """

    def wish() -> None:
        st.session_state[f"{key}.more"] = True

    wished, before = st.session_state.pop(f"{key}.more", False), st.session_state.get(f"{key}.for")
    refined = wished and before == asked
    with told_here(), GATE.turn(urgent=not refined, heavy=heavy(columns)):
        if refined and more is not None:
            more()
        # Streamlit stops this run at the next element: nobody would see what is composed.
        content = st.session_state[f"{key}.drawn"] if refined and moved() else compose()
    st.session_state[f"{key}.for"] = asked
    complete = content.get("complete", True)
    content |= {"progress": said(complete, content.get("progress", "")), "pause": pause(complete)}
    st.session_state[f"{key}.drawn"] = content
    _component(key=key, data=content, on_more_change=wish)


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
