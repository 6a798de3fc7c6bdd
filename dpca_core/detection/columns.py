"""What each column of a table looks like: a proposal to its owner, and never a decision.

The first rule that fits the distinct texts of some rows wins. What could be wrong is asked.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import isfinite

import numpy as np
import pyarrow as pa
from pandas import DataFrame, Series

from dpca_core.data.known_scales import known_scale
from dpca_core.data.recipe import Number, Use
from dpca_core.data.text_file_format import TextFileFormat, number_and_unit
from dpca_core.detection import PATTERNS, WORDS
from dpca_core.detection import questions as ask
from dpca_core.detection.codes import IRREGULAR, irregularity, missing_codes
from dpca_core.detection.questions import ColumnQuestion, question, quoted
from dpca_core.linalg.arrays import Array
from dpca_core.tables.rows import read_numbers
from dpca_core.text.listed import listed

MOST_ROWS = 20_000
"""Rows of a table that are looked at."""
_MOST_CATEGORIES, _FEW, _MANY = 50, 12, 20
"""Different values: of a category; of steps; that what points at people has more of."""
_MOST, _NEARLY_ALL, _NEARLY_DISTINCT = 0.9, 0.95, 0.98
"""Shares of cells: that fit a pattern; that are dates; that are different."""
_MOST_UNITS, _MOST_CODES, _WIDEST_CODES, _HEAVIEST_PERSON = 3, 60, 10_000, 700
_GLANCE, _SEED = 100, 20_260
_DECIMALS = {
    sign: TextFileFormat(decimal=sign, thousands=other) for sign, other in ((".", ","), (",", "."))
}


@dataclass(frozen=True)
class ColumnProposal:
    """What is proposed for one column, for its owner's eyes only, and why it is left out.

    ``missing_code`` may stand for missing values, with semicolons between; ``values`` are a
    scale's.
    """

    name: str
    use: Use
    reason: str = ""
    questions: tuple[ColumnQuestion, ...] = ()
    unit: str = ""
    missing_code: str = ""
    values: tuple[str, ...] = ()


def propose_columns(
    table: DataFrame, number_format: TextFileFormat | None = None
) -> tuple[ColumnProposal, ...]:
    """Propose a use for each column of texts, which ``number_format`` reads, or of numbers.

    At most ``MOST_ROWS`` rows are looked at, always the same; all only where those do not differ.
    """
    form, rows = number_format or TextFileFormat(), len(table)
    some = table if rows <= MOST_ROWS else table.sample(MOST_ROWS, random_state=_SEED)
    looks = [_Look(some.iloc[:, i], form, rows) for i in range(table.shape[1])]
    for place, look in enumerate(looks):
        # Nearly constant is not constant: one row may differ.
        if len(look.texts) < 2 and rows > MOST_ROWS:
            looks[place] = _Look(table.iloc[:, place], form, rows)
    signs = [_decimal_signs(look, ",") for look in looks if look.share(look.written) >= _MOST]
    proved = "".join({sign for sign in signs if len(sign) == 1})
    return tuple(_proposed(look, proved) for look in looks)


def words_of(name: str) -> tuple[str, ...]:
    """Split a column's name into its words, in small letters: ``patientID`` has two."""
    return tuple(word.lower() for word in PATTERNS["word"].findall(name[:200]))


