"""Every sentence of the step in which columns get their ranges and values, codebooks included."""

from collections.abc import Sequence

from dpca_core.data.column_names import label
from dpca_core.data.recipe import Source
from dpca_core.text.listed import listed
from ui.owner.column import Use
from ui.owner.text_table import MOST_NAMED
from ui.text.numbers import number_word

LEAD = (
    "Give each number a range that you would have written without this file. What lies outside is "
    "cut. A typical value becomes the centre, and costs nothing; without one direction 1 mostly "
    "says where the average lies."
)
HEADS = {
    "column": "column",
    "use": "use as",
    "low": "low",
    "typical": "typical",
    "high": "high",
    "values": "values",
    "unit": "unit",
    "missing": "missing",
    "source": "where from",
    "message": "what is missing",
}
"""Heads of the table's columns, which are also what its cells are called."""
PLACEHOLDERS = {"values": "such as F; M or low; high"}
"""Stand in cells that are empty."""
TABS = {"all": "All", "need": "Need you", "out": "Left out"}
USES = {Use.NUMBER: "number", Use.SCALE: "scale", Use.CATEGORY: "category", Use.OUT: "leave out"}
CHOOSE = "choose"
SOURCES = {
    Source.CODEBOOK: "○ codebook",
    Source.LAW: "○ law or physics",
    Source.GUESS: "◐ guess",
    Source.DECLARED: "◐ declared by you",
    Source.NOTICED: "◐ noticed in the file",
    Source.FILE: "● read from the file",
}
"""Sources in the menu, each behind its dot."""
READ = "read from the file"
UNCONFIRMED = "left out because of what is in the file. Confirm it beside the column"
PROVENANCE = {
    Source.NOTICED: "noticed in the file, and confirmed by you",
    Source.DECLARED: "typed after the file’s values were shown",
    Source.GUESS: "your guesses. Fine, if made without looking",
}
PUBLIC = "public. Costs no privacy"
FORMAT_SOURCES = {
    Source.FILE: "noticed in the file. Confirm it",
    Source.NOTICED: PROVENANCE[Source.NOTICED],
}
PRIVATE_TITLE, PUBLIC_TITLE = "What keeps it from being private", "Where this comes from"
TABLE = "Columns"
FIND = "Find a column"
DECIDE = "Decide"
OFFER = "In this tab you described a table with these columns before."
USE_THEM, AFRESH = "Use them", "Start afresh"
TYPE_AGAIN = "Type it again"
STAYS_OUT = "Leave it out"
FILL = "Fill empty cells from the file"
FILL_HELP = (
    "Reads lowest and highest values, and lists of values. They are not private: nothing can be "
    "released with them until they are typed again."
)
KEPT = (
    "Everything typed, and every codebook, stays in this session and in this browser tab; nothing "
    "of the file does. Save choices makes a file for next year."
)
LOAD, SAVE = "Load a codebook", "Save choices"
LOAD_HELP = (
    "A Table Schema or data package, a REDCap data dictionary, a CSV file with a line for each "
    "column, or choices you saved here. Ranges from a codebook are public. A block of your sheet "
    "can be pasted into the table itself, and counts as typed by you."
)
USE_CLINICS = "Use the made-up clinic’s codebook"
LOAD_LABEL = "Codebook: CSV, JSON or YAML"
SAVE_HELP = "To load next time: what you have so far, without a file name or a number of rows."
_MOST_PROBLEMS = 5


def headline(ready: int, total: int, read: int, unconfirmed: int) -> str:
    """Say how many columns are ready, and whether any was read from the file."""
    text = f"**{ready} of {total}** {'column is' if total == 1 else 'columns are'} ready."
    count = number_word(read or unconfirmed).capitalize()
    if read:
        many, them = ("was", "it") if read == 1 else ("were", "them")
        return f"{text} {count} {many} [[read from the file]]: with {them} nothing can be released."
    if unconfirmed:
        is_out = "is" if unconfirmed == 1 else "are"
        return f"{text} {count} {is_out} left out because of [[what is in the file]]: confirm that."
    return text


def missing_answers(columns: int, others: int = 0) -> str:
    """Say what still needs an answer: columns, and questions about the table as a whole."""
    found = []
    if columns:
        found.append("1 column needs you" if columns == 1 else f"{columns:,} columns need you")
    if others:
        found.append("1 question is open" if others == 1 else f"{others:,} questions are open")
    return ", and ".join(found)


def names_person(one: str) -> str:
    """Say what the column of the person is for."""
    return f"names the {one}: used to group rows, never in the PCA"


def takes(use: Use | None, values: int, *, scale: bool) -> str:
    """Say how many columns a list takes after coding, which may be a ``scale``; "" for a number."""
    if use is Use.SCALE:
        return "takes one column"
    if use is not Use.CATEGORY:
        return ""
    return f"takes {values} columns{', as a scale one' if scale else ''}"


def somebodys(field: str, one: str) -> str:
    """Say why what was read from the file is not private."""
    if field == "values":
        return "a rare value may name someone"
    which = "lowest" if field == "low" else "highest"
    return f"its {which} value may be one {one}’s alone"


def merge_sentence(
    found: int,
    columns: int,
    absent: Sequence[str],
    problems: Sequence[str] = (),
    differing: Sequence[str] = (),
) -> str:
    """Say what was found: "12 of 15 columns found; temp and site are not in your table; …"."""
    parts = [f"{found:,} of {columns:,} columns found"]
    if absent:
        be = "is" if len(absent) == 1 else "are"
        parts.append(f"{_named(absent)} {be} not in your table")
    parts += problems[:_MOST_PROBLEMS]
    if len(problems) > _MOST_PROBLEMS:
        parts.append(f"{len(problems) - _MOST_PROBLEMS:,} more like these")
    if differing:
        parts.append(f"yours stays where it differs: {_named(differing)}")
    return "; ".join(parts) + "."


def _named(names: Sequence[str]) -> str:
    """List names: "temp", "temp and site", "a, b, c and 7 more"."""
    shown = [label(name) for name in names[:MOST_NAMED]]
    if rest := len(names) - len(shown):
        shown.append(f"{rest:,} more")
    return listed(shown)
