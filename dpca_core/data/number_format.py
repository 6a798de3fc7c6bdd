"""How a text file is written: its separator, its marks in numbers, its encoding."""

from dataclasses import dataclass

from dpca_core.data.errors import RecipeError

BLANK = ("", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL", "None", "?", "-")
SEPARATORS = ",;\t|"
ENCODINGS = ("utf-8", "cp1252", "latin-1")
"""Of one byte a letter, or with letters that begin where they begin: a damaged row moves no other
one. In UTF-16 a byte that is missing does.
"""
THOUSANDS = ("", ",", ".", "'", "’", " ", "\u00a0", "\u202f", "_")


@dataclass(frozen=True)
class NumberFormat:
    """How a text file is written; a choice like any other, never decided again from the rows.

    Attributes
    ----------
    delimiter
        One character between cells: a comma, semicolon, tab or vertical bar.
    decimal
        A point or a comma.
    thousands
        What stands between groups of three digits; empty for nothing.
    encoding
        ``utf-8``, ``cp1252`` or ``latin-1``.
    missing
        Texts that stand for a missing value, without spaces around them; an empty cell always does.
    """

    delimiter: str = ","
    decimal: str = "."
    thousands: str = ""
    encoding: str = "utf-8"
    missing: tuple[str, ...] = BLANK


def require_valid_format(form: NumberFormat) -> None:
    """Refuse a way to write numbers that no cell could be read by.

    Raises
    ------
    RecipeError
        For a mark that is none, or marks that cannot be told apart.
    """
    if len(form.delimiter) != 1 or form.delimiter not in SEPARATORS:
        raise RecipeError(
            "Columns must be separated by a comma, a semicolon, a tab or a vertical bar."
        )
    if form.decimal not in (".", ","):
        raise RecipeError("The decimal sign must be a point or a comma.")
    if form.thousands not in THOUSANDS or form.thousands == form.decimal:
        raise RecipeError(
            "The sign between thousands must be empty, a space, or other than the decimal sign."
        )
    if form.encoding.lower().replace("_", "-").startswith("utf-16"):
        raise RecipeError("UTF-16 cannot be read: save the file as “CSV UTF-8” and use that file.")
    if form.encoding not in ENCODINGS:
        raise RecipeError(f"The encoding must be one of {', '.join(ENCODINGS)}.")
    if not all(isinstance(token, str) for token in form.missing):
        raise RecipeError("The marks of a missing value must be a list of texts.")
