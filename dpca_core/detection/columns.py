"""What each column of a table looks like: a proposal to its owner, and never a decision.

The first rule that fits a column wins. Rules look at the distinct texts of some rows, each with how
often it occurs. A use that could be wrong comes with a question: only a codebook knows what a
number means.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from dpca_core.data.known_scales import known_scale
from dpca_core.data.text_file_format import TextFileFormat, number_and_unit, parsed
from dpca_core.detection import WORDS
from dpca_core.detection import questions as ask
from dpca_core.detection.codes import IRREGULAR, irregularity, missing_codes
from dpca_core.detection.questions import ColumnQuestion
from dpca_core.linalg.arrays import Array
from dpca_core.runtime.cached_property import cached_property

if TYPE_CHECKING:
    from pandas import DataFrame, Series

NUMBER, SCALE, CATEGORY, OUT = "number", "scale", "category", "out"
"""Proposed uses."""
MOST_ROWS = 20_000
"""Rows of a table that are looked at."""
MOST_CATEGORIES, FEW, MANY = 50, 12, 20
"""Different values: of a category; of steps; that what points at people has more of."""
_MOST, _NEARLY_ALL, _NEARLY_DISTINCT = 0.9, 0.95, 0.98
"""Shares of cells: that fit a pattern; that are dates; that are different."""
_MOST_UNITS, _MOST_CODES, _WIDEST_CODES, _HEAVIEST_PERSON = 3, 60, 10_000, 700
_GLANCE, _SEED = 100, 20_260

_MONTH = r"(?:jan|feb|m[aä]r|apr|ma[yi]|jun|jul|aug|sep|o[ck]t|nov|de[cz])[a-zäé]*\.?"
_CLOCK = r"\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?( ?[ap]m)?( ?(Z|UTC|[+-]\d{2}:?\d{2}))?"
DATE = re.compile(
    rf"((1[6-9]|2[01])\d\d[-/.](0?[1-9]|1[0-2])([-/.]\d\d?)?|\d\d?[-/.]\d\d?[-/.](\d\d)?\d\d"
    rf"|\d\d?\.?[- ]?{_MONTH}[- ,]*(\d\d)?\d\d|{_MONTH} \d\d?,? \d{{4}})([T ,]+{_CLOCK})?|{_CLOCK}",
    re.IGNORECASE,
)
_DAY = re.compile(r"(1[89]|20)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(\.0)?")
_DECIMAL = re.compile(r"[+-]?(?:\d{1,3}(?:\.\d{3})+|\d*),(?:\d{1,2}|\d{4,})|[+-]?(?:0|\d{4,}),\d+")
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(?:(?:,\d{3})+\.\d*|(?:,\d{3}){2,})")
_THREE_BEHIND_POINT = re.compile(r"[+-]?[1-9]\d{0,2}\.\d{3}")
_CODED = re.compile(r"(?=.*[A-Za-z])[\w/:. -]*\d{3,}[\w/:-]*")
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_STEP = re.compile(r"(\d{1,2})(\s*[=:.)–-]\s*|\s+)(\D.*)")
_WORD = re.compile(r"[A-ZÄÖÜ]?[a-zäöüßé]+|[A-ZÄÖÜ]+(?![a-zäöüß])")


@dataclass(frozen=True)
class ColumnProposal:
    """What is proposed for one column after a look at the file: for its owner's eyes only.

    ``reason`` is what it looks like, where that is worth saying; ``questions`` have to be answered
    before it can be used; ``unit`` is the most frequent in its cells; ``missing_code`` has codes
    that may stand for a missing value, with semicolons between them; ``values`` are those of a
    scale from low to high, all of them, whether the file has them or not.
    """

    name: str
    use: str
    reason: str = ""
    questions: tuple[ColumnQuestion, ...] = ()
    unit: str = ""
    missing_code: str = ""
    values: tuple[str, ...] = ()


def propose_columns(
    table: "DataFrame", number_format: TextFileFormat | None = None
) -> tuple[ColumnProposal, ...]:
    """Propose a use for each column of a table, in its order.

    Its cells are texts as they are written, read as numbers by ``number_format``, or numbers. At
    most ``MOST_ROWS`` rows are looked at, always the same; all only where those do not differ.
    """
    looks = list(_looks(table, number_format or TextFileFormat()))
    marks = {mark for look in looks for mark in look.comma_marks}
    return tuple(_proposed(look, marks) for look in looks)


def words_of(name: str) -> tuple[str, ...]:
    """Split a column's name into its words, in small letters: ``patientID`` has two."""
    return tuple(word.lower() for word in _WORD.findall(name[:200]))


