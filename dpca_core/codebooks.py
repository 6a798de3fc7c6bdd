"""Codebooks: what is known of a table's columns without the table, in the formats people have.

A Table Schema of the Data Package standard (JSON or YAML; alone, in a resource or in a package),
REDCap's data dictionary, a CSV file with a line a column, or a recipe that was saved here. Which
one a file is follows from what is in it. What cannot be used is left empty, and said.
"""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice
from math import isfinite, isnan
from typing import Any

from dpca_core.data import recipe_json
from dpca_core.data.column_names import label
from dpca_core.data.errors import RecipeError
from dpca_core.data.known_scales import known_scale
from dpca_core.data.recipe import Number, Recipe, Scale, Source
from dpca_core.data.recipe_checks import MOST_STEPS
from dpca_core.data.text_file_format import EITHER, SEPARATORS, TextFileFormat, parsed

LARGEST, LARGEST_YAML = 5_000_000, 1_000_000
"""Bytes of a codebook, and characters of one in YAML; a table's own file is mostly longer."""
MOST_ENTRIES = 10_000
"""Columns that a codebook may describe; a file of more lines is hardly one."""
_DEEPEST = 40


class CodebookError(ValueError):
    """A file cannot be read as a codebook; the message is one sentence that names the remedy."""


class EntryUse(StrEnum):
    """What a codebook says a column is for."""

    NUMBER = "number"
    SCALE = "scale"
    CATEGORY = "category"
    OUT = "out"
    PERSON = "person"


@dataclass(frozen=True)
class CodebookEntry:
    """What a codebook says of one column; empty what it does not say.

    ``low``, ``typical``, ``high`` and missing codes that are numbers have a decimal point; values
    of a scale go from low to high; ``source`` is that of ranges and values. ``seen``, that the
    file's values were shown before, is known of our own recipes only. ``decimal`` and ``thousands``
    are marks in the column's cells.
    """

    name: str
    use: EntryUse | None = None
    low: str = ""
    typical: str = ""
    high: str = ""
    unit: str = ""
    missing: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    source: Source | None = None
    seen: bool = False
    decimal: str = ""
    thousands: str = ""


@dataclass(frozen=True)
class Codebook:
    """All that a codebook says: at most one entry a name.

    ``problems`` are parts of a sentence on what was left out: "hr: minimum above maximum, left
    empty". ``recipe`` is the whole of it where the codebook is one of our own recipes.
    """

    entries: tuple[CodebookEntry, ...]
    problems: tuple[str, ...] = ()
    recipe: Recipe | None = None


def name_key(name: str) -> str:
    """Return what two names share that differ in case and spaces alone."""
    return "".join(name.split()).casefold()


def matching(entries: Iterable[CodebookEntry], header: Iterable[str]) -> dict[str, CodebookEntry]:
    """Return for columns of a table, each named once, the entry that describes each.

    Names are compared exactly first, then without case and spaces; of two columns or two entries
    that differ in these alone none is matched that way.
    """
    exact = {entry.name: entry for entry in entries}
    names = list(header)
    found = {name: exact[name] for name in names if name in exact}
    loose = _by_key([name for name in exact if name not in found])
    for key, columns in _by_key([name for name in names if name not in found]).items():
        if len(columns) == 1 and len(loose.get(key, ())) == 1:
            found[columns[0]] = exact[loose[key][0]]
    return found


