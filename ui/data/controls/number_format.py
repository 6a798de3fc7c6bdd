"""How numbers are written in a text file: proposed once, shown, and then used as it stands."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpca_core.data.errors import TableError
from dpca_core.data.number_format import NumberFormat
from ui.data.category_lists import join_values, split_values
from ui.data.controls.session_table import current_draft, read_again, update_draft, widget_key
from ui.data.source_table import SourceTable
from ui.data.text import DECIMALS, DELIMITERS, ENCODINGS, SAME_SIGN, THOUSANDS
from ui.text.numbers import escape_markdown


def choose_format(source: SourceTable) -> SourceTable | None:
    """Draw the row of controls; read the table again where the format was changed.

    Returns
    -------
    SourceTable | None
        The table as it is read; None after an error message, where it cannot be read so.
    """
    st.markdown("**How numbers are written**")
    now = current_draft().number_format
    row = st.columns([2, 2, 2, 3, 4])
    delimiter = _choose(row[0], "Between columns", DELIMITERS, "format.delimiter", now.delimiter)
    decimal = _choose(row[1], "Decimal sign", DECIMALS, "format.decimal", now.decimal)
    thousands = _choose(row[2], "Between thousands", THOUSANDS, "format.thousands", now.thousands)
    encoding = _choose(row[3], "Encoding", ENCODINGS, "format.encoding", now.encoding)
    missing = row[4].text_input(
        "Missing values, separated by “;”",
        value=join_values(token for token in now.missing if token),
        key=widget_key("format.missing"),
        help="An empty cell is always missing. A cell that cannot be read as a number counts as "
        "missing too.",
    )
    asked = NumberFormat(delimiter, decimal, thousands, encoding, ("", *split_values(missing)))
    update_draft(number_format=asked)
    if decimal == thousands:
        st.error(SAME_SIGN)
        return None
    if asked == source.number_format:
        return source
    try:
        with st.spinner("Reading the file again"):
            read_again(source, asked)
    except TableError as error:
        st.error(f"In this format: {escape_markdown(str(error))}")
        return None
    st.rerun()


def _choose(place: DeltaGenerator, label: str, known: dict[str, str], key: str, now: str) -> str:
    options = known if now in known else {**known, now: f"“{now}”"}
    chosen = place.selectbox(
        label,
        list(options),
        list(options).index(now),
        format_func=lambda sign: options[sign],
        key=widget_key(key),
    )
    return str(chosen)