def names_a_person(name: str) -> bool:
    """Tell whether a name is that of a column of names or addresses of people."""
    words = {*words_of(name)}
    return bool(words & WORDS["personal"]) and not words & WORDS["of_things"]


@dataclass(frozen=True)
class _Look:
    """Distinct texts (v) of a column without missing ones, and how often each occurs (v,).

    ``blanks`` are texts that count as missing in the file, ``markers`` those that seem to.
    """

    name: str
    texts: tuple[str, ...]
    counts: NDArray[np.intp]
    rows: int
    form: TextFileFormat
    typed: bool
    blanks: tuple[str, ...]
    markers: tuple[str, ...]

    def named(self, kind: str) -> bool:
        """Whether a word of a kind is in the column's name."""
        return not WORDS[kind].isdisjoint(words_of(self.name))

    @cached_property
    def _plain_numbers(self) -> Array | None:
        """Return the numbers (v,) that all texts are without more ado, as most columns' are."""
        if self.typed:
            return np.array(self.texts, dtype=float)
        try:
            numbers = np.asarray(pc.cast(pa.array(self.texts, pa.string()), pa.float64()))
        except pa.ArrowInvalid:
            return None
        return numbers if "." in self.form.decimal and np.isfinite(numbers).all() else None

    @property
    def is_plain(self) -> bool:
        """Whether all values are numbers with nothing to ask about how they are written."""
        return self._plain_numbers is not None and not self.doubtful_point

    @cached_property
    def doubtful_point(self) -> str:
        """A number such as 12.500, where semicolons are about and no point says that it is 12.5."""
        if self.typed or self.form.delimiter != ";" or self.form.thousands == ".":
            return ""
        points = [text for text in self.texts if "." in text]
        return points[0] if points and all(map(_THREE_BEHIND_POINT.fullmatch, points)) else ""

    @cached_property
    def pairs(self) -> list[tuple[str, str] | None]:
        """Each text as a number, as it is written, and its unit; None for what is no number."""
        if self.is_plain:
            return [(text, "") for text in self.texts]
        if not any(map(number_and_unit, self.texts[:_GLANCE])):
            return [None] * len(self.texts)
        return [number_and_unit(text) for text in self.texts]

    @cached_property
    def comma_marks(self) -> frozenset[str]:
        """What commas in its numbers are for certain: "decimal", "thousands", both or neither."""
        if not any("," in text for text in self.texts):
            return frozenset()
        commas = [pair[0] for pair in self.pairs if pair and "," in pair[0]]
        if self.share(pair is not None for pair in self.pairs) < _MOST:
            return frozenset()
        proofs = {"decimal": _DECIMAL, "thousands": _THOUSANDS}
        return frozenset(m for m, proof in proofs.items() if any(map(proof.fullmatch, commas)))

    @cached_property
    def numbers(self) -> Array:
        """The texts (v,) as numbers in this format, without units; NaN where one is none."""
        if self._plain_numbers is not None:
            return self._plain_numbers
        found = (parsed(pair[0], self.form) if pair else None for pair in self.pairs)
        return np.array([np.nan if value is None else value for value in found], dtype=float)

    @cached_property
    def numeric(self) -> bool:
        """Whether every value is a number without a unit."""
        bare = self.typed or not any(pair and pair[1] for pair in self.pairs)
        return bare and bool(np.isfinite(self.numbers).all())

    @property
    def whole(self) -> bool:
        """Whether every value is a whole number without a unit."""
        return self.numeric and bool((self.numbers % 1 == 0).all())

    @property
    def distinct_share(self) -> float:
        return len(self.texts) / max(int(self.counts.sum()), 1)

    def share(self, chosen: Iterable[bool]) -> float:
        """Return the share of filled cells whose text is chosen (v,)."""
        chosen = np.fromiter(chosen, bool, len(self.texts))
        return float(self.counts[chosen].sum() / max(self.counts.sum(), 1))

    def fits(self, pattern: re.Pattern[str]) -> float:
        """Return the share of filled cells that match; 0 where none of the first texts do."""
        if not any(map(pattern.fullmatch, self.texts[:_GLANCE])):
            return 0.0
        return self.share(pattern.fullmatch(text) is not None for text in self.texts)