def _by_key(names: list[str]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(name_key(name), []).append(name)
    return groups


def read_codebook(
    name: str,
    content: bytes,
    header: Sequence[str] = (),
    form: TextFileFormat | None = None,
    *,
    pasted: bool = False,
) -> Codebook:
    """Read a codebook; a pasted block is one as well.

    Parameters
    ----------
    name
        What the file is called in an error; it decides nothing.
    header
        Names of the table's columns: of several schemas in one package that which fits is read.
    form
        How the table is written: beside its decimal commas a limit of 10.000 is doubtful.
    pasted
        Whether a CSV file whose lines do not say it has numbers like the table's; else they have
        decimal points, and decimal commas that cannot stand between thousands.

    Raises
    ------
    CodebookError
        Where the file is none of the formats that are known, or broken.
    """
    text = _text_of(content)
    if text.lstrip()[0] in "{[":
        return _of_tree(_json_tree(text), text, header)
    lines = _separated(text)
    first = next(lines)
    commas = form is not None and form.decimal == ","
    if {"name", "type"} <= (places := _places(first, _REDCAP)).keys():
        return _data_dictionary(_told(lines, places, _REDCAP), commas=commas)
    if "name" in (places := _places(first, _SIMPLE)) and len(places) > 1:
        unused = [label(h) for i, h in enumerate(first) if h and i not in places.values()]
        told = _told(lines, places, _SIMPLE)
        return _simple_csv(told, unused, form if pasted else None, commas=commas)
    if re.search(r"^[\"']?(fields|resources|schema|format)[\"']?\s*:", text, re.MULTILINE):
        return _of_tree(_yaml_tree(text), text, header)
    raise CodebookError(
        f"{label(name)} is not a codebook that can be read: it must be a Table Schema or data "
        "package (JSON, YAML), a REDCap data dictionary, a CSV file with the headings column, use, "
        "low, typical, high, unit, missing, values, source, decimal, or a recipe saved here."
    )


def _text_of(content: bytes) -> str:
    """Return the text of a file: UTF-8, UTF-16 where it begins so, else Windows-1252."""
    if len(content) > LARGEST:
        raise CodebookError(
            f"This file is longer than {LARGEST // 1_000_000} MB; a codebook has one line for each "
            "column of the table."
        )
    if content.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        raise CodebookError("This is an Excel or zip file: save the sheet as CSV UTF-8.")
    encodings = ["utf-8-sig", "cp1252"]
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        encodings = ["utf-16"]
    text = content.decode("latin-1")
    for encoding in encodings:
        with suppress(UnicodeDecodeError):
            text = content.decode(encoding)
            break
    if "\0" in text or content.startswith(b"%PDF"):
        raise CodebookError("This file is not text: save the codebook as CSV, JSON or YAML.")
    if not text.strip():
        raise CodebookError("This codebook is empty.")
    return text


# What all formats share: numbers that are numbers, ranges that rise, one entry a name


_Pair = tuple[str, str]
"""A decimal mark, and the one between thousands: "" where it is not known."""


def _marks_of(form: TextFileFormat) -> _Pair:
    """Return marks of numbers that are typed as a table's are: beside decimal commas, points."""
    if form.decimal == ",":
        return ",", form.thousands or "."
    return "" if form.decimal == EITHER else form.decimal, form.thousands


def _sound_entries(
    entries: Iterable[CodebookEntry],
    problems: list[str],
    marks: _Pair = ("", ""),
    *,
    commas: bool | None = False,
) -> tuple[CodebookEntry, ...]:
    """Return the entries that have a name, one a name, with what is wrong in them left empty.

    Parameters
    ----------
    marks
        Of entries that name none.
    commas
        Whether decimal commas are about, so that 2.500 may be two numbers; None for JSON, which has
        no point between thousands. Who writes 36,8 anywhere may write 12.500 for twelve thousand.
    """
    described = list(islice(entries, MOST_ENTRIES + 1))
    if len(described) > MOST_ENTRIES:
        raise CodebookError(
            f"This file describes more than {MOST_ENTRIES:,} columns; a codebook has one line for "
            "each column of the table."
        )
    beside = any("," in entry.low + entry.typical + entry.high for entry in described)
    found: dict[str, CodebookEntry] = {}
    for entry in described:
        name = entry.name.strip()
        own = (entry.decimal, entry.thousands) if entry.decimal or entry.thousands else marks
        doubtful = own == (",", "") or (own == ("", "") and (commas or beside))
        if not name:
            problems.append("a line without a column’s name, not used")
        elif name not in found:
            told = replace(entry, name=name)
            found[name] = _sound(told, problems, own, doubtful and commas is not None)
        elif replace(entry, name=name) != found[name]:
            problems.append(f"{label(name)}: described twice, the first is used")
    return tuple(found.values())


def _sound(
    entry: CodebookEntry, problems: list[str], marks: _Pair, doubtful: bool
) -> CodebookEntry:
    """Return an entry whose range rises and whose values differ.

    Where it is doubtful whether a point stands between thousands, 2.500 is no number: as 2.5 it
    would cut what goes up to 2500.
    """
    name, numbers = label(entry.name), []
    for text in (entry.low.strip(), entry.typical.strip(), entry.high.strip()):
        number = _either_number(text, (",", ".") if doubtful and marks[0] else marks)
        if doubtful and re.fullmatch(r"[+−-]?[1-9]\d{0,2}\.\d{3}", text):
            whole, fraction = text.replace(".", ""), text.rstrip("0").rstrip(".")
            both = f"{label(whole)} or {label(fraction)}"
            problems.append(f"{name}: {label(text)} could be {both}, left empty")
            number = None
        elif text and number is None:
            problems.append(f"{name}: {label(text)} is not a number, left empty")
        numbers.append(number or "")
    low, typical, high = numbers
    if low and high and float(low) >= float(high):
        how = "equals" if float(low) == float(high) else "above"
        problems.append(f"{name}: minimum {how} maximum, left empty")
        low = typical = high = ""
    if typical and not float(low or typical) <= float(typical) <= float(high or typical):
        problems.append(f"{name}: typical value outside the range, left empty")
        typical = ""
    codes = [code.strip() for code in entry.missing]
    if entry.use is EntryUse.NUMBER:
        codes = [_either_number(code, marks) or code for code in codes]
    missing = tuple(dict.fromkeys(filter(None, codes)))
    values = tuple(dict.fromkeys(value.strip() for value in entry.values))
    if len(values) < len(entry.values):
        problems.append(f"{name}: a value is listed twice, once is used")
    unit, use = " ".join(entry.unit.split()), entry.use
    if use is EntryUse.SCALE:
        values = tuple(value for value in values if value and value not in missing)
        if not 2 <= len(values) <= MOST_STEPS:
            problems.append(f"{name}: a scale has 2 to {MOST_STEPS} values, used as a category")
            use = EntryUse.CATEGORY
    entry = replace(entry, low=low, typical=typical, high=high)
    return replace(entry, use=use, values=values, missing=missing, unit=unit)


def _either_number(text: str, marks: _Pair) -> str | None:
    """Return a number's text; beside cells with decimal commas some write limits with points."""
    number = number_text(text, *marks)
    return number_text(text) if number is None and marks[0] else number


def number_text(text: str, decimal: str = "", thousands: str = "") -> str | None:
    """Return a number as a draft writes it, "12.5"; None for what is no finite number.

    Parameters
    ----------
    decimal, thousands
        Marks where they are known; the latter stands between whole groups of three digits only.
        Without them "12,5" is 12.5, and "1,234" is None: it could be 1.234 or 1234.
    """
    plain = "".join(text.split()).replace("−", "-")
    if thousands and thousands != decimal:
        groups = rf"[+-]?[1-9]\d{{0,2}}(?:{re.escape(thousands)}\d{{3}})+"
        if re.fullmatch(rf"{groups}(?:{re.escape(decimal or '.')}\d*)?", plain, re.ASCII):
            plain = plain.replace(thousands, "")
    if decimal:
        plain = plain.replace(decimal, ".")
    elif plain.count(",") == 1 and not re.fullmatch(r"[+-]?[1-9]\d{0,2}(,\d{3})+", plain):
        plain = plain.replace(",", ".")
    number = r"[+-]?(\d{1,400}(\.\d{0,400})?|\.\d{1,400})(e[+-]?\d{1,5})?"
    if not re.fullmatch(number, plain, re.ASCII | re.IGNORECASE) or not isfinite(float(plain)):
        return None
    return plain.removeprefix("+")


# Files of separated values

_Line = Mapping[str, str]
"""What a line says, by the part that a heading names; "" for what it does not."""


def _separated(text: str) -> Iterator[list[str]]:
    """Yield the cells of each line that holds any, separated as the first line is."""
    first = next(line for line in text.splitlines() if line.strip())
    mark = max(SEPARATORS, key="".join(first.split('"')[::2]).count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, skipinitialspace=True)
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield [cell.strip() for cell in cells]
    except csv.Error as wrong:
        raise CodebookError(
            f"Line {reader.line_num} of this codebook cannot be read as CSV: look for a quotation "
            "mark that is not closed."
        ) from wrong


def _places(header: list[str], headings: Mapping[str, tuple[str, ...]]) -> dict[str, int]:
    """Return the place of each part that a heading names."""
    keys = ["".join(filter(str.isalpha, name)).casefold() for name in header]
    known = {part: [name for name in names if name in keys] for part, names in headings.items()}
    return {part: keys.index(names[0]) for part, names in known.items() if names}


def _told(
    lines: Iterable[list[str]], parts: Mapping[str, int], headings: Iterable[str]
) -> Iterator[_Line]:
    nothing = dict.fromkeys(headings, "")
    for cells in lines:
        yield nothing | {p: cells[place] for p, place in parts.items() if place < len(cells)}


_SIMPLE = {
    "name": ("column", "name", "variable", "field"),
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
"""What each part may be called, by its letters alone."""
_USES = {
    EntryUse.NUMBER: ("number", "numeric", "integer", "float", "decimal"),
    EntryUse.SCALE: ("scale", "ordinal", "ordered", "likert"),
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
_DECIMALS = {",": ",", "comma": ",", ".": ".", "point": "."}


def _simple_csv(
    lines: Iterable[_Line], unused: list[str], form: TextFileFormat | None, *, commas: bool
) -> Codebook:
    """Read a CSV file with a line a column, and the headings that the page itself uses."""
    problems = []
    if unused:
        problems.append(f"not used: {', '.join(unused[:5])}{', …' if len(unused) > 5 else ''}")
    entries = (_simple_entry(told, problems, form) for told in lines)
    marks = _marks_of(form) if form is not None else ("", "")
    sound = _sound_entries(entries, problems, marks, commas=commas)
    return Codebook(sound, tuple(dict.fromkeys(problems)))


def _simple_entry(told: _Line, problems: list[str], form: TextFileFormat | None) -> CodebookEntry:
    name, said = label(told["name"]), told["decimal"].casefold()
    decimal = _DECIMALS.get(said, "")
    if said and not decimal:
        problems.append(f"{name}: decimal “{label(said)}” is not known")
    commas = decimal == "," or (form is not None and "," in form.decimal)
    values = split_list(told["values"], decimal_commas=commas)
    missing = split_list(told["missing"], decimal_commas=commas)
    if not decimal and form is None and re.fullmatch(r"[+−-]?\d+,\d+", told["missing"]):
        # As two codes 99,9 would let 9 and 99 count as missing, which may be measured.
        one, two = told["missing"].split(",")
        problems.append(
            f"{name}: missing {label(told['missing'])} could be {one} and {two}, or one number, "
            f"left empty: two are written {one}; {two}"
        )
        missing = ()
    ends, said = (told["low"], told["typical"], told["high"]), name_key(told["use"])
    use = next((use for use, names in _USES.items() if said in names), None)
    if said and use is None:
        problems.append(f"{name}: use “{label(told['use'])}” is not known")
    if use is None:
        use = EntryUse.NUMBER if any(ends) else EntryUse.CATEGORY if values else None
    source = None
    if said := name_key(told["source"]):
        source = next((s for s, names in _SOURCES.items() if said in names), Source.CODEBOOK)
    own = "," if decimal == "," else ""
    return CodebookEntry(
        told["name"], use, *ends, told["unit"], missing, values, source, decimal=own
    )


def split_list(text: str, *, decimal_commas: bool = False) -> tuple[str, ...]:
    """Return the parts of a list: between semicolons, else vertical bars, else commas.

    A part in quotation marks may hold such a sign itself, and a quotation mark as two. With
    ``decimal_commas`` 0,5 is one part: one comma between digits, and none without a space around.
    """
    bare = re.sub(r'(^|[;|,])\s*"(?:[^"]|"")*"\s*(?=[;|,]|$)', r"\1", text)
    mark = next((mark for mark in ";|," if mark in bare), ";")
    number = r"(?:(?<!\d,)|(?=\D))\s*[+-]?\d+,\d+\s*(?=,\D|,?$)|"
    plain = rf"({number if decimal_commas and mark == ',' else ''}[^{mark}]*)(?:[{mark}]|$)"
    part = re.compile(rf'\s*"((?:[^"]|"")*)"\s*(?:[{mark}]|$)|{plain}')
    found = [quoted.replace('""', '"') if quoted else plain for quoted, plain in part.findall(text)]
    return tuple(one.strip() for one in found if one.strip())


_REDCAP = {
    "name": ("variablefieldname", "fieldname"),
    "type": ("fieldtype",),
    "choices": (
        "choicescalculationsorsliderlabels",
        "choicesorcalculations",
        "selectchoicesorcalculations",
    ),
    "validation": ("textvalidationtypeorshowslidernumber",),
    "low": ("textvalidationmin",),
    "high": ("textvalidationmax",),
    "identifier": ("identifier",),
}
"""Headings of the file that a project page downloads, and of REDCap's interface for programs."""


def _data_dictionary(lines: Iterable[_Line], *, commas: bool) -> Codebook:
    """Read REDCap's data dictionary, a line a field."""
    problems: list[str] = []
    # Programs write NA into an empty cell.
    fields = ({p: "" if text == "NA" else text for p, text in told.items()} for told in lines)
    entries = (entry for told in fields for entry in _redcap_entries(told))
    sound = _sound_entries(entries, problems, commas=commas)
    return Codebook(sound, tuple(dict.fromkeys(problems)))


def _redcap_entries(told: _Line) -> Iterator[CodebookEntry]:
    """Yield an entry for each column that a field becomes: a checkbox one a choice, of 0 and 1.

    Choices are "code, label" between vertical bars; the table holds the codes.
    """
    name, kind, check = told["name"], told["type"].casefold(), told["validation"].casefold()
    pairs = [choice.partition(",")[::2] for choice in told["choices"].split("|")]
    choices = {code.strip(): text.strip() for code, text in pairs if code.strip()}
    number = re.fullmatch(r"(int|integer|float|number(_\d+dp)?)(_comma_decimal)?", check)
    if kind == "descriptive":
        return
    if told["identifier"].casefold() in ("y", "yes", "1") or kind in ("notes", "file", "sql"):
        yield CodebookEntry(name, EntryUse.OUT)
    elif kind == "checkbox":
        for code in choices:
            column = f"{name}___{code.casefold().replace('-', '_')}"
            yield _listed(column, EntryUse.CATEGORY, ("0", "1"))
    elif kind in ("radio", "dropdown"):
        steps = known_scale(choices.values())
        if len(choices) > 1 and {*choices.values()} <= {*steps}:
            in_order = sorted(choices, key=lambda code: steps.index(choices[code]))
            yield _listed(name, EntryUse.SCALE, tuple(in_order))
        else:
            yield _listed(name, EntryUse.CATEGORY, tuple(choices))
    elif kind in ("yesno", "truefalse"):
        yield _listed(name, EntryUse.CATEGORY, ("0", "1"))
    elif kind in ("slider", "calc") or number:
        low, high = told["low"], told["high"]
        if kind == "slider":
            low, high = low or "0", high or "100"
        source = Source.CODEBOOK if low or high else None
        decimal = "," if check.endswith("_comma_decimal") else ""
        yield CodebookEntry(name, EntryUse.NUMBER, low, high=high, source=source, decimal=decimal)
    else:
        # Dates, telephone numbers, numbers of records: nothing to add up. Plain text may be all.
        yield CodebookEntry(name, EntryUse.OUT if check else None)


def _listed(name: str, use: EntryUse, values: tuple[str, ...]) -> CodebookEntry:
    source = Source.CODEBOOK if values else None
    return CodebookEntry(name, use, values=values, source=source)


# JSON and YAML as trees of texts: numbers as they are written, and nothing is executed


def _json_tree(text: str) -> Any:
    try:
        return json.loads(text, parse_int=str, parse_float=str, parse_constant=str)
    except json.JSONDecodeError as wrong:
        raise CodebookError(
            f"This JSON file cannot be read: look at line {wrong.lineno}."
        ) from wrong
    except RecursionError as wrong:
        raise _too_deep() from wrong


def _yaml_tree(text: str) -> Any:
    """Return a YAML file's tree; every scalar as it is written, so that "no" stays a text."""
    try:
        import yaml
    except ImportError as wrong:
        raise CodebookError("Codebooks in YAML need PyYAML: save it as JSON.") from wrong
    if len(text) > LARGEST_YAML:
        raise CodebookError(
            f"This YAML file is longer than {LARGEST_YAML // 1_000_000} MB: save it as JSON."
        )
    loader, depth = getattr(yaml, "CBaseLoader", yaml.BaseLoader), 0
    try:
        # Before anything is built: the loader in C calls itself, and ends the process in deep
        # files; by aliases a short file grows without bound.
        for event in yaml.parse(text, Loader=loader):
            if getattr(event, "anchor", None) is not None:
                raise CodebookError(
                    "This YAML file has anchors or aliases (& and *): write what they stand for."
                )
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if depth > _DEEPEST:
                raise _too_deep()
        return yaml.load(text, Loader=loader)
    except yaml.YAMLError as wrong:
        mark = getattr(wrong, "problem_mark", None)
        place = f"look at line {mark.line + 1}" if mark else "save it as JSON"
        raise CodebookError(f"This YAML file cannot be read: {place}.") from wrong


def _too_deep() -> CodebookError:
    return CodebookError("This file is nested too deeply for a codebook.")


def _of_tree(tree: Any, text: str, header: Sequence[str]) -> Codebook:
    """Read a recipe of our own, or a Table Schema: of several that which fits the header."""
    if not isinstance(tree, dict) or not tree.keys() & {"fields", "resources", "schema", "format"}:
        raise CodebookError("This file has no “fields”, “resources” or “format”.")
    if str(tree.get("format")).startswith("dpca-recipe/"):
        try:
            return codebook_of_recipe(recipe_json.loads(text))
        except RecipeError as wrong:
            raise CodebookError(str(wrong)) from wrong
    resources = tree.get("resources")
    within = [tree, *(resources if isinstance(resources, list) else [])]
    found = [tree, *(one.get("schema") for one in within if isinstance(one, dict))]
    schemas = [s for s in found if isinstance(s, dict) and isinstance(s.get("fields"), list)]
    if not schemas:
        raise CodebookError(
            "This file describes no columns itself: load the file that holds the fields."
        )
    wanted = {name_key(name) for name in header}
    described = [[f for f in schema["fields"] if isinstance(f, dict)] for schema in schemas]
    fits = [len(wanted & {name_key(_word(f.get("name"))) for f in fields}) for fields in described]
    best = fits.index(max(fits))
    return _table_schema(schemas[best], described[best])


def _table_schema(schema: dict[str, Any], fields: list[dict[str, Any]]) -> Codebook:
    """Read a Table Schema, version 1 or 2. A primary key names the row, not the person."""
    problems: list[str] = []
    if len(fields) < len(schema["fields"]):
        problems.append("fields without a name, not used")
    key, common = schema.get("primaryKey", []), schema.get("missingValues", [])
    keys = {_word(name) for name in (key if isinstance(key, list) else [key])}
    entries = (_schema_entry(field, common, keys, problems) for field in fields)
    sound = _sound_entries(entries, problems, commas=None)
    return Codebook(sound, tuple(dict.fromkeys(problems)))


_NO_QUANTITIES = {"date", "datetime", "time", "yearmonth", "duration"}
_NO_QUANTITIES |= {"geopoint", "geojson", "object", "array", "list"}
_NO_TEXTS = {"email", "uri", "uuid", "binary"}


def _schema_entry(
    field: dict[str, Any], common: Any, keys: set[str], problems: list[str]
) -> CodebookEntry:
    name, kind = _word(field.get("name")), _word(field.get("type")).casefold() or "any"
    said = field.get("constraints")
    limits = said if isinstance(said, dict) else {}
    values = _words(field.get("categories")) or _words(limits.get("enum"))
    low = _word(limits.get("minimum")) or _word(limits.get("exclusiveMinimum"))
    high = _word(limits.get("maximum")) or _word(limits.get("exclusiveMaximum"))
    use = None
    if kind in _NO_QUANTITIES or (kind == "string" and _word(field.get("format")) in _NO_TEXTS):
        use = EntryUse.OUT
    elif values or kind == "boolean":
        ordered = field.get("categoriesOrdered") in (True, "true")
        use = EntryUse.SCALE if ordered and values else EntryUse.CATEGORY
        both = _words(field.get("falseValues")), _words(field.get("trueValues"))
        if not values and [len(one) for one in both] == [1, 1]:
            values = both[0] + both[1]
        if not values:
            problems.append(f"{label(name)}: how yes and no are written is not said")
    elif kind in ("number", "integer", "year") or (kind == "any" and (low or high)):
        use = EntryUse.NUMBER
    # Without limits of its own a key is a number or a name of the row: nothing to analyse.
    if name in keys and not (values or low or high):
        use = EntryUse.OUT
    typical = _word(field.get("typical"))
    if use is not EntryUse.NUMBER:
        low = typical = high = ""
    if use not in (EntryUse.CATEGORY, EntryUse.SCALE):
        values = ()
    return CodebookEntry(
        name,
        use,
        low,
        typical,
        high,
        _word(field.get("unit")) or _word(field.get("units")),
        _words(field.get("missingValues", common)),
        values,
        Source.CODEBOOK if low or high or values else None,
        decimal=_word(field.get("decimalChar")),
        thousands=_word(field.get("groupChar")),
    )


def _words(said: Any) -> tuple[str, ...]:
    """Return a list's texts, or the values of its objects."""
    found = said if isinstance(said, list) else []
    return tuple(_word(one.get("value") if isinstance(one, dict) else one) for one in found)


def _word(said: Any) -> str:
    """Return a scalar as the table would write it; "" for anything else."""
    if isinstance(said, bool):
        return str(said).lower()
    return said.strip() if isinstance(said, str) else ""


def codebook_of_recipe(recipe: Recipe) -> Codebook:
    """Return what a recipe says of its columns, with the whole recipe.

    Where its ranges come from stays what it was when it was saved.
    """
    entries = []
    for column in recipe.columns:
        if isinstance(column, Number):
            low, typical, high = map(_written, (column.low, column.typical, column.high))
            missing = tuple(_with_point(code, recipe.number_format) for code in column.missing)
            name, use = column.name, EntryUse.NUMBER
            entry = CodebookEntry(name, use, low, typical, high, column.unit, missing)
        else:
            use = EntryUse.SCALE if isinstance(column, Scale) else EntryUse.CATEGORY
            name, missing = column.name, column.missing
            entry = CodebookEntry(name, use, missing=missing, values=column.values)
        entries.append(replace(entry, source=column.source, seen=column.seen))
    return Codebook(tuple(entries), recipe=recipe)


def _with_point(code: str, form: TextFileFormat) -> str:
    """Return a code that is a number with a decimal point; any other as it is."""
    number = parsed(code, form)
    return code if number in (None, parsed(code, TextFileFormat())) else _written(number)


def _written(value: float | None) -> str:
    """Return the shortest text that gives the number back; "" for one that was not asked for."""
    return "" if value is None or isnan(value) else repr(value).removesuffix(".0")
