"""How rows were made, as tables of a report: the recipe in words, nothing read from the data."""

from dpca_core.data.handover import CURVES_LOOKED_AT, PRINTED_SOURCES, UNREAD, is_recorded
from dpca_core.data.recipe import Category, Missing, Number, Recipe, RowLength, Scaling
from dpca_core.data.text_file_format import EITHER
from dpca_core.release.plan import Plan

CATEGORY_VALUES_LISTED = 15
"""Values of a category that are listed."""
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


def declaration_rows(plan: Plan) -> list[tuple[str, str]]:
    """Return what the owner was asked, with the answer, and what the program recorded itself."""
    return [
        (
            declared.sentence,
            "recorded, not asked"
            if is_recorded(declared.sentence)
            else ("Yes" if declared.answer else "No"),
        )
        for declared in plan.declarations
    ]


def column_rows(recipe: Recipe) -> list[tuple[str, str, str, str]]:
    """Return the columns: name, range or values, typical value, and where that comes from."""
    return [_column(column, recipe.ranged) for column in recipe.columns]


def _column(column: Number | Category, ranged: bool) -> tuple[str, str, str, str]:
    source = PRINTED_SOURCES.get(column.source, str(column.source))
    if column.seen:
        source += ", after a look at its values"
    if isinstance(column, Category):
        listed = ", ".join(column.values[:CATEGORY_VALUES_LISTED])
        more = len(column.values) - CATEGORY_VALUES_LISTED
        return column.name, f"{listed}, and {more} more" if more > 0 else listed, "", source
    typical = "" if column.typical is None else f"{column.typical:g}"
    within = f"{column.low:g} to {column.high:g}" if ranged else "as it is"
    return column.name, f"{within} {column.unit}".strip(), typical if ranged else "", source


def _unread(plan: Plan) -> str:
    """Say what is known of how ranges, categories and R were fixed: by the owner's word or not."""
    answers = {declared.sentence: declared.answer for declared in plan.declarations}
    if answers.get(UNREAD) is False:
        return "no: the owner says that a file was read"
    seen, before = sum(column.seen for column in plan.recipe.columns), []
    if seen or any(is_recorded(sentence) and sentence != CURVES_LOOKED_AT for sentence in answers):
        count = f" of {seen} column{'' if seen == 1 else 's'}" if seen else ""
        before.append(f"values{count}")
    if CURVES_LOOKED_AT in answers:
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
    return f"one {recipe.unit.one} is one value of {' and '.join(recipe.person)}: {recipe.combine}"


def _missing(recipe: Recipe) -> str:
    if recipe.missing is Missing.CENTRE:
        return "typical value, or the middle of the range; no category"
    return str(recipe.missing)