def _looks(table: "DataFrame", form: TextFileFormat) -> Iterator[_Look]:
    rows = len(table)
    some = table if rows <= MOST_ROWS else table.sample(MOST_ROWS, random_state=_SEED)
    for place, name in enumerate(table.columns):
        look = _look(str(name), some.iloc[:, place], form, rows)
        # Nearly constant is not constant: one row may differ.
        few = len(look.texts) < 2 and rows > MOST_ROWS
        yield _look(str(name), table.iloc[:, place], form, rows) if few else look


def _look(name: str, column: "Series", form: TextFileFormat, rows: int) -> _Look:
    typed = column.dtype.kind in "iuf"
    try:
        cells = pa.array(column, None if typed else pa.string(), from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError):
        cells = pa.array(column.astype("string"), pa.string(), from_pandas=True)
    times: Counter[str] = Counter()
    for value, count in zip(
        *(part.to_pylist() for part in pc.value_counts(cells).flatten()), strict=True
    ):
        if value is not None and (not typed or isfinite(value)):
            times[str(value).strip().removesuffix(".0" if typed else "\0")] += count
    missing = frozenset() if typed else frozenset(("", *form.missing))
    blanks = tuple(text for text in times if text in missing and text)
    markers = tuple(text for text in times if text in WORDS["markers"] and text not in missing)
    left = [one for one in times.most_common() if one[0] not in missing and one[0] not in markers]
    often = np.array([count for _, count in left], dtype=np.intp)
    return _Look(name, tuple(text for text, _ in left), often, rows, form, typed, blanks, markers)


def _proposed(look: _Look, marks: set[str]) -> ColumnProposal:
    """Return what the first rule that fits says of a column; ``marks`` are those of all columns."""
    if len(look.texts) < 2:
        return ColumnProposal(look.name, OUT, "the same in every row" if look.texts else "empty")
    if reason := _of_no_use(look):
        return ColumnProposal(look.name, OUT, reason)
    if not look.is_plain and (found := _number_as_text(look, marks)):
        return found
    return _of_numbers(look) if look.numeric else _of_texts(look)


def _of_no_use(look: _Look) -> str:
    """Say why a column is to be left out: it points at a person or a day; "" for no reason."""
    many = len(look.texts) > MANY
    if look.fits(_DAY if look.whole else DATE) >= _NEARLY_ALL:
        return "a date or a time"
    if look.named("survey_weights") or (look.named("weights") and look.named("of_a_survey")):
        return "a survey weight"
    said = words_of(look.name)
    numbering = {*said[-1:]} & WORDS["numbering"] or "".join(said) in WORDS["whole_names"]
    if many and (names_a_person(look.name) or numbering or look.named("postal")):
        return "it may point at a person"
    if look.numeric:
        return _numbering(look) if look.whole and many else ""
    if look.fits(_EMAIL) >= _MOST:
        return "e-mail addresses"
    if len(look.texts) > MOST_CATEGORIES and look.fits(_CODED) >= _MOST:
        units = look.share(pair is not None for pair in look.pairs)
        if units < _MOST and look.distinct_share > 1 - _NEARLY_DISTINCT:
            return "an identifier"
    different = many and look.distinct_share > _NEARLY_DISTINCT and not any(look.pairs)
    return "different in every row" if different else ""


