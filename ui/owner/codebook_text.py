"""Sentences about codebooks: what was found in one, what differs, how to load, paste and save."""

from collections.abc import Sequence

from dpca_core.codebooks import name_key
from dpca_core.data.column_names import label
from dpca_core.text.listed import listed
from ui.owner.saved_recipe import WHO
from ui.owner.text_columns import MOST_NAMES

LOAD, PASTE, SAVE = "Load a codebook", "Paste from a sheet", "Save choices"
LOAD_HELP = (
    "A Table Schema or data package, a REDCap data dictionary, a CSV file with a line for each "
    "column, or choices you saved here. Ranges from a codebook are public."
)
PASTE_HELP = (
    "Copy the rows from your sheet, with a first line of headings: column, low, typical, high, "
    "unit, missing, values, use. What you paste counts as typed by you."
)
PASTE_EXAMPLE = "column\tlow\ttypical\thigh\tunit\nhr\t30\t75\t220\tper min"
TAKE_PASTED = "Use these lines"
USE_CLINICS = "Use the made-up clinic’s codebook"
REPLACE, KEEP_TYPED = "Replace it", "Keep mine"
LOAD_LABEL = "Codebook: CSV, JSON or YAML"
PASTE_LABEL = "Rows of your sheet, with their headings"
SAVE_HELP = (
    "A file with your ranges, lists and answers, to load next time: no file name, no number of "
    "rows."
)
SAVE_UNFINISHED = (
    "Answers are missing: the file keeps what you have so far, to load next time. It holds no file "
    "name and no number of rows."
)
_MOST_PROBLEMS = 5
_FIELDS = {"use": "use as", "values": "values", "missing": "missing codes"}
"""Names of fields where the table of columns calls them otherwise."""


def merge_sentence(found: int, columns: int, absent: Sequence[str], problems: Sequence[str]) -> str:
    """Say what was found: "12 of 15 columns found; temp and site are not in your table; …"."""
    parts = [f"{found:,} of {columns:,} columns found"]
    if absent:
        be = "is" if len(absent) == 1 else "are"
        parts.append(f"{named(absent)} {be} not in your table")
    parts += problems[:_MOST_PROBLEMS]
    if len(problems) > _MOST_PROBLEMS:
        parts.append(f"{len(problems) - _MOST_PROBLEMS:,} more like these")
    return "; ".join(parts) + "."


def named(names: Sequence[str]) -> str:
    """List names: "temp", "temp and site", "a, b, c and 7 more"."""
    shown = [label(name) for name in names[:MOST_NAMES]]
    if rest := len(names) - len(shown):
        shown.append(f"{rest:,} more")
    return listed(shown)


def unit_problem(name: str, said: str, noticed: str) -> str:
    """Say that the codebook's unit is not the one in the table's cells; "" where it is."""
    if not said or not noticed or name_key(said) == name_key(noticed):
        return ""
    return f"{label(name)}: {label(said)} in the codebook, {label(noticed)} in the table"


def differing_question(differing: Sequence[tuple[str, str]]) -> str:
    """Ask whether what the owner typed is to be replaced."""
    cells = [_cell(column, field) for column, field in differing]
    return f"What you typed differs from the codebook: {named(cells)}. Replace it?"


def _cell(column: str, field: str) -> str:
    if field == WHO:
        return "who is protected"
    return f"{label(column)} ({_FIELDS.get(field, field)})"
