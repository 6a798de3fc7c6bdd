"""Every sentence of the step in which columns get their ranges and values."""

from collections.abc import Sequence

from dpca_core.data.column_names import label
from dpca_core.data.recipe import Combine, Source
from ui.owner.column import Use
from ui.owner.draft import CANNOT_TELL, Who
from ui.owner.level_text import number_word

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
MOST_NAMES = 3
"""Columns that a line names before it counts the others."""


def headline(ready: int, total: int, read: int, unconfirmed: int) -> str:
    """Say how many columns are ready, and whether any was read from the file.

    Parameters
    ----------
    ready, total
        Columns that need no answer, of those used.
    read
        Columns used of which a cell was read from the file.
    unconfirmed
        Columns left out because of what is in the file, which nobody confirmed.
    """
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
    """Say how many columns a list takes after coding; "" for a number.

    Parameters
    ----------
    scale
        Whether the list may be one.
    """
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


def named_columns(names: list[str]) -> str:
    """Name a few columns, and count the others."""
    if len(names) <= MOST_NAMES:
        return ", ".join(names)
    return f"{', '.join(names[:MOST_NAMES])} and {len(names) - MOST_NAMES:,} more"


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