def _numbering(look: _Look) -> str:
    """Say whether whole numbers count rows, or are identifiers of as many digits each."""
    low, high = int(look.numbers.min()), int(look.numbers.max())
    filled, gapless = int(look.counts.sum()), high - low == len(look.texts) - 1
    unnamed = re.fullmatch(r"column \d+|Unnamed: \d+|index", look.name) is not None
    distinct = look.distinct_share > _NEARLY_DISTINCT
    # Some rows of a long table show some numbers of the list, none of them above its length.
    some = low >= 0 and high <= look.rows and filled < look.rows
    if (unnamed and (distinct or gapless)) or (len(look.texts) == filled and (gapless or some)):
        return "a row number"
    return "an identifier" if distinct and low >= 1e5 and len(str(low)) == len(str(high)) else ""


def _number_as_text(look: _Look, marks: set[str]) -> ColumnProposal | None:
    """Propose a number with a unit, with commas, or among which stand a few texts."""
    is_number = np.array([pair is not None for pair in look.pairs], dtype=bool)
    units: Counter[str] = Counter()
    for pair, count in zip(look.pairs, look.counts.tolist(), strict=True):
        if pair and pair[1]:
            units[pair[1]] += count
    few_units = len(units) <= _MOST_UNITS and 2 * units.total() >= _MOST * look.counts.sum()
    # Where each number has a unit of its own, "1 glad" and "2 sad" are labelled codes.
    labels = 1 < len(units) == sum(bool(pair and pair[1]) for pair in look.pairs)
    if look.share(is_number) < _MOST or (units and not few_units) or labels:
        return None
    odd = [text for text, fits in zip(look.texts, is_number, strict=True) if not fits]
    names = [unit for unit, _ in units.most_common()]
    asked, form = _marks_asked(look, marks)
    if not (odd or names or asked or form != look.form) or (odd and is_number.sum() <= 2):
        return None
    reason = "numbers and a few texts" if odd else "a number with a comma or point" if asked else ""
    if names:
        reason = "a number with a unit"
        asked.append(ask.units(names))
    look = replace(look, form=form)
    if odd:
        asked.append(ask.texts(odd))
        there = look.numbers[is_number]
        if len(there) <= FEW and bool((there % 1 == 0).all()):
            asked.append(ask.codes(len(there)))
    return _proposal(look, NUMBER, reason, *asked, unit=names[0] if names else "")


def _marks_asked(look: _Look, marks: set[str]) -> tuple[list[ColumnQuestion], TextFileFormat]:
    """Ask what a comma or a point in numbers means where the file's format leaves it open.

    Also returned is the format by which the column would be read.
    """
    form, written = look.form, [pair[0] for pair in look.pairs if pair]
    commas = [text for text in written if "," in text]
    unread = [text for text in written if parsed(text, form) is None]
    proved = look.comma_marks or marks
    if commas:
        if proved == {"decimal"}:
            form = replace(form, decimal=",", thousands=".")
        elif proved == {"thousands"}:
            form = replace(form, decimal=".", thousands=",")
        told = len(proved) == 1 and not unread
        return ([] if told else [ask.comma(commas[0])]), form
    if unread and all(parsed(text, TextFileFormat()) is not None for text in unread):
        return [ask.point(unread[0])], TextFileFormat()
    return ([ask.point(look.doubtful_point)] if look.doubtful_point else []), form


def _proposal(
    look: _Look,
    use: str,
    reason: str = "",
    *asked: ColumnQuestion,
    unit: str = "",
    values: tuple[str, ...] = (),
) -> ColumnProposal:
    """Return a proposal that asks about codes and marks of missing values at the end."""
    missing = [*look.markers]
    if use == NUMBER:
        there = np.isfinite(look.numbers)
        codes = missing_codes(look.numbers[there], look.counts[there])
        missing += [str(int(code)) if code % 1 == 0 else repr(code) for code in codes]
    if missing:
        asked = (*asked, ask.missing(missing))
    return ColumnProposal(look.name, use, reason, asked, unit, "; ".join(missing), values)


