"""Every sentence of the page “Your data”."""

from collections.abc import Sequence

from dpca_core.data.number_format import NumberFormat
from dpca_core.data.recipe import Combine, Missing, Scaling
from dpca_core.streaming.second_moment import Progress
from ui.text.numbers import count, escape_markdown, significant

# Choosing a table

UPLOAD, SERVER = "On my computer", "On this server"
"""Where a table may be."""

UPLOADER_LABEL = "CSV or Parquet file, one row per person"
UPLOADER_HELP = (
    "The file is read by this program, stays in its memory for this session only, and is sent "
    "nowhere."
)
READ_ANYWAY = "Read the file anyway; unreadable cells count as missing"
SERVER_TABLE_LABEL = "CSV or Parquet file or folder on this server, one row per person"
SERVER_TABLE_HELP = "The table is read in place, in one pass, and never held in memory as a whole."
SAME_SIGN = "The decimal sign and the sign between thousands must differ."

# How rows are prepared

SCALINGS = {
    Scaling.BOUNDED: "Public ranges: each number is clipped to its range, each row to length 1",
    Scaling.NORM_ONLY: "Public length: each row is divided by R and clipped to length 1",
    Scaling.PRIVATE_MEAN: "Public ranges, then a private mean is subtracted: it spends budget",
    Scaling.AS_IN_PAPERS: "As in the papers: sample mean and largest length. Not private",
}
MISSING = {
    Missing.CENTRE: "Middle of the range; no category",
    Missing.DROP: "Leave the row out",
}
COMBINE = {
    Combine.AVERAGE: "Average them into one row",
    Combine.AT_MOST: "Use at most m rows per person",
}
CATEGORIES_HELP = (
    "A category becomes one column of zeros and ones for each of its values. Every other column "
    "that is used is a number."
)
FILL_LABEL = "Fill ranges and categories in from the file"
FILL_HELP = "Fills empty cells only, and reads private data for it."
FROM_FILE = "read from the file"
FROM_FILE_HELP = "Used where your own cell is empty. Then the result is not private."
RANGES = "Public range of each number. Values outside are clipped to the range."
RADIUS_HELP = (
    "Rows are divided by R, and longer ones are shortened to it. The default is the square root of "
    "the number of columns, counting a category once: it shortens no row within its ranges."
)
ID_COLUMN_HELP = (
    "The column that says which person a row belongs to. It is used to combine rows, never in the "
    "PCA."
)
CHOOSING_R = (
    "Not private: this chart is computed from your rows, and files saved from it say so. It is "
    "part of no release. Choosing R by it reads private data."
)
RADIUS_MARK = "R = {}"
ROW_LENGTH_AXES = "length of a row before it is divided by R", "rows"
ROW_LENGTH_COLUMNS = "length from", "length to", "rows kept", "rows shortened"

# The declaration

DECLARATION = (
    "The columns used and their kinds, all ranges and categories, R, the number of rows a person "
    "may have and how numbers are written are public knowledge, not read from this file"
)
DECLARATION_HELP = (
    "A range read from the data reveals its extremes. Until you confirm that you would have "
    "written the same without the file, the result is called not private."
)
NOT_DECLARED = (
    "Not private yet: the columns, their kinds and how numbers are written were proposed from the "
    "file, and count as read from it until you declare them."
)

# The unit of privacy

GROUP_FIRST = "combine the rows of each person beforehand, as Proofs, “Large tables”, shows."
DECIDE_FIRST = "First say which person each row belongs to: answer the question below the preview."

# Using the table

TOO_LARGE = "These choices need more memory than this machine has. Leave columns out."
FIRST_ROWS_ONLY = (
    "Preview and suggestions use the first rows only; the computation reads the whole file."
)
STOPPED = "The computation was stopped; nothing was kept."
SUM_TOO_LARGE = "This computation needs more memory than this machine has. Leave columns out."

MOST_NAMED = 60
MOST_ENTRIES_NAMED = 40
"""Names that one sentence lists."""

DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "vertical bar"}
DECIMALS = {".": "point: 1.5", ",": "comma: 1,5"}
THOUSANDS = {
    "": "nothing: 1234567",
    ",": "comma: 1,234,567",
    ".": "point: 1.234.567",
    " ": "space: 1 234 567",
    "'": "apostrophe: 1'234'567",
}
ENCODINGS = {
    "utf-8": "UTF-8",
    "cp1252": "Western European (Windows-1252)",
    "latin-1": "Western European (ISO 8859-1)",
}


def preview_title(name: str, rows: int, columns: int, *, streamed: bool) -> str:
    """Name a table and its size; of a streamed one only the first rows are known."""
    shown = f"the first {count(rows)} rows" if streamed else f"{count(rows)} rows"
    return f"**{escape_markdown(name)}**: {shown}, {count(columns)} columns"


def category_values_caption(separator: str, missing: Missing) -> str:
    """Say how a category's values are written, and what becomes of any other value."""
    other = (
        "treated as missing" if missing is Missing.CENTRE else "no category, and its row is kept"
    )
    return (
        f"Public values of each category, separated by “{separator}”; put a value that contains "
        f"“{separator}” in quotation marks. Any other value is {other}."
    )


