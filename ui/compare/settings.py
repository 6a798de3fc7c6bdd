"""What the Compare page is asked: read from a link, kept through visits of other pages."""

from dataclasses import dataclass, replace
from math import isfinite
from typing import Any, cast

import streamlit as st

from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Adjacency
from ui.compare.query import AXES, AxisName
from ui.state import query_params, session
from ui.state.default_mechanisms import usual
from ui.state.slider_stops import EPSILON_STOPS, TARGETS, nearest_stop

USUAL = ",".join(m.key for m in usual())


@dataclass(frozen=True)
class CompareSettings:
    """The page's controls; 0 in k and n: as the data have, in ``at``: where the settings are."""

    axis: AxisName = "epsilon"
    epsilon: float = 0.1
    delta: float = 1e-6
    k: int = 0
    n: float = 0.0
    adjacency: str = str(Adjacency.ADD_OR_REMOVE_ONE)
    mechanisms: str = USUAL
    equalise: bool = False
    target: float = 0.9
    trials: int = 40
    seed: int = 0
    at: float = 0.0

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of the mechanisms, in menu order."""
        wanted = self.mechanisms.split(",")
        return tuple(key for key in MECHANISMS if key in wanted)


def _allowed(name: str, value: Any) -> bool:
    match name:
        case "axis":
            return value in AXES
        case "adjacency":
            return value in list(Adjacency)
        case "target":
            return value in TARGETS
        case "mechanisms":
            return all(key in MECHANISMS for key in value.split(","))
        case "epsilon":
            return isfinite(value) and bool(value > 0)
        case "delta":
            return bool(0 <= value < 1)
        case "trials":
            return value in (20, 40, 100, 200)
        case "seed":
            return bool(0 <= value < 2**32)
        case "k" | "n" | "at":
            return isfinite(value) and bool(value >= 0)
    return True


def current() -> CompareSettings:
    """Return the session's settings; the first time they come from the link."""
    if "compare" not in st.session_state:
        found = query_params.read_settings(CompareSettings(), st.query_params.to_dict(), _allowed)
        st.session_state["compare"] = replace(
            found, epsilon=nearest_stop(found.epsilon, EPSILON_STOPS)
        )
    return cast(CompareSettings, st.session_state["compare"])


def change(**values: Any) -> CompareSettings:
    """Change some settings, keep them and write the address; another axis is read anew."""
    before = current()
    changed = replace(before, **values)
    if changed.axis != before.axis:
        changed = replace(changed, at=0.0)
    st.session_state["compare"] = changed
    query = {"data": session.settings().data}
    query |= query_params.to_query(changed, CompareSettings(), ("axis", "epsilon", "delta", "k"))
    query_params.write_address(query)
    return changed
