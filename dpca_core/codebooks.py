"""Codebooks: a Table Schema, REDCap's dictionary, a CSV file with a line a column, our recipes.

Which one a file is follows from what is in it. What cannot be used is left empty, and said.
"""

import codecs
import csv
import io
import json
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from math import isnan
from pathlib import Path
from typing import Any

from dpca_core.data import recipe_json
from dpca_core.data.column_names import label
from dpca_core.data.errors import RecipeError
from dpca_core.data.known_scales import known_scale
from dpca_core.data.recipe import Number, Recipe, Scale, Source, Use
from dpca_core.data.recipe_checks import MOST_STEPS
from dpca_core.data.text_file_format import EITHER, SEPARATORS, THOUSANDS, TextFileFormat, parsed

LARGEST, _MOST_ENTRIES = 5_000_000, 10_000
"""Bytes of a codebook, columns it describes."""
_LONGEST_CELL = 100_000
"""Characters of a cell: a longer one is what follows a quotation mark that is not closed."""
_WORDS = tomllib.loads(Path(__file__).with_name("codebook_words.toml").read_text("utf-8"))
_POINT = TextFileFormat()
_GROUPED = TextFileFormat(decimal=",", thousands="."), TextFileFormat(decimal=".", thousands=",")
"""How numbers are written: with a decimal point; in groups, by either mark."""


class CodebookError(ValueError):
    """A file cannot be read as a codebook; the message is one sentence that names the remedy."""


@dataclass(frozen=True)
class CodebookEntry:
    """What a codebook says of one column; empty what it does not say. Numbers have a decimal point.

    ``decimal`` and ``thousands`` are marks in the column's cells; ``seen``, that the file's values
    were shown before, is known of our own recipes only.
    """

    name: str
    use: Use | None = None
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
    labels: tuple[tuple[str, str], ...] = ()
    title: str = ""


@dataclass(frozen=True)
class Codebook:
    """At most one entry a name, parts of a sentence on what was left out, and our own recipe."""

    entries: tuple[CodebookEntry, ...]
    problems: tuple[str, ...] = ()
    recipe: Recipe | None = None


def _wrong(sentence: str, **facts: object) -> CodebookError:
    return CodebookError(_WORDS["errors"][sentence].format(**facts))


def name_key(name: str) -> str:
    """Return a name without case and spaces."""
    return "".join(name.split()).casefold()


def matching(entries: Iterable[CodebookEntry], header: Iterable[str]) -> dict[str, CodebookEntry]:
    """Return each column's entry by its exact name, else without case and spaces, never of two."""
    exact, names = {entry.name: entry for entry in entries}, list(header)
    found = {name: exact[name] for name in names if name in exact}
    columns, others = ([one for one in among if one not in found] for among in (names, exact))
    times = Counter(map(name_key, columns)), Counter(map(name_key, others))
    by_key = {name_key(other): exact[other] for other in others}
    for name in columns:
        if all(counts[name_key(name)] == 1 for counts in times):
            found[name] = by_key[name_key(name)]
    return found


def read_codebook(
    name: str, content: bytes, header: Sequence[str] = (), form: TextFileFormat = _POINT
) -> Codebook:
    """Read a codebook, called by a name in errors; CodebookError for what is none, or broken.

    Of several schemas that is read which fits the table's header; ``form`` is how the table is
    written.
    """
    text = _text_of(content)
    if text.lstrip()[0] in "{[":
        return _of_tree(_json_tree(text), text, header)
    try:
        if found := _of_lines(text, form):
            return found
    except csv.Error as wrong:
        raise _wrong("quotation") from wrong
    if re.search(r"^[\"']?(fields|resources|schema|format)[\"']?\s*:", text, re.MULTILINE):
        raise _wrong("yaml")
    raise _wrong("none", name=label(name))