def proposed_left_out(reasons: Sequence[tuple[str, str]]) -> str:
    """Name the columns that are proposed to be left out, with the reason for each."""
    named = "; ".join(f"{escape_markdown(name)}: {why}" for name, why in reasons[:MOST_NAMED])
    rest = len(reasons) - MOST_NAMED
    more = f"; and {count(rest)} more" if rest > 0 else ""
    return f"Proposed to be left out: {named}{more}."


def texts_as_numbers(names: Sequence[str]) -> str:
    """Name the columns of texts that are used as numbers."""
    named = ", ".join(map(escape_markdown, names[:MOST_NAMED]))
    return f"Used as numbers, although they contain text, which counts as missing: {named}."


def read_from_file(entries: Sequence[str]) -> str:
    """Name the entries that were read from the file."""
    rest = len(entries) - MOST_ENTRIES_NAMED
    more = f" and {rest:,} more" if rest > 0 else ""
    named = ", ".join(map(escape_markdown, entries[:MOST_ENTRIES_NAMED])) + more
    return (
        "Not private: these entries were read from the file. Replace each by what you know "
        f"without it, from a codebook or the law: {named}."
    )


def number_format_text(number_format: NumberFormat) -> str:
    """Describe how numbers are written."""
    between = DELIMITERS.get(number_format.delimiter, number_format.delimiter)
    decimal = "a comma" if number_format.decimal == "," else "a point"
    thousands = THOUSANDS.get(number_format.thousands, number_format.thousands).split(":")[0]
    encoding = ENCODINGS.get(number_format.encoding, number_format.encoding)
    tokens = ", ".join(token for token in number_format.missing if token)
    return (
        f"{encoding}, {between} between columns, {decimal} before decimals, {thousands} between "
        f"thousands; missing: empty{', ' if tokens else ''}{tokens}"
    )


def unit_error(longest: int) -> str:
    """Say which words can name the unit of privacy."""
    return (
        f"Name the unit of privacy with letters, spaces and hyphens, at most {longest}; until then "
        "“person” is used."
    )


def rows_per_value(usual: int, most: int) -> str:
    """Say how many rows a value of a column has."""
    return f"{usual} rows for most values" if usual > 1 else f"up to {most:,} rows for one value"


def id_question(found: Sequence[tuple[str, str]], unit: str) -> str:
    """Ask which person a row belongs to, given columns and how many rows their values have."""
    one = escape_markdown(unit)
    seen = ", ".join(f"{escape_markdown(name)} has {rows}" for name, rows in found)
    which = (
        f"does {escape_markdown(found[0][0])} name" if len(found) == 1 else "does one of these name"
    )
    return f"**{seen}. Does each row belong to a different {one}, or {which} the {one}?**"


def every_row_differs(unit: str, *, streamed: bool) -> str:
    """State the assumption that is made without an ID column."""
    text = f"We assume that every row is a different {escape_markdown(unit)}"
    return f"{text}: {GROUP_FIRST}" if streamed else f"{text}."


def shortened_rows(shortened: int, rows: int, radius: float, *, first: bool) -> str:
    """Say how many rows R shortens, and of which; never "0 %" where there is one."""
    of = f"the first {count(rows)} rows" if first else f"all {count(rows)} rows"
    which = {0: "none", rows: "all"}.get(shortened, count(shortened))
    title = f"R\u00a0=\u00a0{significant(radius, 3)} shortens {which} of {of}"
    return f"{title} ({small_share(shortened, rows)})" if 0 < shortened < rows else title


def small_share(part: int, whole: int) -> str:
    """Write a share in per cent: two digits below 1 % and above 99 %, never 0 % or 100 %."""
    share = 100 * part / whole
    if share < 1:
        return f"{significant(share)}\u00a0%"
    left = 100 - share
    return f"{100 - float(significant(left)):g}\u00a0%" if left < 1 else f"{share:.0f}\u00a0%"


def row_lengths_subtitle(rows: int, total: int | None) -> str:
    """Say which rows are measured, and what the colours mean.

    Parameters
    ----------
    total
        Rows of the table; None where only its first rows are known.
    """
    colours = "red rows, to the right of R, are shortened to R; grey rows keep their length"
    if total is None:
        return f"Only the first {count(rows)} rows of the file are measured; {colours}."
    if rows < total:
        return f"Only the first {count(rows)} of {count(total)} rows are measured; {colours}."
    return f"All rows are measured; {colours}."


def rows_hover(*, shortened: bool) -> str:
    """Say what a bar is, as Plotly's template."""
    return f"length %{{x:.3g}}: %{{y:,}} rows{', shortened' if shortened else ''}"


def too_many_columns(columns: int, most: int) -> str:
    """Say that a table has too many columns after coding."""
    return (
        f"There are {count(columns)} columns, counting one for each category. This page takes "
        f"{count(most)}, and the Python interface 10,000. Leave columns out."
    )


def progress_text(name: str, now: Progress) -> str:
    """Say how far a sum is: rows, speed, time left."""
    speed = float(f"{now.rows_per_second:.2g}")
    parts = [f"{name}: {count(now.rows)} rows", f"{count(speed)} a second"]
    if now.seconds_left:
        parts.append(f"about {duration(now.seconds_left)} left")
    return escape_markdown(", ".join(parts) + ".")


def duration(seconds: float) -> str:
    """Write a time to wait: 8 seconds, 3 minutes."""
    if seconds < 90:
        whole = max(1, round(seconds))
        return f"{whole} second{'s' if whole > 1 else ''}"
    return f"{round(seconds / 60)} minutes"