def _of_texts(look: _Look) -> ColumnProposal:
    """Propose a scale that is known, or a category where texts are few."""
    if scale := _known_scale(look) or _numbered_scale(look):
        others = [text for text in look.texts if text not in scale]
        question = ask.scale(scale, others)
        if all(len(value) == 1 for value in scale):
            return _proposal(look, CATEGORY, "", question)
        asked = (question,) if others or {*scale} - {*look.texts} else ()
        return _proposal(look, SCALE, "an ordered scale", *asked, values=scale)
    if len(look.texts) > MOST_CATEGORIES:
        return ColumnProposal(look.name, OUT, "many different texts")
    numbered = [step for step in map(_STEP.fullmatch, look.texts) if step]
    if len(numbered) < len(look.texts) or len(numbered) < 3:
        return _proposal(look, CATEGORY)
    in_order = sorted(numbered, key=lambda step: int(step[1]))
    return _proposal(look, CATEGORY, "", ask.scale([step[0] for step in in_order]))


def _known_scale(look: _Look) -> tuple[str, ...]:
    """Return the scale that most of the texts belong to; of letters only where they are grades."""
    found = known_scale({*look.texts, *look.blanks})
    if all(len(value) == 1 for value in found) and not look.named("grades"):
        return ()
    of_scale = [text in found for text in look.texts]
    enough = sum(of_scale) > 2 or all(of_scale)
    return found if enough and look.share(of_scale) >= 0.5 else ()


def _numbered_scale(look: _Look) -> tuple[str, ...]:
    """Return the values of a scale written as "1 = low", of which some may be numbers alone.

    Labels must be those of a scale that is known, or its two ends: what only the file has is shown,
    and never added.
    """
    steps = [step for step in map(_STEP.fullmatch, look.texts) if step]
    bare = [text for text in look.texts if re.fullmatch(r"\d{1,2}", text)]
    labels = {step[3]: int(step[1]) for step in steps}
    if len(steps) < 2 or len(steps) + len(bare) < len(look.texts) or len({s[2] for s in steps}) > 1:
        return ()
    scale, mark = known_scale(labels), steps[0][2]
    if len(labels) < len(steps) or not {*labels} <= {*scale}:
        return ()
    first, *_, last = sorted(labels, key=labels.__getitem__)
    low, high = labels[first], labels[last]
    if len(labels) == 2 and (first, last) == (scale[0], scale[-1]) and high - low < MANY:
        middle = tuple(map(str, range(low + 1, high)))
        return (f"{low}{mark}{first}", *middle, f"{high}{mark}{last}")
    begin = low - scale.index(first)
    if bare or any(number - begin != scale.index(label) for label, number in labels.items()):
        return ()
    return tuple(f"{begin + place}{mark}{label}" for place, label in enumerate(scale))


def _of_numbers(look: _Look) -> ColumnProposal:
    """Propose a number, or a category of whole numbers that are codes."""
    different, numbers = len(look.texts), look.numbers
    codes = ask.codes(different)
    if look.whole and not look.typed and any(re.match("0.", text) for text in look.texts):
        if different > MOST_CATEGORIES:
            return ColumnProposal(look.name, OUT, "codes that begin with 0")
        return _proposal(look, CATEGORY, "codes that begin with 0")
    if look.whole and different > 2:
        if different <= MOST_CATEGORIES and look.named("codes"):
            return _proposal(look, CATEGORY, "a code", codes)
        if different <= FEW:
            counted = look.named("counts")
            return _proposal(look, NUMBER, *(() if counted else ("a few whole numbers", codes)))
        if different <= _MOST_CODES and np.ptp(numbers) <= _WIDEST_CODES:
            needed = IRREGULAR / 2 if different <= MANY else IRREGULAR
            if irregularity(numbers, look.counts) >= needed:
                return _proposal(look, NUMBER, "whole numbers that may be codes", codes)
        if look.distinct_share > _NEARLY_DISTINCT:
            return _proposal(look, NUMBER, "whole numbers, nearly all different", ask.NUMBERS_APART)
    heavy = look.named("weights") and np.nanmax(numbers) > _HEAVIEST_PERSON
    return _proposal(look, NUMBER, "", *([ask.A_WEIGHT] if heavy else []))
