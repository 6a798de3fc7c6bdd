"""How rows were made, as tables of a report: the recipe in words, nothing read from the data."""

from collections.abc import Sequence

from dpca_core.data.handover import (
    LOOK_NOT_STATED,
    PRINTED_SOURCES,
    UNREAD,
    Look,
    is_look_stated,
    is_recorded,
    looks_of,
)
from dpca_core.data.provenance import ONE_ROW
from dpca_core.data.recipe import (
    Category,
    Combine,
    Missing,
    Number,
    Recipe,
    RowLength,
    Scale,
    Scaling,
)
from dpca_core.data.text_file_format import EITHER
from dpca_core.release.plan import Declaration, Plan
from dpca_core.text.guarantee_sentences import neighbours

TEXTS_LISTED = 15
"""Values of a category, or codes of a column, that are listed."""
_SCALING = {
    Scaling.BOUNDED: "numbers are cut to their ranges and mapped to −1 … 1",
    Scaling.NORM_ONLY: "numbers are taken as they are",
    Scaling.PRIVATE_MEAN: "numbers are cut to their ranges and mapped to −1 … 1; the released mean "
    "is subtracted from every row",
    Scaling.AS_IN_PAPERS: "numbers are divided by the longest row",
}
_DECIMALS = {".": "point", ",": "comma", EITHER: "point or comma"}
_MARKS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "vertical bar"}


def preparation_rows(plan: Plan) -> list[tuple[str, str]]:
    """Return the choices of a plan's recipe: what, and how."""
    recipe = plan.recipe
    one, many = recipe.unit.one, recipe.unit.many
    if recipe.row_length is RowLength.ONE:
        length = "every row is made of length 1"
    else:
        length = f"rows longer than R = {recipe.bound:.4g} are shortened to it"
    form = recipe.number_format
    written = (
        f"{_MARKS.get(form.delimiter, form.delimiter)} between cells, decimal "
        f"{_DECIMALS[form.decimal]}, {form.encoding}; missing: "
        f"{', '.join(text or 'empty' for text in form.missing)}"
    )
    return [
        ("Protected", f"one {one} ({many})"),
        ("Rows", _rows(recipe)),
        ("Numbers", _SCALING[recipe.scaling]),
        ("Length", length),
        ("Missing values", _missing(recipe)),
        ("How the file is written", written),
        ("Fixed without reading the file", _unread(plan)),
    ]


def rows_of_each(recipe: Recipe) -> str:
    """Say how many rows one of the protected has; "" where that is a row itself."""
    if recipe.rows_per_person > 1:
        return f"at most {recipe.rows_per_person} rows each"
    if recipe.person:
        return f"all rows of one {recipe.unit.one} averaged into one"
    return "" if recipe.unit == ONE_ROW else "one row each"


def protected(plan: Plan) -> str:
    """Say which data sets must look alike, and how many rows they differ in."""
    alike = neighbours(plan.adjacency, plan.recipe.unit.one)
    return ", ".join(filter(None, (alike, rows_of_each(plan.recipe))))


def declaration_rows(plan: Plan) -> list[tuple[str, str]]:
    """Return what the owner was asked or stated, with the answer, and what the program recorded.

    A plan without a word on what was looked at says so, except on built-in data.
    """
    found = [(asked.sentence, _answer(asked)) for asked in plan.declarations]
    sentences = [sentence for sentence, _ in found]
    said = LOOK_NOT_STATED in sentences or any(map(is_recorded, sentences)) or looks_of(sentences)
    if not (plan.practice or said):
        found.append((LOOK_NOT_STATED, "not asked"))
    return found


def _answer(declared: Declaration) -> str:
    if is_recorded(declared.sentence):
        return "recorded, not asked"
    if is_look_stated(declared.sentence):
        return "stated by the owner"
    if declared.sentence == LOOK_NOT_STATED:
        return "not asked"
    return "Yes" if declared.answer else "No"


def column_rows(recipe: Recipe) -> list[tuple[str, str, str, str]]:
    """Return the columns: name, range or values, typical value, and where that comes from."""
    return [_column(column, recipe.ranged) for column in recipe.columns]


def _column(column: Number | Scale | Category, ranged: bool) -> tuple[str, str, str, str]:
    source = PRINTED_SOURCES.get(column.source, str(column.source))
    if column.seen:
        source += ", after a look at its values"
    codes = f"; missing: {_listed(column.missing)}" if column.missing else ""
    if isinstance(column, Scale):
        steps = f"in this order from −1 to 1: {', '.join(column.values)}"
        return column.name, steps + codes, "", source
    if isinstance(column, Category):
        return column.name, _listed(column.values) + codes, "", source
    typical = "" if column.typical is None else f"{column.typical:g}"
    within = f"{column.low:g} to {column.high:g}" if ranged else "as it is"
    return column.name, f"{within} {column.unit}".strip() + codes, typical if ranged else "", source


def _listed(texts: Sequence[str]) -> str:
    listed, more = ", ".join(texts[:TEXTS_LISTED]), len(texts) - TEXTS_LISTED
    return f"{listed}, and {more} more" if more > 0 else listed


def _unread(plan: Plan) -> str:
    """Say what is known of how ranges, categories and R were fixed: by the owner's word or not."""
    answers = {declared.sentence: declared.answer for declared in plan.declarations}
    if answers.get(UNREAD) is False:
        return "no: the owner says that a file was read"
    seen, before = sum(column.seen for column in plan.recipe.columns), []
    looks = looks_of(answers)
    if seen or Look.VALUES in looks:
        count = f" of {seen} column{'' if seen == 1 else 's'}" if seen else ""
        before.append(f"values{count}")
    if Look.CURVES in looks:
        before.append("curves")
    if before:
        return f"not confirmed: {' and '.join(before)} of the table were seen before"
    if UNREAD in answers:
        return "yes, by the owner’s word"
    if plan.practice:
        return "not asked: built-in data"
    return "not confirmed: the owner was not asked"


def _rows(recipe: Recipe) -> str:
    if not recipe.person:
        return f"one {recipe.unit.one} is one row"
    combined = str(recipe.combine)
    if recipe.combine is Combine.AT_MOST:
        combined = f"at most {recipe.most} kept, S divided by {recipe.most}"
    ids = ", without case and spaces" if recipe.ids_ignore_case else ""
    return (
        f"one {recipe.unit.one} is one value of {' and '.join(recipe.person)}{ids}: {combined}; "
        "rows without one are left out"
    )


def _missing(recipe: Recipe) -> str:
    if recipe.missing is Missing.CENTRE:
        return "typical value, or the middle of the range; no category"
    return str(recipe.missing)
