"""Sentences about the table itself: where it comes from, how it is read, what was noticed in it."""

from collections.abc import Mapping, Sequence

from dpca_core.data.column_names import label
from dpca_core.data.text_file_format import EITHER, Escape, TextFileFormat
from dpca_core.detection.questions import CODES, IDENTIFIER, LABELS, MISSING, SCALE, TEXTS
from dpca_core.tables.second_moment import Progress
from dpca_core.text.listed import listed
from ui.text.numbers import count, escape_markdown

UPLOAD, SERVER = "On my computer", "On this server"
"""Where a table may be."""

EMPTY_HEADLINE = "From a table of people to a decision, before anything is spent."
EMPTY_LEAD = (
    "Who is protected, which columns, which ε, and what survives. The table is read to ask the "
    "right questions; what is noticed in it is shown to you alone."
)
KEPT_IN_TAB = (
    "Kept in this tab: what you said of columns before. Choose the same table again and say who "
    "is protected; Columns then offers it."
)
UPLOADER_LABEL = "Drop a table here: CSV, Excel, ODS, Parquet, SPSS, Stata or SAS."
UPLOADER_HELP = "It stays in this server’s memory for this session, and is sent nowhere."
TRY_CLINIC = "No table at hand? Try it with a made-up clinic"
CLINIC_HELP = "900 patients who do not exist, 2,671 visits, 15 columns."
BUILT_IN_TITLE = "Or look at data that are public already"
SERVER_TABLE_LABEL = "Table or folder of tables on this server"
SERVER_TABLE_HELP = "The table is read in place, in one pass, and never held in memory as a whole."
FIRST_ROWS, HIDE_ROWS = "Show the first rows", "Hide the first rows"
FIRST_ROWS_HELP = (
    "They show values of your file. What you type afterwards counts as declared by you, not as a "
    "guess, and the certificate says so."
)
ANOTHER_TABLE = "Another table"
KEEP_TABLE = "Back to the table you have"
FORGET = "Forget this table"
FORGET_HELP = "Drops the table and all that was typed about it, here and in this browser tab."
KEPT_TABLE = "The table you have stays as it is."
FIRST_ROWS_ONLY = "Detected in the first 5,000 rows: confirm. A sum reads the whole table."

WHERE_LABEL = "Where to compute"
STOP = "Stop"
STOPPED = "The computation was stopped; nothing was kept."
SUM_TOO_LARGE = "This computation needs more memory than this machine has. Leave columns out."

WOULD_SAY = "It would say:"
FORMAT_TITLE = "How the file is written"
SAME_SIGN = "The decimal sign and the sign between thousands must differ."
MISSING_TEXTS, FIRST_LINE = "Missing values, separated by “;”", "First line"
SKIPPED, SHEET = "Lines above the header", "Sheet"
MISSING_HELP = (
    "An empty cell is always missing. A cell that cannot be read as a number counts as missing too."
)
DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "vertical bar"}
DECIMALS = {".": "point: 1.5", ",": "comma: 1,5", EITHER: "either: 1.5 or 1,5"}
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
ESCAPES: Mapping[str, str] = {
    Escape.DOUBLED: 'doubled: ""',
    Escape.BACKSLASH: 'backslash: \\"',
    Escape.NONE: "none: lines are records",
}
MENUS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "delimiter": ("Between columns", DELIMITERS),
    "decimal": ("Decimal sign", DECIMALS),
    "thousands": ("Between thousands", THOUSANDS),
    "encoding": ("Encoding", ENCODINGS),
    "escape": ("Marks inside quotations", ESCAPES),
}
"""Label and choices by the field of a format."""
NAMES, A_ROW = "names of columns", "a row already"
CONFIRM = "Leave them out"
YES = "Yes"
FORMAT_ELSE = "If not, change it under “How the file is written”, below the table."
FORMAT_ANSWER = "Confirm how the file is written."
FORMAT_SUBJECT = "How the file is written"
_SHARED = {
    CODES: "take few whole values, or very uneven ones. Numbers, or codes?",
    IDENTIFIER: "differ in nearly every row. Measurements or identifiers?",
    SCALE: "have answers whose order is known. A scale takes one column, a category one a value.",
    MISSING: "have numbers that may stand for a missing value.",
    TEXTS: "have texts among their numbers. Are those missing values?",
    LABELS: "have lists of values in the file. The same lists, whoever took part? Then they are",
}
_ESCAPED = {
    Escape.DOUBLED: "doubled quotation marks inside cells",
    Escape.BACKSLASH: "a backslash before quotation marks inside cells",
    Escape.NONE: "no quotations",
}
_EXAMPLES = {",": "1,5 for one and a half", EITHER: "1.5 and 1,5"}
_OTHER = "have the same open question."
MOST_NAMED = 3
"""Columns that a line names before it counts the others."""
NOT_OPEN = "Answer the step before first."
DECIDE_FIRST = "Choose one of the cards of Decide first: Release takes what was decided there."
CURRENT = "you are here"
DONE = "answered"


