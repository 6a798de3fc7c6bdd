"""Entries as they come from a file, made sound: numbers that are numbers, ranges that rise."""

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice

from dpca_core.codebooks.codebook import (
    MOST_ENTRIES,
    CodebookEntry,
    CodebookError,
    EntryUse,
    Findings,
)
from dpca_core.codebooks.number_text import number_text
from dpca_core.data.column_names import label
from dpca_core.data.text_file_format import EITHER, TextFileFormat

_ENDS = ("low", "typical", "high")
_TWO_READINGS = re.compile(r"[+−-]?[1-9]\d{0,2}\.\d{3}")


def sound_entries(
    entries: Iterable[CodebookEntry],
    findings: Findings,
    form: TextFileFormat | None = None,
    *,
    by_hand: bool = True,
) -> tuple[CodebookEntry, ...]:
    """Return the entries that have a name, one a name, with what is wrong in them left empty.

    Parameters
    ----------
    form
        Whose marks the numbers of an entry have that names none itself.
    by_hand
        Whether people write the numbers, who may have a point between thousands; JSON has none.

    Raises
    ------
    CodebookError
        For more entries than any codebook has.
    """
    described = list(islice(entries, MOST_ENTRIES + 1))
    if len(described) > MOST_ENTRIES:
        raise CodebookError(
            f"This file describes more than {MOST_ENTRIES:,} columns: is it the table itself? "
            "A codebook has one line for each column."
        )
    # Who writes 36,8 anywhere may write 12.500 for twelve thousand.
    commas = by_hand and any("," in str(getattr(e, end)) for e in described for end in _ENDS)
    found: dict[str, CodebookEntry] = {}
    for entry in described:
        name = entry.name.strip()
        if not name:
            findings.add("a line without a column’s name, not used")
            continue
        if name not in found:
            marks = _marks(entry, form)
            unclear = (by_hand and marks == (",", "")) or (commas and marks == ("", ""))
            found[name] = _sound(replace(entry, name=name), findings, marks, unclear)
        elif replace(entry, name=name) != found[name]:
            findings.add(f"{label(name)}: described twice, the first is used")
    return tuple(found.values())


def _sound(
    entry: CodebookEntry, findings: Findings, marks: tuple[str, str], unclear: bool
) -> CodebookEntry:
    """Return an entry whose range rises and whose values differ."""
    name = label(entry.name)
    limit_marks = (",", ".") if unclear and marks[0] else marks
    ends = {
        end: _checked_number(entry, end, limit_marks, findings, unclear=unclear) for end in _ENDS
    }
    low, typical, high = (ends[end] for end in _ENDS)
    if low and high and not float(low) < float(high):
        equal = float(low) == float(high)
        findings.add(f"{name}: minimum {'equals' if equal else 'above'} maximum, left empty")
        low = typical = high = ""
    if typical and not _between(low, typical, high):
        findings.add(f"{name}: typical value outside the range, left empty")
        typical = ""
    values = tuple(dict.fromkeys(value.strip() for value in entry.values))
    if len(values) < len(entry.values):
        findings.add(f"{name}: a value is listed twice, once is used")
    codes = [code.strip() for code in entry.missing]
    if entry.use is EntryUse.NUMBER:
        codes = [_number_text(code, marks) or code for code in codes]
    missing = tuple(dict.fromkeys(filter(None, codes)))
    unit = " ".join(entry.unit.split())
    return replace(
        entry, low=low, typical=typical, high=high, values=values, missing=missing, unit=unit
    )


def _marks(entry: CodebookEntry, form: TextFileFormat | None) -> tuple[str, str]:
    """Return the decimal mark of an entry and that between thousands, "" where not known.

    In a file with decimal commas a point may stand between thousands, as where numbers are typed.
    """
    if form is None or entry.decimal or entry.thousands:
        return entry.decimal, entry.thousands
    if form.decimal == ",":
        return ",", form.thousands or "."
    return "" if form.decimal == EITHER else form.decimal, form.thousands


def _number_text(text: str, marks: tuple[str, str]) -> str | None:
    number = number_text(text, *marks)
    # Some write limits with a point although the table's cells have a comma.
    return number_text(text) if number is None and marks[0] else number


def _checked_number(
    entry: CodebookEntry, end: str, marks: tuple[str, str], findings: Findings, *, unclear: bool
) -> str:
    """Return a number's text, or an empty one and a problem for what is none.

    Where it is unclear whether a point stands between thousands, 2.500 is no number: as 2.5 it
    would cut what goes up to 2500.
    """
    text = str(getattr(entry, end)).strip()
    if not text:
        return ""
    if unclear and _TWO_READINGS.fullmatch(text):
        whole, fraction = text.replace(".", ""), text.rstrip("0").rstrip(".")
        findings.add(
            f"{label(entry.name)}: {label(text)} could be {label(whole)} or {label(fraction)}, "
            "left empty"
        )
        return ""
    number = _number_text(text, marks)
    if number is None:
        findings.add(f"{label(entry.name)}: {label(text)} is not a number, left empty")
    return number or ""


def _between(low: str, typical: str, high: str) -> bool:
    """Tell whether a typical value lies within the ends that are known."""
    value = float(typical)
    return (not low or float(low) <= value) and (not high or value <= float(high))