def _text_of(content: bytes) -> str:
    """Return the text of a file: UTF-8, UTF-16 where it begins so, else Windows-1252."""
    if len(content) > LARGEST:
        raise _wrong("too_long")
    utf_16 = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = content.decode("utf-16" if utf_16 else "utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("cp1252", "replace")
    if re.search(r"[\0-\x08\x0e-\x19]", text):
        raise _wrong("no_text")
    if not text.strip():
        raise _wrong("empty")
    return text


def _book(
    entries: Iterable[CodebookEntry], problems: list[str], form: TextFileFormat = _POINT
) -> Codebook:
    """Return the entries, one a name, with what is wrong in them left empty.

    Limits without marks of their own have points where neither the table nor any of them has
    decimal commas: who writes 36,8 may write 12.500 for twelve thousand.
    """
    told = [*islice(entries, _MOST_ENTRIES + 1)]
    if len(told) > _MOST_ENTRIES:
        raise _wrong("too_many", most=_MOST_ENTRIES)
    commas = any("," in entry.low + entry.typical + entry.high for entry in told)
    marks = None if form.decimal == "," or commas else _POINT
    first: dict[str, CodebookEntry] = {}
    for entry in told:
        if not entry.name:
            problems.append("a line without a column’s name, not used")
        elif entry != first.setdefault(entry.name, entry):
            problems.append(f"{label(entry.name)}: described twice, the first is used")
    found = tuple(_sound(entry, problems, marks) for entry in first.values())
    return Codebook(found, tuple(dict.fromkeys(problems)))


def _sound(
    entry: CodebookEntry, problems: list[str], marks: TextFileFormat | None
) -> CodebookEntry:
    """Return an entry without what cannot be; no ``marks`` where they are not known."""
    name, use, ends, wrong = label(entry.name), entry.use, list[str](), list[str]()
    if entry.decimal or entry.thousands:
        marks = TextFileFormat("", entry.decimal, entry.thousands) if entry.decimal else None
    for text in map(str.strip, (entry.low, entry.typical, entry.high)):
        ends.append(_number(text, marks))
        if text and not ends[-1]:
            wrong.append(f"{label(text)} is no clear number, left empty")
    low, typical, high = ends
    if low and high and float(low) >= float(high):
        how = "equals" if float(low) == float(high) else "above"
        wrong.append(f"minimum {how} maximum, left empty")
        low = typical = high = ""
    if typical and not float(low or typical) <= float(typical) <= float(high or typical):
        wrong.append("typical value outside the range, left empty")
        typical = ""
    codes = [code.strip() for code in entry.missing]
    if use is Use.NUMBER:
        codes = [_number(code, marks) or code for code in codes]
    missing = tuple(dict.fromkeys(filter(None, codes)))
    values = tuple(dict.fromkeys(value.strip() for value in entry.values))
    if len(values) < len(entry.values):
        wrong.append("a value is listed twice, once is used")
    if use is Use.SCALE:
        values = tuple(value for value in values if value and value not in missing)
        if not 2 <= len(values) <= MOST_STEPS:
            wrong.append(f"a scale has 2 to {MOST_STEPS} values, used as a category")
            use = Use.CATEGORY
    problems += [f"{name}: {what}" for what in wrong]
    entry = replace(entry, use=use, low=low, typical=typical, high=high)
    return replace(entry, values=values, missing=missing, unit=" ".join(entry.unit.split()))


def _number(text: str, marks: TextFileFormat | None) -> str:
    """Return a number as a draft writes it, "12.5"; "" for what is none, or could be two: 1,234."""
    sure = parsed(text, marks) if marks else None
    found = {parsed(text, form) for form in _GROUPED} - {None} if sure is None else {sure}
    return _written(found.pop() if len(found) == 1 else None)


def _written(value: float | None) -> str:
    """Return the shortest text that gives the number back; "" for one that was not asked for."""
    return "" if value is None or isnan(value) else repr(value).removesuffix(".0")


def _of_lines(text: str, form: TextFileFormat) -> Codebook | None:
    """Read a dictionary of REDCap or a CSV file, separated as its first line; None for neither."""
    first = next(line for line in text.splitlines() if line.strip())
    mark = max(SEPARATORS, key="".join(first.split('"')[::2]).count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, skipinitialspace=True)
    lines = ([*map(str.strip, cells)] for cells in reader if any(map(str.strip, cells)))
    header = next(lines, [])
    keys = ["".join(filter(str.isalpha, name)).casefold() for name in header]
    for kind, needed in (("redcap", {"name", "type"}), ("simple", {"name"})):
        headings = [(part, n) for part, names in _WORDS[kind].items() for n in reversed(names)]
        places = {part: keys.index(name) for part, name in headings if name in keys}
        if not needed <= places.keys() or len(places) < 2:
            continue
        told = (
            dict.fromkeys(_WORDS[kind], "")
            | {part: cells[at] for part, at in places.items() if at < len(cells)}
            for cells in map(_closed, lines)
        )
        if kind == "redcap":
            return _book((entry for said in told for entry in _redcap_entries(said)), [], form)
        unused = [label(h) for i, h in enumerate(header) if h and i not in places.values()]
        problems = [f"not used: {', '.join(unused[:5])}{', …' * (len(unused) > 5)}"] * bool(unused)
        return _book((_simple_entry(said, problems) for said in told), problems, form)
    return None


def _closed(cells: list[str]) -> list[str]:
    if max(map(len, cells)) > _LONGEST_CELL:
        raise _wrong("quotation")
    return cells


def _word_for(said: str, kind: str) -> str:
    return next((word for word, names in _WORDS[kind].items() if said in names), "")


def _simple_entry(told: Mapping[str, str], problems: list[str]) -> CodebookEntry:
    name, ends = label(told["name"]), (told["low"], told["typical"], told["high"])
    own = _word_for(told["decimal"].casefold(), "decimals")
    use = _word_for(name_key(told["use"]), "uses")
    for part, known in (("decimal", own), ("use", use)):
        if told[part] and not known:
            problems.append(f"{name}: {part} “{label(told[part])}” is not known")
    values, missing = (
        split_list(told[part], decimal_commas=own == ",") for part in ("values", "missing")
    )
    if not own and re.fullmatch(r"[+−-]?\d+,\d+", told["missing"]):
        # As two codes 99,9 would let 9 and 99 count as missing, which may be measured.
        problems.append(
            f"{name}: missing {told['missing']} could be {' and '.join(missing)}, or one number, "
            f"left empty: two are written {'; '.join(missing)}"
        )
        missing = ()
    use = use or ("number" if any(ends) else "category" if values else "")
    source = _word_for(name_key(told["source"]), "sources") or Source.CODEBOOK
    known_source = Source(source) if told["source"] else None
    said = *ends, told["unit"], missing, values, known_source
    return CodebookEntry(told["name"], Use(use) if use else None, *said, decimal=own)


def split_list(text: str, *, decimal_commas: bool = False) -> tuple[str, ...]:
    """Return the parts of a list: between semicolons, else vertical bars, else commas.

    A part in quotation marks may hold these. With ``decimal_commas`` 0,5 is one number.
    """
    bare = re.sub(r'(^|[;|,])\s*"(?:[^"]|"")*"\s*(?=[;|,]|$)', r"\1", text)
    mark = next((mark for mark in ";|," if mark in bare), ";")
    if decimal_commas and mark == ",":
        text = re.sub(r"(?<![^,\s])(?<!\d,)([+-]?\d+),(\d+)(?=\s*(?:,\D|,?$))", "\\1\0\\2", text)
    part = re.compile(rf'\s*"((?:[^"]|"")*)"\s*(?:[{mark}]|$)|([^{mark}]*)(?:[{mark}]|$)')
    found = [quoted.replace('""', '"') if quoted else plain for quoted, plain in part.findall(text)]
    return tuple(one.strip().replace("\0", ",") for one in found if one.strip())


def _redcap_entries(told: Mapping[str, str]) -> Iterator[CodebookEntry]:
    """Yield an entry for each column that a field becomes: a checkbox one a choice, of 0 and 1.

    The table holds the codes of choices. Programs write NA into an empty cell.
    """
    told = {part: "" if text == "NA" else text for part, text in told.items()}
    kind, check = told["type"].casefold(), told["validation"].casefold()
    pairs = [choice.partition(",")[::2] for choice in told["choices"].split("|")]
    choices = {code.strip(): text.strip() for code, text in pairs if code.strip()}
    said: dict[str, Any] = {"title": told["label"]}
    if kind == "descriptive":
        return
    if told["identifier"].casefold() in ("y", "yes", "1") or kind in ("notes", "file", "sql"):
        said |= {"use": Use.OUT}
    elif kind in ("yesno", "truefalse", "checkbox"):
        said |= {"use": Use.CATEGORY, "values": ("0", "1")}
    elif kind in ("radio", "dropdown"):
        values, use, steps = [*choices], Use.CATEGORY, known_scale(choices.values())
        if len(choices) > 1 and {*choices.values()} <= {*steps}:
            use = Use.SCALE
            values.sort(key=lambda code: steps.index(choices[code]))
        said |= {"use": use, "values": tuple(values)}
    elif kind in ("slider", "calc") or re.fullmatch(_WORDS["redcap_number"], check):
        low, high = ("0", "100") if kind == "slider" else ("", "")
        said |= {"use": Use.NUMBER, "low": told["low"] or low, "high": told["high"] or high}
        said["decimal"] = "," * check.endswith("_comma_decimal")
    elif check:
        # Dates, telephone numbers, numbers of records: nothing to add up. Plain text may be all.
        said |= {"use": Use.OUT}
    if kind in ("radio", "dropdown"):
        said["labels"] = tuple(choices.items())
    codes = [f"___{code.casefold().replace('-', '_')}" for code in choices]
    for code in codes if kind == "checkbox" and "values" in said else [""]:
        yield _with_source(CodebookEntry(told["name"] + code, **said))


def _with_source(entry: CodebookEntry) -> CodebookEntry:
    told = entry.low or entry.high or entry.values
    return replace(entry, source=Source.CODEBOOK) if told else entry


def _json_tree(text: str) -> Any:
    """Return a JSON file's tree; its numbers are texts, as they are written."""
    try:
        return json.loads(text, parse_int=str, parse_float=str, parse_constant=str)
    except json.JSONDecodeError as wrong:
        raise _wrong("broken", line=wrong.lineno) from wrong
    except RecursionError as wrong:
        raise _wrong("too_deep") from wrong


def _of_tree(tree: Any, text: str, header: Sequence[str]) -> Codebook:
    """Read a recipe of our own, or a Table Schema: of several that which fits the header."""
    if not isinstance(tree, dict) or not tree.keys() & {"fields", "resources", "schema", "format"}:
        raise _wrong("no_keys")
    if str(tree.get("format")).startswith("dpca-recipe/"):
        try:
            return _of_recipe(recipe_json.loads(text))
        except RecipeError as wrong:
            raise CodebookError(str(wrong)) from wrong
    within = [tree, *_dicts(tree.get("resources"))]
    found = [tree, *_dicts([one.get("schema") for one in within])]
    schemas = [schema for schema in found if isinstance(schema.get("fields"), list)]
    if not schemas:
        raise _wrong("no_fields")
    wanted = {name_key(name) for name in header}
    names = [{name_key(_word(f.get("name"))) for f in _dicts(one["fields"])} for one in schemas]
    schema = schemas[max(range(len(schemas)), key=lambda place: len(wanted & names[place]))]
    fields = _dicts(schema["fields"])
    problems = ["fields without a name, not used"] * (len(fields) < len(schema["fields"]))
    key, common = schema.get("primaryKey", []), schema.get("missingValues", [])
    keys = {_word(name) for name in (key if isinstance(key, list) else [key])}
    return _book([_schema_entry(field, common, keys, problems) for field in fields], problems)


def _schema_entry(
    field: dict[str, Any], common: Any, keys: set[str], problems: list[str]
) -> CodebookEntry:
    """Return what a field says: of numbers their limits, of lists their values."""
    said = defaultdict(str, {key: _word(one) for key, one in field.items()})
    name, kind = said["name"], said["type"].casefold() or "any"
    limits = next(iter(_dicts([field.get("constraints")])), {})
    values = _words(field.get("categories")) or _words(limits.get("enum"))
    low, high = (
        _word(limits.get(f"{end}imum")) or _word(limits.get(f"exclusive{end.title()}imum"))
        for end in ("min", "max")
    )
    both = _words(field.get("falseValues")), _words(field.get("trueValues"))
    if kind == "boolean" and not values and [len(one) for one in both] == [1, 1]:
        values = both[0] + both[1]
    use, told = None, dict[str, Any]()
    shape = said["format"] if kind == "string" else ""
    # A primary key names the row, not the person.
    nothing = name in keys and not (values or low or high)
    if nothing or kind in _WORDS["schema"]["types"] or shape in _WORDS["schema"]["formats"]:
        use = Use.OUT
    elif values or kind == "boolean":
        ordered = values and said["categoriesOrdered"] == "true"
        use = Use.SCALE if ordered else Use.CATEGORY
        if not values:
            problems.append(f"{label(name)}: how yes and no are written is not said")
        told = {"values": values}
    elif kind in ("number", "integer", "year") or (kind == "any" and (low or high)):
        use, told = Use.NUMBER, {"low": low, "typical": said["typical"], "high": high}
    decimal, thousands = said["decimalChar"], said["groupChar"]
    if decimal in EITHER and thousands in THOUSANDS and thousands != decimal:
        told |= {"decimal": decimal, "thousands": thousands}
    unit, missing = said["unit"] or said["units"], _words(field.get("missingValues", common))
    return _with_source(CodebookEntry(name, use, unit=unit, missing=missing, **told))


def _dicts(said: Any) -> list[dict[str, Any]]:
    return [one for one in said if isinstance(one, dict)] if isinstance(said, list) else []


def _words(said: Any) -> tuple[str, ...]:
    """Return a list's texts, or the values of its objects."""
    found = said if isinstance(said, list) else []
    return tuple(_word(one.get("value") if isinstance(one, dict) else one) for one in found)


def _word(said: Any) -> str:
    """Return a scalar as the table would write it; "" for anything else."""
    if isinstance(said, bool):
        return str(said).lower()
    return said.strip() if isinstance(said, str) else ""


def _of_recipe(recipe: Recipe) -> Codebook:
    """Return what a recipe says: where its ranges come from stays what it was when it was saved."""
    entries, form = [], recipe.number_format
    for column in recipe.columns:
        if isinstance(column, Number):
            low, typical, high = map(_written, (column.low, column.typical, column.high))
            codes = tuple(_written(parsed(code, form)) or code for code in column.missing)
            ends = low, typical, high, column.unit
            entry = CodebookEntry(column.name, Use.NUMBER, *ends, codes)
        else:
            use = Use.SCALE if isinstance(column, Scale) else Use.CATEGORY
            labels = tuple(zip(column.values, column.labels, strict=False))
            entry = CodebookEntry(column.name, use, missing=column.missing, labels=labels)
            entry = replace(entry, values=column.values)
        entries.append(replace(entry, source=column.source, seen=column.seen, title=column.title))
    return Codebook(tuple(entries), recipe=recipe)