class _Look:
    """Distinct ``texts`` (v) of a column without missing ones, and how often each occurs (v,).

    ``written`` (v) is the number in each, ``units`` (v) the unit beside it, ``numbers`` (v,) the
    value, NaN for none. ``blanks`` count as missing in the file, ``markers`` seem to.
    """

    def __init__(self, column: Series, form: TextFileFormat, rows: int) -> None:
        typed, cells = column.dtype.kind in "iuf", column.dropna().tolist()
        self.name, self.words, self.rows = str(column.name), words_of(str(column.name)), rows
        self.form = form = TextFileFormat() if typed else form
        if typed:
            times = Counter(str(cell).removesuffix(".0") for cell in cells if isfinite(cell))
        else:
            times = Counter(str(cell).strip() for cell in cells)
        blank = {"", *form.missing}
        self.blanks = blank & times.keys()
        self.markers = [text for text in times if text in WORDS["markers"] - blank]
        for text in (*self.blanks, *self.markers):
            del times[text]
        self.texts = [text for text, _ in times.most_common()]
        self.counts = np.array([times[text] for text in self.texts], dtype=np.intp)
        self.filled = times.total()
        self.distinct_share = len(self.texts) / max(self.filled, 1)
        self.written, self.units = [[""] * len(self.texts)] * 2
        self.numbers = np.full(len(self.texts), np.nan)
        # Most columns of texts hold no numbers at all.
        if any(re.search(r"\d", text) for text in self.texts[:_GLANCE]):
            self.written, self.numbers = self.texts, _numbers(self.texts, form)
            if np.isnan(self.numbers).any():
                # Long texts take long to look through.
                some = any(map(number_and_unit, self.texts[:_GLANCE]))
                pairs = [(some and number_and_unit(text)) or ("", "") for text in self.texts]
                self.written, self.units = map(list, zip(*pairs, strict=True))
                self.numbers = _numbers(self.written, form)
        self.numeric = not any(self.units) and not np.isnan(self.numbers).any()
        self.whole = self.numeric and bool((self.numbers % 1 == 0).all())

    def named(self, kind: str) -> bool:
        return not WORDS[kind].isdisjoint(self.words)

    def share(self, chosen: Iterable[object]) -> float:
        return float(self.counts[[*map(bool, chosen)]].sum() / max(self.filled, 1))

    def fits(self, kind: str) -> float:
        """Return the share of filled cells of a pattern; 0 where none of the first texts are."""
        fits = PATTERNS[kind].fullmatch
        return self.share(map(fits, self.texts)) if any(map(fits, self.texts[:_GLANCE])) else 0.0


def _numbers(written: Iterable[str], form: TextFileFormat) -> Array:
    """Read numbers (v) in a format: NaN for what is none, or is not finite."""
    cells = pa.array(written, pa.string())
    found = read_numbers(cells, Number("", 0.0, 1.0), replace(form, missing=()))
    return np.where(np.isfinite(found), found, np.nan)


def _decimal_signs(look: _Look, mark: str) -> str:
    """Return what can be the decimal sign in numbers with a mark: both in 1,234, one in 12,5."""
    found = [number for number in look.written if mark in number]
    forms = _DECIMALS.items() if found else ()
    return "".join(sign for sign, form in forms if not np.isnan(_numbers(found, form)).any())


def _proposed(look: _Look, proved: str) -> ColumnProposal:
    """Propose a use; ``proved`` are decimal signs of other columns."""
    if reason := _of_no_use(look):
        return ColumnProposal(look.name, Use.OUT, reason)
    return _of_numbers(look, proved) or _of_texts(look)


def _of_no_use(look: _Look) -> str:
    many, distinct = len(look.texts) > _MANY, look.distinct_share > _NEARLY_DISTINCT
    if len(look.texts) < 2:
        return "the same in every row" if look.texts else "empty"
    if look.fits("day" if look.whole else "date") >= _NEARLY_ALL:
        return "a date or a time"
    if look.named("survey_weights") or (look.named("weights") and look.named("of_a_survey")):
        return "a survey weight"
    numbering = {*look.words[-1:]} & WORDS["numbering"]
    numbering = numbering or {"".join(look.words)} & WORDS["whole_names"]
    personal = look.named("personal") and not look.named("of_things")
    if many and (personal or numbering or look.named("postal")):
        return "it may point at a person"
    if look.numeric:
        return _numbering(look, distinct) if look.whole and many else ""
    if look.fits("email") >= _MOST:
        return "e-mail addresses"
    repeats = look.distinct_share <= 1 - _NEARLY_DISTINCT or len(look.texts) <= _MOST_CATEGORIES
    if not repeats and look.fits("coded") >= _MOST > look.share(look.written):
        return "an identifier"
    return "different in every row" if many and distinct and not any(look.written) else ""


