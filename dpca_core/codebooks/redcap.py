"""REDCap's data dictionary: a CSV file with a line a field, as its project page downloads it.

The headings of the file and those of the same table in REDCap's interface for programs are both
read. Choices are "code, label" between vertical bars; the table holds the codes. A field of type
checkbox becomes one column a choice, ``field___code``, of 0 and 1.
"""

import re
from collections.abc import Iterator

from dpca_core.codebooks.codebook import Codebook, CodebookEntry, EntryUse, Findings, name_key
from dpca_core.codebooks.entry_checks import sound_entries
from dpca_core.codebooks.number_text import number_text
from dpca_core.data.column_names import label
from dpca_core.data.recipe import Source

_HEADINGS = {
    "name": ("variable/fieldname", "field_name"),
    "type": ("fieldtype", "field_type"),
    "choices": (
        "choices,calculations,orsliderlabels",
        "choicesorcalculations",
        "select_choices_or_calculations",
    ),
    "validation": (
        "textvalidationtypeorshowslidernumber",
        "text_validation_type_or_show_slider_number",
    ),
    "low": ("textvalidationmin", "text_validation_min"),
    "high": ("textvalidationmax", "text_validation_max"),
    "identifier": ("identifier?", "identifier"),
}
_CHOICE_TYPES = ("radio", "dropdown")
_YES_OR_NO = ("yesno", "truefalse")
_NO_COLUMN = ("descriptive",)
_NEVER_NUMBERS = ("notes", "file", "sql")
_SLIDER_ENDS = ("0", "100")
_NUMBERS = re.compile(r"(int|integer|float|number(_\d+dp)?)(_comma_decimal)?")
_NONE = "NA"
"""What programs write into an empty cell."""


def is_data_dictionary(header: list[str]) -> bool:
    """Tell whether a first line has the headings of a data dictionary."""
    return {"name", "type"} <= _parts(header).keys()


def read_data_dictionary(header: list[str], lines: Iterator[list[str]]) -> Codebook:
    """Read the lines below a header that ``is_data_dictionary`` knows.

    The first field is the record's identifier: it is proposed as the person.
    """
    findings = Findings()
    parts = _parts(header)
    fields = [_told(parts, cells) for cells in lines]
    entries = (entry for told in fields for entry in _entries(told, findings))
    sound = sound_entries(entries, findings)
    record = fields[0]["name"] if fields else ""
    person = (record,) if record else ()
    return Codebook(sound, person, problems=findings.problems)


def _parts(header: list[str]) -> dict[str, int]:
    keys = [name_key(name) for name in header]
    return {
        part: keys.index(name)
        for part, names in _HEADINGS.items()
        for name in names
        if name in keys
    }


def _told(parts: dict[str, int], cells: list[str]) -> dict[str, str]:
    told = {part: cells[place] if place < len(cells) else "" for part, place in parts.items()}
    empty = {part: "" for part, text in told.items() if text == _NONE and part != "name"}
    return dict.fromkeys(_HEADINGS, "") | told | empty


def _entries(told: dict[str, str], findings: Findings) -> Iterator[CodebookEntry]:
    """Yield an entry for each column that a field becomes in the table."""
    name, kind = told["name"], told["type"].casefold()
    if kind in _NO_COLUMN:
        return
    if told["identifier"].casefold() in ("y", "yes", "1"):
        yield CodebookEntry(name, EntryUse.OUT)
    elif kind == "checkbox":
        for code in _codes(told["choices"]):
            column = f"{name}___{code.casefold().replace('-', '_')}"
            yield _category(column, ("0", "1"))
    elif kind in _CHOICE_TYPES:
        yield _category(name, _codes(told["choices"]))
    elif kind in _YES_OR_NO:
        yield _category(name, ("0", "1"))
    elif kind in _NEVER_NUMBERS:
        yield CodebookEntry(name, EntryUse.OUT)
    elif kind in ("slider", "calc"):
        yield _number(told, _SLIDER_ENDS if kind == "slider" else ("", ""), findings)
    elif _NUMBERS.fullmatch(told["validation"].casefold()):
        yield _number(told, ("", ""), findings)
    elif told["validation"]:
        # Dates, times, telephone numbers, postal codes, record numbers: nothing to add up.
        yield CodebookEntry(name, EntryUse.OUT)
    else:
        yield CodebookEntry(name)


def _codes(choices: str) -> tuple[str, ...]:
    """Return the codes of ``1, Yes | 2, No``."""
    codes = (choice.partition(",")[0].strip() for choice in choices.split("|"))
    return tuple(code for code in codes if code)


def _category(name: str, values: tuple[str, ...]) -> CodebookEntry:
    source = Source.CODEBOOK if values else None
    return CodebookEntry(name, EntryUse.CATEGORY, values=values, source=source)


def _number(told: dict[str, str], ends: tuple[str, str], findings: Findings) -> CodebookEntry:
    """Return a number; limits that are formulas, such as [height] or today, are left out."""
    decimal = "," if told["validation"].casefold().endswith("_comma_decimal") else ""
    marks = (",", ".") if decimal else ("", "")
    limits = []
    for text, default in zip((told["low"], told["high"]), ends, strict=True):
        if text and number_text(text, *marks) is None and number_text(text) is None:
            findings.add(f"{label(told['name'])}: {label(text)} is not a number, left empty")
            text = ""
        limits.append(text or default)
    low, high = limits
    source = Source.CODEBOOK if low or high else None
    return CodebookEntry(
        told["name"], EntryUse.NUMBER, low, high=high, source=source, decimal=decimal
    )
