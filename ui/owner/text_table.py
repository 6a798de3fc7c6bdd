"""Sentences about the table itself: where it comes from, how far its sum is."""

from dpca_core.tables.second_moment import Progress
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


def table_line(name: str, rows: int, columns: int, *, streamed: bool) -> str:
    """Name a table and its size; of a streamed one only the first rows are known."""
    shown = f"the first {count(rows)} rows" if streamed else f"{count(rows)} rows"
    return f"**{escape_markdown(name)}**: {shown}, {count(columns)} columns"


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