def _numbering(look: _Look, distinct: bool) -> str:
    """Say whether whole numbers count rows, or are identifiers of as many digits each."""
    low, high = int(look.numbers.min()), int(look.numbers.max())
    gapless = high - low == len(look.texts) - 1
    unnamed = re.fullmatch(r"column \d+|Unnamed: \d+|index", look.name)
    # Some rows of a long table show some numbers of the list, none of them above its length.
    some = low >= 0 and high <= look.rows and look.filled < look.rows
    once = len(look.texts) == look.filled
    if (unnamed and (distinct or gapless)) or (once and (gapless or some)):
        return "a row number"
    return "an identifier" if distinct and low >= 1e5 and len(str(low)) == len(str(high)) else ""


def _of_numbers(look: _Look, proved: str) -> ColumnProposal | None:
    """Propose a number, or codes; None for texts."""
    units: Counter[str] = Counter()
    for unit, count in zip(look.units, look.counts.tolist(), strict=True):
        units[unit] += count
    del units[""]
    rare = units and (len(units) > _MOST_UNITS or units.total() < _MOST * look.filled / 2)
    # Where each number has a unit of its own, "1 glad" and "2 sad" are labelled codes.
    labels = 1 < len(units) == sum(map(bool, look.units))
    odd = [text for text, number in zip(look.texts, look.written, strict=True) if not number]
    few = odd and len(look.texts) - len(odd) <= 2
    if look.share(look.written) < _MOST or rare or labels or few:
        return None
    asked, names = _marks_asked(look, proved), [unit for unit, _ in units.most_common()]
    there = np.isfinite(look.numbers)
    numbers, counts, different = look.numbers[there], look.counts[there], int(there.sum())
    whole, codes = different > 0 and not (numbers % 1).any(), question(ask.CODES, different)
    if units:
        asked.append(question(ask.UNITS, quoted(names), *names))
    if odd:
        asked += [question(ask.TEXTS, quoted(odd)), *[codes] * (whole and different <= _FEW)]
    if asked:
        return _proposal(look, Use.NUMBER, *asked, unit="".join(names[:1]))
    if not there.all():
        return None
    if whole and any(re.match("0.", text) for text in look.texts):
        reason = "codes that begin with 0"
        if different > _MOST_CATEGORIES:
            return ColumnProposal(look.name, Use.OUT, reason)
        return replace(_proposal(look, Use.CATEGORY), reason=reason)
    heavy = look.named("weights") and bool(numbers.max() > _HEAVIEST_PERSON)
    asked = [question(ask.WEIGHT)] * heavy
    if whole and different > 2:
        needed = IRREGULAR / 2 if different <= _MANY else IRREGULAR
        listed_codes = different <= _MOST_CODES and np.ptp(numbers) <= _WIDEST_CODES
        if different <= _MOST_CATEGORIES and look.named("codes"):
            return _proposal(look, Use.CATEGORY, codes)
        if different <= _FEW:
            asked = [codes] * (not look.named("counts"))
        elif listed_codes and irregularity(numbers, counts) >= needed:
            asked = [codes]
        elif look.distinct_share > _NEARLY_DISTINCT:
            asked = [question(ask.IDENTIFIER)]
    return _proposal(look, Use.NUMBER, *asked)


