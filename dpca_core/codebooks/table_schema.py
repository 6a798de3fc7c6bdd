"""Table Schema of the Data Package standard, alone, in a resource or in a package.

Versions 1 and 2: missing values and categories as texts or as objects with a value, for the whole
table or a field; a primary key as a text or a list. A primary key names the row, not the person.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from dpca_core.codebooks.codebook import (
    Codebook,
    CodebookEntry,
    CodebookError,
    EntryUse,
    Findings,
    name_key,
)
from dpca_core.codebooks.entry_checks import sound_entries
from dpca_core.data.column_names import label
from dpca_core.data.recipe import Source

_NUMBERS = ("number", "integer", "year")
_NEVER_USED = (
    "date", "datetime", "time", "yearmonth", "duration", "geopoint", "geojson", "object", "array",
    "list",
)  # fmt: skip
_FORMATS_OUT = ("email", "uri", "uuid", "binary")


def is_table_schema(tree: Any) -> bool:
    """Tell whether a tree is a schema, a resource with one, or a package of resources."""
    return isinstance(tree, dict) and any(key in tree for key in ("fields", "resources", "schema"))


def read_table_schema(tree: dict[str, Any], header: Sequence[str] = ()) -> Codebook:
    """Read a tree that ``is_table_schema`` knows.

    Parameters
    ----------
    header
        Names of the table's columns: of several schemas in a package the one that names most of
        them is read, else the first.

    Raises
    ------
    CodebookError
        Where no field is described.
    """
    schemas = [schema for schema in _schemas(tree) if isinstance(schema.get("fields"), list)]
    if not schemas:
        raise CodebookError(
            "This file describes no columns itself: load the file that holds the fields."
        )
    wanted = {name_key(name) for name in header}
    schema = max(schemas, key=lambda one: len(wanted & {name_key(n) for n in _names(one)}))
    findings = Findings()
    key = schema.get("primaryKey", [])
    keys = {name for name in (key if isinstance(key, list) else [key]) if isinstance(name, str)}
    common = schema.get("missingValues", [])
    fields = [field for field in schema["fields"] if isinstance(field, dict)]
    if len(fields) < len(schema["fields"]):
        findings.add("fields without a name, not used")
    entries = (_entry(field, common, keys, findings) for field in fields)
    return Codebook(sound_entries(entries, findings, by_hand=False), problems=findings.problems)


def _schemas(tree: dict[str, Any]) -> Iterable[dict[str, Any]]:
    """Yield the schemas that stand in a tree itself."""
    if "fields" in tree:
        yield tree
    resources = tree.get("resources")
    for resource in [tree, *(resources if isinstance(resources, list) else [])]:
        schema = resource.get("schema") if isinstance(resource, dict) else None
        if isinstance(schema, dict):
            yield schema


def _names(schema: dict[str, Any]) -> list[str]:
    return [_text(field.get("name")) for field in schema["fields"] if isinstance(field, dict)]


def _entry(field: dict[str, Any], common: Any, keys: set[str], findings: Findings) -> CodebookEntry:
    """Return what a field's descriptor says of its column."""
    name = _text(field.get("name"))
    said = field.get("constraints")
    limits = said if isinstance(said, dict) else {}
    kind = _text(field.get("type")).casefold() or "any"
    values = _values(field.get("categories")) or _values(limits.get("enum"))
    low, high = (_limit(limits, end) for end in ("minimum", "maximum"))
    use = _use(kind, _text(field.get("format")), bool(values), bool(low or high))
    if use is EntryUse.CATEGORY and kind == "boolean":
        values = values or _yes_and_no(field)
        if not values:
            findings.add(f"{label(name)}: how yes and no are written is not said")
    # Without limits of its own a key is a number or a name of the row: nothing to analyse.
    if name in keys and not (values or low or high):
        use = EntryUse.OUT
    if use is not EntryUse.NUMBER:
        low = high = ""
    if use is not EntryUse.CATEGORY:
        values = ()
    return CodebookEntry(
        name,
        use,
        low,
        _text(field.get("typical")) if use is EntryUse.NUMBER else "",
        high,
        _text(field.get("unit")) or _text(field.get("units")),
        _values(field.get("missingValues", common)),
        values,
        Source.CODEBOOK if low or high or values else None,
        decimal=_text(field.get("decimalChar")),
        thousands=_text(field.get("groupChar")),
    )


def _use(kind: str, form: str, has_values: bool, has_limits: bool) -> EntryUse | None:
    """Return what a field of a type is for; None where its type leaves that open."""
    if kind in _NEVER_USED or (kind == "string" and form in _FORMATS_OUT):
        return EntryUse.OUT
    if has_values or kind == "boolean":
        return EntryUse.CATEGORY
    if kind in _NUMBERS or (kind == "any" and has_limits):
        return EntryUse.NUMBER
    return None


def _limit(limits: dict[str, Any], end: str) -> str:
    """Return a limit that belongs to the range, or else one that does not."""
    return _text(limits.get(end)) or _text(limits.get(f"exclusive{end.capitalize()}"))


def _yes_and_no(field: dict[str, Any]) -> tuple[str, ...]:
    """Return how a field writes yes and no, where it names one way; the standard allows four."""
    said = _values(field.get("falseValues")), _values(field.get("trueValues"))
    return said[0] + said[1] if [len(one) for one in said] == [1, 1] else ()


def _values(said: Any) -> tuple[str, ...]:
    """Return a list's texts, or the values of its objects."""
    if not isinstance(said, list):
        return ()
    return tuple(_text(one.get("value") if isinstance(one, dict) else one) for one in said)


def _text(said: Any) -> str:
    """Return a scalar as the table would write it; "" for anything else."""
    if isinstance(said, bool):
        return str(said).lower()
    return said.strip() if isinstance(said, str) else ""
