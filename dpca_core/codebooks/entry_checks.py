"""Entries as they come from a file, made sound: numbers that are numbers, ranges that rise."""

from collections.abc import Iterable
from dataclasses import replace

from dpca_core.codebooks.codebook import MOST_ENTRIES, CodebookEntry, CodebookError, Findings
from dpca_core.codebooks.number_text import number_text
from dpca_core.data.column_names import label

_ENDS = ("low", "typical", "high")


def sound_entries(
    entries: Iterable[CodebookEntry], findings: Findings
) -> tuple[CodebookEntry, ...]:
    """Return the entries that have a name, one a name, with what is wrong in them left empty.

    Raises
    ------
    CodebookError
        For more entries than any codebook has.
    """
    found: dict[str, CodebookEntry] = {}
    for number, entry in enumerate(entries, 1):
        if number > MOST_ENTRIES:
            raise CodebookError(
                f"This file describes more than {MOST_ENTRIES:,} columns: is it the table itself? "
                "A codebook has one line for each column."
            )
        name = entry.name.strip()
        if not name:
            findings.add("a line without a column’s name, not used")
            continue
        if name not in found:
            found[name] = _sound(replace(entry, name=name), findings)
        elif replace(entry, name=name) != found[name]:
            findings.add(f"{label(name)}: described twice, the first is used")
    return tuple(found.values())


def _sound(entry: CodebookEntry, findings: Findings) -> CodebookEntry:
    """Return an entry whose range rises and whose values differ."""
    name = label(entry.name)
    ends = {end: _checked_number(entry, end, findings) for end in _ENDS}
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
    missing = tuple(dict.fromkeys(filter(None, (code.strip() for code in entry.missing))))
    unit = " ".join(entry.unit.split())
    return replace(
        entry, low=low, typical=typical, high=high, values=values, missing=missing, unit=unit
    )


def _checked_number(entry: CodebookEntry, end: str, findings: Findings) -> str:
    """Return a number's text, or an empty one and a problem for what is none."""
    text = str(getattr(entry, end)).strip()
    if not text:
        return ""
    number = number_text(text, entry.decimal, entry.thousands)
    if number is None and entry.decimal:
        # Some write limits with a point although the table's cells have a comma.
        number = number_text(text)
    if number is None:
        findings.add(f"{label(entry.name)}: {label(text)} is not a number, left empty")
    return number or ""


def _between(low: str, typical: str, high: str) -> bool:
    """Tell whether a typical value lies within the ends that are known."""
    value = float(typical)
    return (not low or float(low) <= value) and (not high or value <= float(high))
