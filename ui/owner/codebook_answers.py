"""Questions about a column that a codebook settles, so that nobody has to be asked."""

from collections.abc import Iterable

from dpca_core.codebooks import CodebookEntry, EntryUse
from dpca_core.data.recipe import Recipe
from dpca_core.data.text_file_format import EITHER
from dpca_core.detection.columns import ColumnProposal
from dpca_core.detection.questions import (
    A_NUMBER,
    AN_IDENTIFIER,
    AS_CODES,
    AS_MISSING,
    CODES,
    DECIMAL_COMMA,
    DECIMAL_POINT,
    IDENTIFIER,
    LABELS,
    MEASUREMENT,
    MISSING,
    ORDERED,
    POINTS,
    REAL_VALUE,
    SCALE,
    STEPS,
    SURVEY,
    TEXTS,
    THOUSANDS_COMMA,
    THOUSANDS_POINT,
    UNITS,
    UNORDERED,
    WEIGHT,
)
from ui.owner.typed_numbers import POINT, parsed_number
from ui.owner.value_lists import split_values

# A list of values is no identifier, and nothing weighs by it.
_AS_LISTED = {CODES: AS_CODES, IDENTIFIER: MEASUREMENT, WEIGHT: MEASUREMENT}
_AS_NUMBER = {CODES: STEPS, IDENTIFIER: MEASUREMENT, WEIGHT: MEASUREMENT, LABELS: A_NUMBER}
_BY_USE = {
    EntryUse.NUMBER: _AS_NUMBER,
    EntryUse.CATEGORY: {**_AS_LISTED, SCALE: UNORDERED, LABELS: UNORDERED},
    EntryUse.SCALE: {**_AS_LISTED, SCALE: ORDERED, LABELS: ORDERED},
    EntryUse.OUT: {IDENTIFIER: AN_IDENTIFIER, WEIGHT: SURVEY},
}


def settled_answers(
    entry: CodebookEntry, proposal: ColumnProposal | None, recipe: Recipe | None = None
) -> dict[str, str]:
    """Return answers by the question's key; what the codebook does not settle is not in it.

    What a comma means is ``comma_answer``'s.

    Parameters
    ----------
    proposal
        What was recognised in the file; its codes and units say what a question is about.
    recipe
        The saved recipe that the entry is part of: it was made when all questions were answered.
    """
    answers = dict(_BY_USE.get(entry.use, {})) if entry.use else {}
    if recipe is not None:
        answers[TEXTS] = AS_MISSING
        answers[MISSING] = REAL_VALUE
        has_points = "." in recipe.number_format.decimal
        answers[POINTS] = DECIMAL_POINT if has_points else THOUSANDS_POINT
    if proposal is None:
        return answers
    if _all_among(split_values(proposal.missing_code, POINT), entry.missing):
        answers[MISSING] = AS_MISSING
    for question in proposal.questions:
        if question.key == UNITS and entry.unit in question.answers:
            answers[UNITS] = entry.unit
    return answers


def comma_answer(entries: Iterable[CodebookEntry], recipe: Recipe | None = None) -> str:
    """Return what a comma means in the file; "" where the codebook does not say, or says both.

    The question is about the file, and may stand beside any of its columns.
    """
    if recipe is not None:
        form = recipe.number_format
        told = {(form.decimal in (",", EITHER), form.thousands == ",")}
    else:
        told = {(entry.decimal == ",", entry.thousands == ",") for entry in entries}
    decimal, thousands = (any(one[place] for one in told) for place in (0, 1))
    if decimal == thousands:
        return ""
    return DECIMAL_COMMA if decimal else THOUSANDS_COMMA


def _all_among(codes: tuple[str, ...], named: tuple[str, ...]) -> bool:
    """Tell whether all codes are named, as numbers."""
    numbers = {parsed_number(code) for code in named} - {None}
    return bool(codes) and {parsed_number(code) for code in codes} <= numbers
