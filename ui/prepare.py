"""An uploaded file on its way to a data set: read it, choose, and use it; errors lose nothing."""

from math import sqrt
from typing import TYPE_CHECKING, Any

import streamlit as st

from dpca_core.choices import Category, Combine, Missing, Number, Recipe, RecipeError, Scaling
from dpca_core.coding import CodingError
from dpca_core.dataset import Dataset, Unit
from dpca_core.recipe import prepare
from dpca_core.separated import shown
from dpca_core.tables import TableError, read_table
from ui import session
from ui.columns import Roles, choose_columns
from ui.format import count, verbatim
from ui.server_files import take
from ui.sums import stop_sum

if TYPE_CHECKING:
    from pandas import DataFrame

PREVIEW, UPLOADER = 6, "uploader"
SETTINGS = ("settings", "compare", "gaps", "needed", "local", "claims")
UNITS = {"person": "people", "patient": "patients", "household": "households", "pupil": "pupils"}
SCALINGS = {
    Scaling.BOUNDED: "Public ranges: each number is cut to its range, each row to length 1",
    Scaling.NORM_ONLY: "Public length: each row is divided by R and cut to length 1",
    Scaling.PRIVATE_MEAN: "Public ranges, then a noisy mean is subtracted: it costs budget",
    Scaling.AS_IN_PAPERS: "As in the papers: sample mean and largest length. Not private",
}
STREAMED = [Scaling.BOUNDED, Scaling.NORM_ONLY]
BEFORE = "bring the rows of one together before, as Proofs, “Large tables”, shows."
MISSING = {
    Missing.CENTRE: "Middle of the range; no category",
    Missing.DROP: "Leave the row out",
}
COMBINE = {
    Combine.AVERAGE: "Average them into one row",
    Combine.AT_MOST: "Keep the first m, divide S by m",
}


def take_file() -> None:
    """Read the file in the uploader; a broken one is named, the last good one stays."""
    file = st.file_uploader(
        "A table, one row a person: CSV or Parquet",
        type=["csv", "tsv", "txt", "gz", "parquet", "pq"],
        key=f"file-{st.session_state.get(UPLOADER, 0)}",
        help="It stays in this server’s memory, for this session only.",
    )
    if file is None or st.session_state.get("seen") == file.file_id:
        if message := st.session_state.get("refused"):
            st.error(verbatim(message))
        return
    st.session_state["seen"] = file.file_id
    st.session_state["refused"] = None
    try:
        with st.spinner(f"Reading {verbatim(shown(file.name))}"):
            table = read_table(file.name, file.getvalue())
            roles = Roles.of(table)
    except TableError as error:
        st.session_state["refused"] = str(error)
        st.error(verbatim(str(error)))
        return
    take(shown(file.name), table, roles)


def choose_recipe(table: "DataFrame", roles: Roles, *, streamed: bool = False) -> Recipe:
    """Draw every choice between the table and a data set; a stream follows fewer of them."""
    scaling = st.radio(
        "How rows are bounded", STREAMED if streamed else list(SCALINGS),
        format_func=lambda s: SCALINGS[Scaling(s)], key="scaling",
    )  # fmt: skip
    scaling = Scaling(str(scaling))
    ranged = scaling in (Scaling.BOUNDED, Scaling.PRIVATE_MEAN)
    numbers, categories = choose_columns(table, roles, ranged)
    more: dict[str, Any] = _people(table, streamed)
    columns = st.columns(3)
    with columns[0]:
        missing = st.radio(
            "A missing value", list(MISSING), format_func=lambda m: MISSING[Missing(m)],
            key="missing",
        )  # fmt: skip
    with columns[1]:
        radius = st.number_input(
            "Norm bound R", min_value=0.0, value=None, format="%g", key="radius",
            placeholder=f"{_default_radius(numbers, categories):.3g}",
            help="Rows are divided by R. Without a number it is the root of the number of columns, "
            "a category counting once: then no row within its ranges is shortened.",
        )  # fmt: skip
    with columns[2]:
        share = 0.1
        if scaling is Scaling.PRIVATE_MEAN:
            share = st.slider("Share of ε and δ for the mean", 0.01, 0.5, 0.1, key="mean_share")
    public = st.checkbox(
        "Ranges, categories and R are public knowledge, not read from this file",
        key="bounds_are_public",
        help="A range read from the data gives its extremes away. Until you confirm that you would "
        "have written the same without the file, the result is called not private.",
    )
    return Recipe(
        numbers, categories, scaling, radius or None, Missing(str(missing)), public,
        mean_share=float(share), **more,
    )  # fmt: skip


def _default_radius(numbers: tuple[Number, ...], categories: tuple[Category, ...]) -> float:
    return sqrt(max(len(numbers) + len(categories), 1))


def _people(table: "DataFrame", streamed: bool) -> dict[str, Any]:
    """Draw whom the promise protects and which rows are theirs; in a stream each is another's."""
    columns = st.columns(3)
    with columns[0]:
        one = st.selectbox(
            "Whom the promise protects: one", list(UNITS), key="unit", accept_new_options=True
        )
    unit = Unit(str(one), UNITS.get(str(one), f"{one}s"))
    if streamed:
        columns[1].caption(f"Each row is taken for another {one}: {BEFORE}")
        return {"unit": unit}
    with columns[1]:
        person = st.selectbox(
            f"Column that names the {one}", [None, *table.columns], key="person",
            format_func=lambda c: "none: each row is another one" if c is None else str(c),
        )  # fmt: skip
    if person is None:
        return {"unit": unit}
    with columns[2]:
        combine = st.radio(
            "Several rows of one", list(COMBINE), format_func=lambda c: COMBINE[Combine(c)],
            key="combine",
        )  # fmt: skip
        combine, most = Combine(str(combine)), 1
        if combine is Combine.AT_MOST:
            most = int(st.number_input("m", 1, 1000, 5, key="most"))
    return {"unit": unit, "person": str(person), "combine": combine, "most": most}


def use(name: str, table: "DataFrame", recipe: Recipe) -> Dataset | None:
    """Prepare the data set and make it the session's; None after a sentence on what is wrong."""
    try:
        data = prepare(table, recipe, name)
        data.problem(1)
    except (RecipeError, CodingError, ValueError) as error:
        st.error(verbatim(str(error)))
        return None
    except MemoryError:
        st.error("These choices need more memory than this machine has: leave columns out.")
        return None
    session.uploads()[data.key] = data
    session.explore(data.key)
    return data


def forget() -> None:
    """Drop the uploaded file and all that was made of it in this session; the settings stay.

    The next run draws another uploader: with the old one its file leaves the server's memory.
    """
    stop_sum()
    uploader = int(st.session_state.get(UPLOADER, 0)) + 1
    for name in [str(name) for name in st.session_state if name not in SETTINGS]:
        del st.session_state[name]
    st.session_state[UPLOADER] = uploader
    session.explore("rand")


def preview(name: str, table: "DataFrame", *, streamed: bool = False) -> None:
    """Show the first rows, and how many there are unless only the first were read."""
    columns = f"{count(table.shape[1])} columns"
    rows = f"the first {count(len(table))} rows" if streamed else f"{count(len(table))} rows"
    st.markdown(f"**{verbatim(name)}**: {rows}, {columns}")
    st.dataframe(table.head(PREVIEW), hide_index=True)