def table_line(name: str, rows: int, columns: int, *, streamed: bool) -> str:
    """Name a table and its size; of a streamed one only the first rows are known."""
    shown = f"the first {count(rows)} rows" if streamed else f"{count(rows)} rows"
    return f"**{escape_markdown(name)}**: {shown}, {count(columns)} columns"


def progress_text(name: str, now: Progress) -> str:
    """Say how far a sum is: rows, speed, time left."""
    speed = float(f"{now.rows_per_second:.2g}")
    parts = [f"{name}: {count(now.rows)} rows", f"{count(speed)} a second"]
    if left := now.seconds_left:
        time = f"{max(1, round(left))} s" if left < 90 else f"{round(left / 60)} minutes"
        parts.append(f"about {time} left")
    return escape_markdown(", ".join(parts) + ".")


def named(names: Sequence[str]) -> str:
    """Name a few columns, and count the others."""
    if len(names) <= MOST_NAMED:
        return ", ".join(names)
    return f"{', '.join(names[:MOST_NAMED])} and {len(names) - MOST_NAMED:,} more"


def shared_question(key: str, names: Sequence[str]) -> str:
    """Ask a question of many columns at once, as Markdown."""
    who = escape_markdown(named([label(name) for name in names]))
    return f"**{len(names):,} columns** ({who}) {_SHARED.get(key, _OTHER)}"


def format_question(form: TextFileFormat, marks: Sequence[str]) -> str:
    """Ask whether a file is written as it seems, by the marks that differ from the usual ones."""
    said = {
        "delimiter": f"a {DELIMITERS.get(form.delimiter, form.delimiter)} between columns",
        "decimal": f"numbers like {_EXAMPLES.get(form.decimal, '1.5')}",
        "thousands": f"numbers like 1{form.thousands}234 for 1234",
        "encoding": f"{ENCODINGS.get(form.encoding, form.encoding)} letters",
        "missing": "other texts for missing values",
        "unnamed": "no names in its first line",
        "escape": _ESCAPED[form.escape],
        "cr_ends_lines": "lines that end with a carriage return",
        "sheet": f"its table on the sheet {label(form.sheet)}",
        "skip": f"{form.skip:,} {'line' if form.skip == 1 else 'lines'} above its header",
    }
    parts = [said[mark] for mark in marks]
    return f"**The file seems to have {listed(parts)}.** Is that right? {FORMAT_ELSE}"


def missing_question(declared: Mapping[str, Sequence[str]]) -> str:
    """Ask whether what a file declares missing is known without it: all of it, in full."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for name, codes in declared.items():
        alike.setdefault(tuple(codes), []).append(label(name))
    lists = [f"{', '.join(codes)} in {listed(names)}" for codes, names in alike.items()]
    return (
        f"The file declares as missing: {'; '.join(lists)}. They are read so. Would these codes be "
        "the same, whoever took part? If not, take them out of the file and choose it again."
    )


def left_out(names: Sequence[str]) -> str:
    """Say which columns are proposed to be left out, and what it takes to confirm it."""
    who = escape_markdown(named([label(name) for name in names]))
    return (
        f"**{len(names):,} columns** are left out because of what is in them, until you confirm "
        f"that: {who}."
    )
