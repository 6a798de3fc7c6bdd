"""How numbers are written in a text file: proposed once, shown, and then used as it stands."""

import streamlit as st

from dpca_core.data.column_names import TableError
from dpca_core.data.recipe import NumberFormat
from ui.data.category_lists import listed, written
from ui.data.kept_table import Taken, current, keyed, merged, read_again
from ui.text.numbers import escape_markdown

DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "vertical bar"}
DECIMALS = {".": "point: 1.5", ",": "comma: 1,5"}
THOUSANDS = {
    "": "nothing: 1234567", ",": "comma: 1,234,567", ".": "point: 1.234.567",
    " ": "space: 1 234 567", "'": "apostrophe: 1'234'567",
}  # fmt: skip
ENCODINGS = {
    "utf-8": "UTF-8", "cp1252": "Western European (Windows-1252)",
    "latin-1": "Western European (ISO 8859-1)",
}  # fmt: skip
SAME_SIGN = "The decimal sign and the sign between thousands must differ."


def choose_format(found: Taken) -> Taken | None:
    """Draw the row of controls; read the table again where it was changed.

    Returns
    -------
    Taken | None
        The table as it is now written; None after a sentence, where it cannot be read so.
    """
    st.markdown("**How numbers are written**")
    now = current().number_format
    row = st.columns([2, 2, 2, 3, 4])
    delimiter = _one_of("Between columns", DELIMITERS, "format.delimiter", now.delimiter, row[0])
    decimal = _one_of("Decimal sign", DECIMALS, "format.decimal", now.decimal, row[1])
    thousands = _one_of("Between thousands", THOUSANDS, "format.thousands", now.thousands, row[2])
    encoding = _one_of("Encoding", ENCODINGS, "format.encoding", now.encoding, row[3])
    missing = row[4].text_input(
        "Missing values, separated by “;”",
        value=written(token for token in now.missing if token),
        key=keyed("format.missing"),
        help="An empty cell is always missing. A cell that cannot be read as a number counts as "
        "missing too.",
    )
    asked = NumberFormat(delimiter, decimal, thousands, encoding, ("", *listed(missing)))
    merged(number_format=asked)
    if decimal == thousands:
        st.error(SAME_SIGN)
        return None
    if asked == found.number_format:
        return found
    try:
        with st.spinner("Reading the file again"):
            read_again(found, asked)
    except TableError as error:
        st.error(f"Read like this: {escape_markdown(str(error))}")
        return None
    st.rerun()


def _one_of(label: str, known: dict[str, str], key: str, now: str, place: object) -> str:
    options = known if now in known else {**known, now: f"“{now}”"}
    return str(
        place.selectbox(  # type: ignore[attr-defined]
            label,
            list(options),
            list(options).index(now),
            format_func=lambda sign: options[sign],
            key=keyed(key),
        )
    )


def format_said(number_format: NumberFormat) -> str:
    """Say how numbers are written, for what is declared."""
    between = DELIMITERS.get(number_format.delimiter, number_format.delimiter)
    decimal = "a comma" if number_format.decimal == "," else "a point"
    thousands = THOUSANDS.get(number_format.thousands, number_format.thousands).split(":")[0]
    encoding = ENCODINGS.get(number_format.encoding, number_format.encoding)
    tokens = ", ".join(token for token in number_format.missing if token)
    return (
        f"{encoding}, {between} between columns, {decimal} before decimals, {thousands} between "
        f"thousands; missing: empty{', ' if tokens else ''}{tokens}"
    )
