"""An uploaded file on its way to a data set: read it, choose, and use it; errors lose nothing."""

from typing import Any

import streamlit as st

from dpca_core.data.column_names import TableError
from dpca_core.data.column_names import shown as plain
from dpca_core.data.dataset import Dataset
from dpca_core.data.labels import EncodingError
from dpca_core.data.recipe import Combine, Missing, Reading, Recipe, RecipeError, Scaling
from dpca_core.preparation import prepare
from dpca_core.readers.files import Upload
from ui.data.column_choices import choose_columns
from ui.data.draft import UNITS, Draft, unit_problem
from ui.data.kept_table import Taken, current, merged, take
from ui.data.streaming_job import stop_sum
from ui.data.unit_of_privacy import choose_id_column
from ui.server.upload_limit import refusal
from ui.state import session_data
from ui.text.numbers import count, escape_markdown

PREVIEW, PREVIEW_COLUMNS, UPLOADER = 6, 50, "uploader"
SETTINGS = ("settings", "compare", "gaps", "needed", "local", "claims")
SCALINGS = {
    Scaling.BOUNDED: "Public ranges: each number is cut to its range, each row to length 1",
    Scaling.NORM_ONLY: "Public length: each row is divided by R and cut to length 1",
    Scaling.PRIVATE_MEAN: "Public ranges, then a noisy mean is subtracted: it costs budget",
    Scaling.AS_IN_PAPERS: "As in the papers: sample mean and largest length. Not private",
}
STREAMED = [Scaling.BOUNDED, Scaling.NORM_ONLY]
MISSING = {
    Missing.CENTRE: "Middle of the range; no category",
    Missing.DROP: "Leave the row out",
}
COMBINE = {
    Combine.AVERAGE: "Average them into one row",
    Combine.AT_MOST: "Use at most m rows per person",
}
ANYWAY = "Read it anyway: what cannot be read counts as missing"


def take_file() -> None:
    """Read the file in the uploader; a broken one is named, the last good one stays."""
    file = st.file_uploader(
        "CSV or Parquet file, one row per person",
        key=f"file-{st.session_state.get(UPLOADER, 0)}",
        help="It stays in this server’s memory, for this session only.",
    )
    if file is not None and st.session_state.get("seen") != file.file_id:
        st.session_state["seen"] = file.file_id
        if turned_away := refusal(file.file_id):
            st.session_state["refused"] = turned_away, None
        else:
            _read(Upload(file.name, file.getvalue()), Reading.STRICT)
    message, upload = st.session_state.get("refused") or (None, None)
    if message:
        st.error(escape_markdown(message))
    if upload is not None:
        st.button(ANYWAY, key="anyway", on_click=_read, args=(upload, Reading.TOTAL))


def _read(upload: Upload, reading: Reading) -> None:
    """Make a file the table that is prepared, or remember why it cannot be."""
    st.session_state["refused"] = None
    try:
        with st.spinner(f"Reading {escape_markdown(plain(upload.name))}"):
            found = Taken.proposed(plain(upload.name), upload, reading=reading)
    except TableError as error:
        again = upload if error.readable_anyway and reading is Reading.STRICT else None
        st.session_state["refused"] = str(error), again
        return
    take(found)


def choose_recipe(found: Taken) -> Recipe:
    """Draw every choice between the table and a data set; a stream follows fewer of them."""
    draft, streamed = current(), found.streamed
    if streamed and draft.scaling not in STREAMED:
        draft = merged(scaling=Scaling.BOUNDED)
    ways = STREAMED if streamed else list(SCALINGS)
    scaling = st.radio(
        "How rows are bounded", ways, ways.index(draft.scaling),
        format_func=lambda s: SCALINGS[Scaling(s)], key="scaling",
    )  # fmt: skip
    draft = merged(scaling=Scaling(str(scaling)))
    draft = choose_columns(found, draft.missing)
    _people(draft, streamed)
    columns = st.columns(3)
    with columns[0]:
        missing = st.radio(
            "A missing value", list(MISSING), list(MISSING).index(draft.missing),
            format_func=lambda m: MISSING[Missing(m)], key="missing",
        )  # fmt: skip
    with columns[1]:
        radius = st.number_input(
            "Norm bound R", min_value=0.0, value=draft.radius, format="%g",
            key="radius", placeholder=f"{draft.default_radius:.3g}",
            help="Rows are divided by R. Without a number it is the root of the number of columns, "
            "a category counting once: then no row within its ranges is shortened.",
        )  # fmt: skip
    share = draft.mean_share
    with columns[2]:
        if draft.scaling is Scaling.PRIVATE_MEAN:
            share = st.slider("Share of ε and δ for the mean", 0.01, 0.5, share, key="mean_share")
    draft = merged(missing=Missing(str(missing)), radius=radius or None, mean_share=float(share))
    return draft.recipe(streamed=streamed)


def _people(draft: Draft, streamed: bool) -> None:
    """Draw whom the promise protects and which rows are theirs; in a stream each is another's."""
    columns, units = st.columns(3), list(dict.fromkeys([*UNITS, draft.unit]))
    with columns[0]:
        one = st.selectbox(
            "Who is protected?", units, units.index(draft.unit), key="unit",
            accept_new_options=True,
        )  # fmt: skip
    draft = merged(unit=str(one))
    if problem := unit_problem(draft.unit):
        st.error(problem)
    with columns[1]:
        choose_id_column(draft, streamed)
    if streamed or current().person is None:
        return
    with columns[2]:
        combine = st.radio(
            f"Several rows of one {escape_markdown(draft.unit)}", list(COMBINE),
            list(COMBINE).index(draft.combine), format_func=lambda c: COMBINE[Combine(c)],
            key="combine",
        )  # fmt: skip
        most: Any = draft.most
        if Combine(str(combine)) is Combine.AT_MOST:
            most = st.number_input("m", 1, 1000, draft.most, key="most")
    merged(combine=Combine(str(combine)), most=int(most))


def use(found: Taken, recipe: Recipe) -> Dataset | None:
    """Prepare the data set and make it the session's; None after a sentence on what is wrong."""
    try:
        data = prepare(found.upload, recipe, found.name, Reading.TOTAL)
        data.problem(1)
    except (RecipeError, EncodingError, ValueError) as error:
        st.error(escape_markdown(str(error)))
        return None
    except MemoryError:
        st.error("These choices need more memory than this machine has: leave columns out.")
        return None
    session_data.add_upload(data)
    session_data.show_in_explore(data.key)
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
    session_data.show_in_explore("rand")


def preview(found: Taken) -> None:
    """Show the first rows, and how many there are unless only the first were read."""
    table = found.table
    columns = f"{count(table.shape[1])} columns"
    rows = f"the first {count(len(table))} rows" if found.streamed else f"{count(len(table))} rows"
    st.markdown(f"**{escape_markdown(found.name)}**: {rows}, {columns}")
    st.dataframe(table.iloc[:PREVIEW, :PREVIEW_COLUMNS], hide_index=True)
    if table.shape[1] > PREVIEW_COLUMNS:
        st.caption(f"The preview shows the first {PREVIEW_COLUMNS} columns.")
