"""Every sentence about how a file is read, and about what was noticed in it."""

from collections.abc import Mapping, Sequence

from dpca_core.data.column_names import label
from dpca_core.data.text_file_format import EITHER, Escape, TextFileFormat
from dpca_core.detection.questions import CODES, IDENTIFIER, MISSING, SCALE, TEXTS
from dpca_core.text.listed import listed

WOULD_SAY, SAYS = "It would say:", "It says:"
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
ESCAPES = {
    "doubled": 'doubled: ""',
    "backslash": 'backslash: \\"',
    "none": "none: lines are records",
}
MENUS = {
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
    CODES: "take few whole values, or very uneven ones. Steps of a scale, or codes?",
    IDENTIFIER: "differ in nearly every row. Measurements or identifiers?",
    SCALE: "have answers whose order is known. A scale takes one column, a category one a value.",
    MISSING: "have numbers that may stand for a missing value.",
    TEXTS: "have texts among their numbers. Are those missing values?",
}
_ESCAPED = {
    Escape.DOUBLED: "doubled quotation marks inside cells",
    Escape.BACKSLASH: "a backslash before quotation marks inside cells",
    Escape.NONE: "no quotations",
}
_EXAMPLES = {",": "1,5 for one and a half", EITHER: "1.5 and 1,5"}
_OTHER = "have the same open question."
_MOST_NAMED = 3


def named(names: Sequence[str]) -> str:
    """Name a few columns, and count the others."""
    if len(names) <= _MOST_NAMED:
        return ", ".join(names)
    return f"{', '.join(names[:_MOST_NAMED])} and {len(names) - _MOST_NAMED:,} more"


def shared_question(key: str, names: Sequence[str]) -> str:
    """Ask a question of many columns at once."""
    return f"**{len(names):,} columns** {_SHARED.get(key, _OTHER)}"


def format_question(form: TextFileFormat, marks: Sequence[str]) -> str:
    """Ask whether a file is written as it seems.

    Parameters
    ----------
    marks
        Fields of the format that are named.
    """
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
    return f"**The file seems to have {listed(parts)}.** Is that right?"


def missing_question(declared: Mapping[str, Sequence[str]]) -> str:
    """Ask whether what a file declares missing is known without it: all of it, in full.

    Parameters
    ----------
    declared
        Values by column.
    """
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
    if len(names) == 1:
        return f"**{names[0]}** is left out because of what is in it, until you confirm that."
    count = f"**{len(names):,} columns**"
    them = named(names)
    return f"{count} are left out because of what is in them, until you confirm that: {them}."


def not_in_this_format(message: str) -> str:
    """Say that a file cannot be read as chosen."""
    return f"In this format: {message}"
