"""The choices about an uploaded table's columns, as controls."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from dpca_core.choices import Category, Number
from dpca_core.coding import MOST_CATEGORIES, as_text, categories_of, is_number
from dpca_core.recipe import suggested

if TYPE_CHECKING:
    from pandas import DataFrame

SEPARATOR = ";"


@dataclass(frozen=True)
class Roles:
    """What each column of a table can be used for, judged by its type and number of values."""

    numbers: tuple[str, ...]
    categories: tuple[str, ...]
    neither: tuple[str, ...]

    @classmethod
    def of(cls, table: "DataFrame") -> "Roles":
        """Sort columns; constant ones and long lists of texts are of no use."""
        numbers, categories, neither = [], [], []
        for name in table.columns:
            values = table[name].dropna()
            if len(values) == 0 or (values == values.iloc[0]).all():
                neither.append(name)
            elif is_number(table[name]):
                numbers.append(name)
            elif values.dtype.kind in "OT" and as_text(values).nunique() <= MOST_CATEGORIES:
                categories.append(name)
            else:
                neither.append(name)
        return cls(tuple(numbers), tuple(categories), tuple(neither))


def choose_columns(
    table: "DataFrame", roles: Roles, ranged: bool
) -> tuple[tuple[Number, ...], tuple[Category, ...]]:
    """Draw the choice of columns and of their public ranges and categories."""
    names = [str(name) for name in table.columns]
    left, right = st.columns(2)
    with left:
        out = st.multiselect("Leave out", names, default=list(roles.neither), key="leave_out")
    with right:
        possible = [n for n in names if n not in out and n not in roles.neither]
        chosen = st.multiselect(
            "Categories",
            possible,
            default=[n for n in roles.categories if n in possible],
            key="categories",
            help="A category becomes one column of zeros and ones for each of its values.",
        )
    numbers = [n for n in possible if n not in chosen and n in roles.numbers]
    if st.button(
        "Fill ranges and categories in from the file",
        key="fill",
        help="Reads private data. Change what you know better from a codebook or from the law.",
    ):
        st.session_state["filled"] = True
        st.session_state["filling"] = st.session_state.get("filling", 0) + 1
    filled = bool(st.session_state.get("filled"))
    version = st.session_state.get("filling", 0)
    if ranged and numbers:
        bounds = _ranges(table, numbers, filled, version)
    else:
        bounds = tuple(Number(n, float("nan"), float("nan")) for n in numbers)
    return bounds, _categories(table, chosen, filled, version) if chosen else ()


def _ranges(table: "DataFrame", names: list[str], filled: bool, version: int) -> tuple[Number, ...]:
    import pandas as pd

    start = [Number(n, float("nan"), float("nan")) for n in names]
    if filled:
        found = [table[n].to_numpy(dtype=float, na_value=float("nan")) for n in names]
        start = list(suggested([Number(n, *_ends(v)) for n, v in zip(names, found, strict=True)]))
    st.caption("Public range of each number. What lies outside is cut to the range.")
    edited = st.data_editor(
        pd.DataFrame(
            {"column": names, "low": [c.low for c in start], "high": [c.high for c in start]}
        ),
        disabled=["column"],
        hide_index=True,
        key=f"ranges-{version}-{'|'.join(names)}",
        height=min(35 * len(names) + 38, 420),
        width="stretch",
    )
    return tuple(
        Number(str(n), float(low), float(high))
        for n, low, high in zip(edited["column"], edited["low"], edited["high"], strict=True)
    )


def _ends(values: object) -> tuple[float, float]:
    import numpy as np

    finite = np.asarray(values)[np.isfinite(np.asarray(values, dtype=float))]
    return (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 0.0)


def _categories(
    table: "DataFrame", names: list[str], filled: bool, version: int
) -> tuple[Category, ...]:
    import pandas as pd

    found = [f"{SEPARATOR} ".join(categories_of(table[n])) if filled else "" for n in names]
    st.caption(f"Public values of each category, separated by “{SEPARATOR}”. Others count as none.")
    edited = st.data_editor(
        pd.DataFrame({"column": names, "values": found}),
        disabled=["column"],
        hide_index=True,
        key=f"values-{version}-{'|'.join(names)}",
        height=min(35 * len(names) + 38, 320),
        width="stretch",
    )
    return tuple(
        Category(str(n), _listed(str(v)))
        for n, v in zip(edited["column"], edited["values"], strict=True)
    )


def _listed(text: str) -> tuple[str, ...]:
    """Values between separators, each once."""
    return tuple(dict.fromkeys(part.strip() for part in text.split(SEPARATOR) if part.strip()))
