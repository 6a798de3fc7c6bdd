"""The simple CSV: a line a column of the table, with the headings the page itself uses."""

import re
from collections.abc import Iterator

from dpca_core.codebooks.codebook import Codebook, CodebookEntry, EntryUse, Findings, name_key
from dpca_core.codebooks.entry_checks import sound_entries
from dpca_core.data.column_names import label
from dpca_core.data.recipe import Source
from dpca_core.data.text_file_format import TextFileFormat

_QUOTED = re.compile(r'(^|[;|,])\s*"(?:[^"]|"")*"\s*(?=[;|,]|$)')
"""A part of a list in quotation marks, with the sign before it."""
_DECIMAL_COMMA = r"(?:(?<!\d,)|(?=\D))\s*[+-]?\d+,\d+\s*(?=,\D|,?$)|"
_ONE_OR_TWO = re.compile(r"\s*[+−-]?\d+,\d+\s*")
"""Two numbers, or one with a decimal comma."""
_DECIMALS = {",": ",", "comma": ",", ".": ".", "point": "."}
_HEADINGS = {
    "column": ("column", "name", "variable", "field"),
    "use": ("use", "useas", "type"),
    "low": ("low", "min", "minimum"),
    "typical": ("typical",),
    "high": ("high", "max", "maximum"),
    "unit": ("unit", "units"),
    "missing": ("missing", "missingcodes"),
    "values": ("values",),
    "source": ("source", "wherefrom"),
    "decimal": ("decimal", "decimalchar"),
}
"""What each part may be called, without case and spaces."""
_USES = {
    EntryUse.NUMBER: ("number", "numeric", "integer", "float", "decimal"),
    EntryUse.CATEGORY: ("category", "categorical", "factor"),
    EntryUse.OUT: ("out", "leaveout", "leftout", "ignore"),
    EntryUse.PERSON: ("person", "theperson", "patient", "thepatient"),
}
_SOURCES = {
    Source.LAW: ("laworphysics", "law", "physics"),
    Source.GUESS: ("guess", "yourguess"),
    Source.DECLARED: ("declared", "declaredbyyou"),
    Source.NOTICED: ("noticedinthefile",),
    Source.FILE: ("file", "readfromthefile", "fromthefile", "data", "thedata"),
}
"""Whatever else a source is called names a document: it counts as a codebook."""


def is_simple_csv(header: list[str]) -> bool:
    """Tell whether a first line names a column and anything to say of it."""
    parts = _parts(header)
    return "column" in parts and len(parts) > 1


def read_simple_csv(
    header: list[str], lines: Iterator[list[str]], form: TextFileFormat | None = None
) -> Codebook:
    """Read the lines below a header that ``is_simple_csv`` knows.

    ``form`` is how numbers are written in lines that do not say it.
    """
    findings = Findings()
    parts = _parts(header)
    used = set(parts.values())
    if unused := [label(name) for i, name in enumerate(header) if name and i not in used]:
        findings.add(f"not used: {', '.join(unused[:5])}{', …' if len(unused) > 5 else ''}")
    entries = (_entry(parts, cells, findings, form) for cells in lines)
    sound = sound_entries(entries, findings, form)
    person = tuple(entry.name for entry in sound if entry.use is EntryUse.PERSON)
    return Codebook(sound, person, problems=findings.problems)


def _parts(header: list[str]) -> dict[str, int]:
    """Return the place of each part that a heading names; the first heading counts."""
    keys = [name_key(name) for name in header]
    found = {}
    for part, names in _HEADINGS.items():
        places = [keys.index(name) for name in names if name in keys]
        if places:
            found[part] = places[0]
    return found


def _entry(
    parts: dict[str, int], cells: list[str], findings: Findings, form: TextFileFormat | None
) -> CodebookEntry:
    """Return what one line says."""
    told = {part: cells[place] for part, place in parts.items() if place < len(cells)}
    decimal = _decimal(told, findings)
    commas = decimal == "," or (form is not None and "," in form.decimal)
    values = split_list(told.get("values", ""), decimal_commas=commas)
    low, typical, high = (told.get(end, "") for end in ("low", "typical", "high"))
    has_ends = bool(low or typical or high)
    use = _use(told, bool(values), has_ends, findings)
    source = _source(told.get("source", ""))
    name, unit = told.get("column", ""), told.get("unit", "")
    missing = split_list(_clear_codes(told, decimal, form, findings), decimal_commas=commas)
    return CodebookEntry(
        name, use, low, typical, high, unit, missing, values, source,
        decimal="," if decimal == "," else "",
    )  # fmt: skip


def _decimal(told: dict[str, str], findings: Findings) -> str:
    """Return the decimal mark a line names; "" for none."""
    said = told.get("decimal", "").strip().casefold()
    if said and said not in _DECIMALS:
        findings.add(f"{label(told.get('column', ''))}: decimal “{label(said)}” is not known")
    return _DECIMALS.get(said, "")


def _clear_codes(
    told: dict[str, str], decimal: str, form: TextFileFormat | None, findings: Findings
) -> str:
    """Return codes for missing values, or "" where 99,9 may be one or two.

    As two codes it would let 9 and 99 count as missing, which may be measured; as one it would
    let them count as measured.
    """
    text = told.get("missing", "")
    if decimal or form is not None or not _ONE_OR_TWO.fullmatch(text):
        return text
    first, second = (part.strip() for part in text.split(","))
    findings.add(
        f"{label(told.get('column', ''))}: missing {label(text.strip())} could be {first} and "
        f"{second}, or one number, left empty: two are written {first}; {second}"
    )
    return ""


def _use(
    told: dict[str, str], has_values: bool, has_ends: bool, findings: Findings
) -> EntryUse | None:
    """Return the use a line names; without one that of what it says."""
    said = name_key(told.get("use", ""))
    for use, names in _USES.items():
        if said in names:
            return use
    if said:
        findings.add(f"{label(told.get('column', ''))}: use “{label(told['use'])}” is not known")
    if has_ends:
        return EntryUse.NUMBER
    return EntryUse.CATEGORY if has_values else None


def _source(text: str) -> Source | None:
    """Return the source a line names; any document counts as a codebook."""
    said = name_key(text)
    if not said:
        return None
    return next((source for source, names in _SOURCES.items() if said in names), Source.CODEBOOK)


def split_list(text: str, *, decimal_commas: bool = False) -> tuple[str, ...]:
    """Return the parts of a list: between semicolons, else vertical bars, else commas.

    A part in quotation marks may hold such a sign itself, and a quotation mark as two. With
    ``decimal_commas`` 0,5 is one part: one comma between digits, and none without a space around.
    """
    bare = _QUOTED.sub(r"\1", text)
    mark = next((mark for mark in ";|," if mark in bare), ";")
    number = _DECIMAL_COMMA if decimal_commas and mark == "," else ""
    plain = rf"({number}[^{mark}]*)(?:[{mark}]|$)"
    part = re.compile(rf'\s*"((?:[^"]|"")*)"\s*(?:[{mark}]|$)|{plain}')
    found = [quoted.replace('""', '"') if quoted else plain for quoted, plain in part.findall(text)]
    return tuple(one.strip() for one in found if one.strip())
