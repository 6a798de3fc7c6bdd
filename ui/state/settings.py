"""Settings that stand in an address: how they are read, those of all pages, and of Explore."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from math import isfinite
from types import MappingProxyType
from typing import Any, ClassVar, Literal, Self

import streamlit as st

from dpca_core.data.column_names import label
from dpca_core.mechanisms.registry import DEFAULT, MECHANISMS
from dpca_core.privacy.budget import Adjacency, Budget
from ui.state.slider_stops import DELTA_STOPS, EPSILON_STOPS, TARGETS, nearest_stop

REPLACED = "address-replaced"
"""Session key: a sentence for each value of the link that was replaced, by name."""
SYMBOLS = {"epsilon": "ε", "delta": "δ", "adjacency": "neighbours"}
NOTICEABLE = 0.5
"""Relative difference from which on a number that was moved to a stop is reported."""
_LARGEST = 2**63


@dataclass(frozen=True)
class Addressed:
    """Settings that stand in an address under the names of their fields; all have defaults."""

    ALWAYS: ClassVar[tuple[str, ...]] = ()
    """What stands in every address; other defaults stay out of it."""
    STOPS: ClassVar[Mapping[str, tuple[float, ...]]] = MappingProxyType({})
    """Of sliders, by name."""

    @classmethod
    def allows(cls, name: str, value: Any) -> bool:
        """Tell whether a link may set a value, of its default's type: no number below 0."""
        return isinstance(value, str) or (isfinite(value) and bool(value >= 0))

    def stops(self) -> Mapping[str, tuple[float, ...]]:
        """Return the stops of sliders, by name: a link's number becomes the nearest."""
        return self.STOPS

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> Self:
        """Read a link; what cannot be used becomes its default or a stop, and the page says so."""
        read = asdict(cls())
        for name, default in read.items():
            if name in query:
                value = _parsed(query[name], default)
                if value is not None and cls.allows(name, value):
                    read[name] = value
                else:
                    note_replaced(name, query[name], _text(default) if default else "the default")
        found = cls(**read)
        for name, stops in found.stops().items():
            value = getattr(found, name)
            stop = type(value)(nearest_stop(value, stops))
            if abs(stop - value) > NOTICEABLE * max(abs(stop), abs(value)):
                note_replaced(name, query[name], _text(stop))
            found = replace(found, **{name: stop})
        return found

    def to_query(self) -> dict[str, str]:
        """Return the query of a link."""
        usual = asdict(type(self)())
        return {
            name: _text(value)
            for name, value in asdict(self).items()
            if name in self.ALWAYS or value != usual[name]
        }


def note_replaced(name: str, asked: str, used: str) -> None:
    """Remember that a value of the link was replaced; ``show_replaced`` says so."""
    text = f"{SYMBOLS.get(name, name)} = {label(asked)} is not possible: using {used}"
    st.session_state.setdefault(REPLACED, {})[name] = text


def _parsed(text: str, like: Any) -> Any:
    """Return a text as a value of the type of another one; None where it is none."""
    try:
        if isinstance(like, bool):
            return {"0": False, "false": False, "1": True, "true": True}.get(text.lower())
        value = type(like)(text)
    except ValueError:
        return None
    return None if isinstance(value, int) and abs(value) > _LARGEST else value


def _text(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    return str(int(value)) if isinstance(value, bool) else str(value)


DEFAULT_DATA = "rand"
"""Key of the data set that a first visit shows."""


@dataclass(frozen=True)
class Settings(Addressed):
    """What is set on one page and found on every other; ``k`` or ``n`` = 0: the data's own."""

    ALWAYS: ClassVar = ("data", "mechanism", "epsilon", "delta")
    STOPS: ClassVar = {"epsilon": EPSILON_STOPS, "delta": DELTA_STOPS}

    data: str = DEFAULT_DATA
    mechanism: str = DEFAULT.key
    epsilon: float = 0.1
    delta: float = 1e-6
    k: int = 0
    n: float = 0.0
    adjacency: str = str(Adjacency.ADD_OR_REMOVE_ONE)
    seed: int = 0
    target: float = 0.9

    @property
    def budget(self) -> Budget:
        """The whole budget, a private mean's part included."""
        return Budget(self.epsilon, self.delta, Adjacency(self.adjacency))

    @classmethod
    def allows(cls, name: str, value: Any) -> bool:  # noqa: D102
        known = {"mechanism": MECHANISMS, "adjacency": list(Adjacency), "target": TARGETS}
        if name in known:
            return value in known[name]
        most = {"delta": 1.0, "seed": 2**32}
        usable = super().allows(name, value) and (name not in most or value < most[name])
        return usable and (name != "epsilon" or value > 0)


class View(StrEnum):
    """What Explore shows of the same settings."""

    ONE = "one"
    ALL = "all"
    PAGE = "page"


AxisName = Literal["epsilon", "delta", "n", "k"]
AXES: dict[AxisName, str] = {"epsilon": "ε", "delta": "δ", "n": "n", "k": "k"}
"""Names in the address of the axes that mechanisms are compared along, with their symbols."""
TRIAL_CHOICES = (0, 20, 40, 100, 200)
"""Releases a point that a comparison offers; 0: as many as one mechanism has."""


@dataclass(frozen=True)
class ExploreSettings(Addressed):
    """What Explore sets alone.

    Whether the ``curves`` of all mechanisms are drawn, and people are compared in random ``pairs``.
    The others are of the view of all mechanisms: ``mechanisms`` are keys with commas, "" for the
    usual ones; ``equalise`` runs printed ones at the ε for which they really spend the budget.
    """

    view: str = str(View.ONE)
    curves: bool = False
    axis: AxisName = "epsilon"
    mechanisms: str = ""
    equalise: bool = False
    trials: int = 0
    pairs: bool = False

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of the mechanisms, in menu order."""
        wanted = self.mechanisms.split(",")
        return tuple(key for key in MECHANISMS if key in wanted)

    @classmethod
    def allows(cls, name: str, value: Any) -> bool:  # noqa: D102
        if name == "mechanisms":
            return all(key in MECHANISMS for key in value.split(","))
        among = {"view": list(View), "axis": AXES, "trials": TRIAL_CHOICES}
        return value in among.get(name, (value,))
