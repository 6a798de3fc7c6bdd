"""Every sentence of the step in which columns get their ranges and values, codebooks included."""

from collections.abc import Sequence

from dpca_core.codebooks import name_key
from dpca_core.data.column_names import label
from dpca_core.data.recipe import Combine, Source
from dpca_core.text.listed import listed
from ui.owner.column import Use
from ui.owner.draft import CANNOT_TELL, Who
from ui.owner.saved_choices import WHO
from ui.owner.text_table import MOST_NAMED
from ui.text.numbers import number_word

LEAD = (
    "Give each number a range that you would have written without this file. What lies outside is "
    "cut. A typical value becomes the centre; it costs nothing."
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
USES = {
    Use.NUMBER: "number",
    Use.SCALE: "scale",
    Use.CATEGORY: "category",
    Use.OUT: "leave out",
}
CHOOSE = "choose"
SOURCES = {
    Source.CODEBOOK: "codebook",
    Source.LAW: "law or physics",
    Source.GUESS: "guess",
    Source.DECLARED: "declared by you",
    Source.NOTICED: "noticed in the file",
    Source.FILE: "read from the file",
}
DOTS = {Source.CODEBOOK: "○", Source.LAW: "○", Source.FILE: "●"}
"""Before a source in the menu; half a dot for the others."""

HALF = "◐"
PROVENANCE = {
    "read": (Source.FILE, "read from the file"),
    "unconfirmed": (
        Source.FILE,
        "left out because of what is in the file. Confirm it beside the column",
    ),
    "noticed": (Source.NOTICED, "noticed in the file, and confirmed by you"),
    "declared": (Source.DECLARED, "typed after the file’s values were shown"),
    "guessed": (Source.GUESS, "your guesses. Fine, if made without looking"),
    "public": (Source.CODEBOOK, "public. Costs no privacy"),
}
"""What the groups of ``columns_content.Provenance`` mean, from the worst on."""

FORMAT_SOURCES = {
    Source.FILE: "noticed in the file. Confirm it",
    Source.NOTICED: PROVENANCE["noticed"][1],
}
TABLE = "Columns"
FIND = "Find a column"
DECIDE = "Decide"
OFFER = "In this tab you described a table with these columns before."
USE_THEM, AFRESH = "Use them", "Start afresh"
TYPE_AGAIN, KEEP_IT = "Type it again", "Keep it: no release"
STAYS_OUT = "Leave it out"
KEPT_AS_READ = "kept: nothing can be released with it"
VERY_WIDE = "very wide: a limit for entries? A narrower range loses less"
FILL = "Fill empty cells from the file"
FILL_HELP = "Reads lowest and highest values, and lists of values. They are not private."
FIVE_TIMES_LESS = "Someone with five rows is protected about five times less."
CHANGE = "Change"
WHO_TITLE = "Who is protected"
PRIVATE_TITLE, PUBLIC_TITLE = "What keeps it from being private", "Where this comes from"
EXPECT_TITLE = "What to expect, before any look"
KEPT_TITLE = "Kept for you"
KEPT = (
    "Everything typed, and every codebook, stays in this session and in this browser tab; nothing "
    "of the file does. "
    "Save choices makes a file for next year."
)
TYPICAL, MIDDLES = "typical values", "middles of ranges"
TYPICAL_AND_MIDDLES = "typical values, else middles"
PREVIEW_COLUMNS, PREVIEW_NOISE = "columns after coding", "noise, per entry"
PREVIEW_GAP, PREVIEW_CENTRE = "smallest difference that shows", "centre"
PREVIEW_LATER = "Use at least three columns, and what to expect stands here."

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


def headline(ready: int, total: int, read: int, unconfirmed: int) -> str:
    """Say how many columns are ready, and whether any was read from the file."""
    columns = "column is" if total == 1 else "columns are"
    text = f"**{ready} of {total}** {columns} ready."
    if read:
        many, them = ("was", "it") if read == 1 else ("were", "them")
        count = number_word(read).capitalize()
        return f"{text} {count} {many} [[read from the file]]: with {them} nothing can be released."
    if unconfirmed:
        is_out = "is" if unconfirmed == 1 else "are"
        count = number_word(unconfirmed).capitalize()
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


def cost_of_category(values: int) -> str:
    """Say, behind a question, what either answer costs."""
    return f" A scale takes one column, a category {values}."


def takes(use: Use | None, values: int, *, scale: bool) -> str:
    """Say how many columns a list takes after coding, which may be a ``scale``; "" for a number."""
    if use is Use.SCALE:
        return "takes one column"
    if use is not Use.CATEGORY:
        return ""
    return f"takes {values} columns{', as a scale one' if scale else ''}"


def values_in_order(values: Sequence[str]) -> str:
    """Offer a list of values that is known."""
    return f"Take {' < '.join(map(label, values))}"


def somebodys(field: str, one: str) -> str:
    """Say why what was read from the file is not private."""
    if field == "values":
        return "a rare value may name someone"
    which = "lowest" if field == "low" else "highest"
    return f"its {which} value may be one {one}’s alone"


def public_columns(number: int) -> str:
    """Name columns whose source is public, by their number."""
    return "1 column" if number == 1 else f"{number:,} columns"


def assumed(epsilon: str, people: str) -> str:
    """Say what the preview follows from."""
    return f"from these choices alone, at ε = {epsilon} and about {people} people"


def protected(who: Who) -> str:
    """Say who is protected, as step 1 was answered."""
    if who.answer == CANNOT_TELL:
        return f"One row, not one {who.one}. {FIVE_TIMES_LESS}"
    if not who.person:
        return f"One {who.one}. Every row is a different one."
    rows = "row of one is" if who.rows_kept == 1 else "rows of one are"
    several = f"At most {who.most} {rows} used."
    averaged = "Rows of one are averaged."
    combined = averaged if who.combine is Combine.AVERAGE else several
    return f"One {who.one}: one value of {' and '.join(who.person)}. {combined}"


def of_people(number: str) -> str:
    """Write a size in people."""
    return f"{number} {'person' if number == '1' else 'people'}"


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
    shown = [label(name) for name in names[:MOST_NAMED]]
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