def _marks_asked(look: _Look, proved: str) -> list[ColumnQuestion]:
    """Ask what a comma or a point means where the format leaves it open; read as is likelier."""
    form, texts = look.form, zip(look.written, look.numbers, strict=True)
    unread = [number for number, value in texts if number and np.isnan(value)]
    commas = [number for number in look.written if "," in number]
    if commas:
        signs = _decimal_signs(look, ",")
        sign = signs if len(signs) == 1 else proved
        if sign in _DECIMALS:
            look.numbers = _numbers(look.written, _DECIMALS[sign])
        told = sign in _DECIMALS and not unread
        return [] if told else [question(ask.COMMA, quoted(commas[:1]))]
    if unread and not np.isnan(_numbers(unread, TextFileFormat())).any():
        look.numbers = _numbers(look.written, TextFileFormat())
        return [question(ask.POINTS, quoted(unread[:1]))]
    # Where semicolons are about 12.500 may be a thousand, unless 12.5 stands beside it.
    if form.delimiter == ";" and form.thousands != "." and len(_decimal_signs(look, ".")) == 2:
        return [question(ask.POINTS, quoted([next(t for t in look.written if "." in t)]))]
    return []


def _proposal(
    look: _Look, use: Use, *asked: ColumnQuestion, unit: str = "", values: tuple[str, ...] = ()
) -> ColumnProposal:
    """Return a proposal that asks about codes and marks of missing values at the end."""
    missing = [*look.markers]
    if use == Use.NUMBER:
        there = np.isfinite(look.numbers)
        codes = missing_codes(look.numbers[there], look.counts[there])
        missing += [str(int(code)) if code % 1 == 0 else repr(code) for code in codes]
    if missing:
        asked = (*asked, question(ask.MISSING, listed(missing)))
    return ColumnProposal(look.name, use, "", asked, unit, "; ".join(missing), values)


def _of_texts(look: _Look) -> ColumnProposal:
    steps = [step for step in map(PATTERNS["step"].fullmatch, look.texts) if step]
    if scale := _known_scale(look) or _numbered_scale(look, steps):
        others = [text for text in look.texts if text not in scale]
        rest = f", and {quoted(others)} missing" if others else ""
        asked = question(ask.SCALE, ask.in_order(scale) + rest)
        if all(len(value) == 1 for value in scale):
            return _proposal(look, Use.CATEGORY, asked)
        # What cells hold is nobody's word for an order: it is always asked about.
        return _proposal(look, Use.SCALE, asked, values=scale)
    if len(look.texts) > _MOST_CATEGORIES:
        return ColumnProposal(look.name, Use.OUT, "many different texts")
    if len(steps) < max(len(look.texts), 3):
        return _proposal(look, Use.CATEGORY)
    in_order = [step[0] for step in sorted(steps, key=lambda step: int(step[1]))]
    return _proposal(look, Use.CATEGORY, question(ask.SCALE, ask.in_order(in_order)))


def _known_scale(look: _Look) -> tuple[str, ...]:
    """Return the scale that most of the texts belong to; of letters only where they are grades."""
    found = known_scale({*look.texts, *look.blanks})
    of_scale = [text in found for text in look.texts]
    enough = (sum(of_scale) > 2 or all(of_scale)) and look.share(of_scale) >= 0.5
    letters = all(len(value) == 1 for value in found) and not look.named("grades")
    return found if enough and not letters else ()


def _numbered_scale(look: _Look, steps: list[re.Match[str]]) -> tuple[str, ...]:
    """Return a scale written as "1 = low": labels are a known one's or its ends; none is added."""
    scale = known_scale({step[3] for step in steps})
    if not scale:
        return ()
    first, *_, last = sorted(steps, key=lambda step: int(step[1]))
    low, mark, high = int(first[1]), first[2], int(last[1])
    found = []
    if (first[3], last[3]) == (scale[0], scale[-1]) and high - low < _MANY:
        found.append((first[0], *map(str, range(low + 1, high)), last[0]))
    if first[3] in scale:
        begin = low - scale.index(first[3])
        found.append(tuple(f"{step}{mark}{label}" for step, label in enumerate(scale, begin)))
    return next((values for values in found if {*look.texts} <= {*values}), ())
