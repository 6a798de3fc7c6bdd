"""What each column of a table looks like: a proposal to its owner, and never a decision.

The rules stand in one list; the first that fits a column wins. They look at the distinct values of
at most ``MOST_ROWS`` rows. What is wrong about real tables must end in a question: only a codebook
knows what a number means.
"""

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from dpca_core.data.encoding import MOST_CATEGORIES
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.detection import column_questions as ask
from dpca_core.detection.column_name_hints import CODE, WEIGHT_WORDS, has_word, is_survey_weight
from dpca_core.detection.column_proposal import ColumnProposal, Recognised
from dpca_core.detection.column_values import MOST, ColumnValues, columns_of
from dpca_core.detection.identifiers_dates_and_free_text import identifying
from dpca_core.detection.irregular_counts import IRREGULAR, irregularity
from dpca_core.detection.proposed_uses import as_category, as_number, left_out
from dpca_core.detection.text_patterns import DIGIT_COMMA, WITH_COMMA, WITH_UNIT, unit_of

if TYPE_CHECKING:
    from pandas import DataFrame

NEARLY_ALL = 0.98
"""Distinct values over cells of what may be identifiers."""
MOST_UNITS = 3
FEWEST_STEPS, MOST_STEPS, FEW, MOST_CODES = 3, 12, 20, 60
"""Distinct whole numbers: of a scale; that are sooner taken for codes; that may be codes at all."""
WIDEST_CODES = 10_000
HEAVIEST_PERSON = 700
"""Kilograms or pounds that no person weighs: a “weight” above it may be a survey's."""


def propose_columns(
    table: "DataFrame",
    number_format: TextFileFormat | None = None,
    texts: Any = None,
) -> tuple[ColumnProposal, ...]:
    """Propose a use for each column of a table, in its order.

    Parameters
    ----------
    table
        The table, of which at most ``MOST_ROWS`` rows are looked at; all of them only where those
        do not differ.
    number_format
        How texts are read as numbers.
    texts
        Rows of a text file as they are written (``sampled_texts``): 007 is not 7 there.
    """
    form = number_format or TextFileFormat()
    return tuple(_proposed(name, values) for name, values in columns_of(table, form, texts))


def _proposed(name: str, values: ColumnValues | None) -> ColumnProposal:
    """Return what the first rule that fits says of a column."""
    if values is None:
        return left_out(name, Recognised.UNSUPPORTED)
    found = (rule(name, values) for rule in RULES)
    return next(filter(None, found), None) or as_number(name, values, Recognised.NUMBERS)


def _identifying(name: str, values: ColumnValues) -> ColumnProposal | None:
    """Dates, addresses, identifiers, free text: left out; a few codes are a category."""
    recognised = identifying(name, values)
    if recognised is None:
        return None
    coded = recognised in (Recognised.LEADING_ZEROS, Recognised.DIAGNOSIS)
    if coded and 1 < values.distinct <= MOST_CATEGORIES:
        return as_category(name, values, recognised)
    return left_out(name, recognised)


def _nothing_varies(name: str, values: ColumnValues) -> ColumnProposal | None:
    if values.distinct == 0:
        return left_out(name, Recognised.EMPTY)
    return left_out(name, Recognised.CONSTANT) if values.distinct == 1 else None


def _survey_weight(name: str, values: ColumnValues) -> ColumnProposal | None:
    if values.numeric_share < MOST:
        return None
    if is_survey_weight(name):
        return left_out(name, Recognised.SURVEY_WEIGHT)
    if has_word(name, WEIGHT_WORDS) and np.nanmax(values.numbers) > HEAVIEST_PERSON:
        return as_number(name, values, Recognised.NUMBERS, ask.weight())
    return None


def _with_unit(name: str, values: ColumnValues) -> ColumnProposal | None:
    """Numbers that carry a unit; of several one must be chosen."""
    if values.share(WITH_UNIT, MOST / 2) < MOST / 2:
        return None
    fits = values.matches(WITH_UNIT)
    if values.counts[fits | np.isfinite(values.numbers)].sum() < MOST * values.filled:
        return None
    times: Counter[str] = Counter()
    for place in np.flatnonzero(fits):
        times[unit_of(values.texts[int(place)])] += int(values.counts[place])
        if len(times) > MOST_UNITS:
            return None
    units = [unit for unit, _ in times.most_common()]
    asked = (ask.units(units),) if len(units) > 1 else ()
    if values.share(DIGIT_COMMA):
        asked = (ask.comma(_text_with_comma(values)), *asked)
    return as_number(name, values, Recognised.NUMBER_WITH_UNIT, *asked, unit=units[0])


def _with_comma(name: str, values: ColumnValues) -> ColumnProposal | None:
    """Numbers with a comma, whatever it means: always asked."""
    if values.share(WITH_COMMA, MOST) < MOST or not values.share(DIGIT_COMMA):
        return None
    return as_number(name, values, Recognised.COMMA, ask.comma(_text_with_comma(values)))


def _text_with_comma(values: ColumnValues) -> str:
    """Return the most frequent text that has a comma between digits."""
    return values.most_frequent(values.matches(DIGIT_COMMA))[0]


def _text(name: str, values: ColumnValues) -> ColumnProposal | None:
    """A few texts are a category; among numbers they may be missing values."""
    if values.numeric_share == 1:
        return None
    numbers = int(np.isfinite(values.numbers).sum())
    if values.numeric_share >= MOST and numbers > MOST_STEPS:
        strange = ~np.isfinite(values.numbers)
        found = values.most_frequent(strange)
        return as_number(name, values, Recognised.MOSTLY_NUMBERS, ask.texts(found))
    if values.distinct <= MOST_CATEGORIES:
        return as_category(name, values, Recognised.TEXTS)
    return left_out(name, Recognised.MANY_TEXTS)


def _code(name: str, values: ColumnValues) -> ColumnProposal | None:
    """Whole numbers whose name says that they are codes."""
    few = 2 < values.distinct <= MOST_CATEGORIES
    if not (values.all_whole and few and has_word(name, CODE)):
        return None
    return as_category(name, values, Recognised.CODE, ask.codes(values.distinct))


def _steps(name: str, values: ColumnValues) -> ColumnProposal | None:
    if not (values.all_whole and FEWEST_STEPS <= values.distinct <= MOST_STEPS):
        return None
    return as_number(name, values, Recognised.STEPS, ask.codes(values.distinct))


def _may_be_codes(name: str, values: ColumnValues) -> ColumnProposal | None:
    """Whole numbers that occur as irregularly as codes do: a number, but asked."""
    if not (values.all_whole and MOST_STEPS < values.distinct <= MOST_CODES):
        return None
    if np.ptp(values.numbers) > WIDEST_CODES:
        return None
    needed = IRREGULAR if values.distinct > FEW else IRREGULAR / 2
    if irregularity(values.numbers, values.counts) < needed:
        return None
    return as_number(name, values, Recognised.MAY_BE_CODES, ask.codes(values.distinct))


def _nearly_distinct(name: str, values: ColumnValues) -> ColumnProposal | None:
    if not (values.all_whole and values.distinct_share > NEARLY_ALL):
        return None
    return as_number(name, values, Recognised.NEARLY_DISTINCT, ask.identifier())


RULES: tuple[Callable[[str, ColumnValues], ColumnProposal | None], ...] = (
    _identifying,
    _nothing_varies,
    _survey_weight,
    _with_unit,
    _with_comma,
    _text,
    _code,
    _steps,
    _may_be_codes,
    _nearly_distinct,
)
"""In order: the first that says something counts."""
