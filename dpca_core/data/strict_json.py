"""Frozen dataclasses as JSON, and JSON as exactly these dataclasses.

An unknown key could be another version's choice, and a missing one would have to be guessed: either
is refused, in one sentence. Tuples stand as lists, fractions as texts, NaN as null.
"""

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import StrEnum
from fractions import Fraction
from math import isfinite, isnan, nan
from types import MappingProxyType, NoneType, UnionType
from typing import Any, TypeVar, cast, get_args, get_origin, get_type_hints

from dpca_core.data.column_names import label
from dpca_core.data.errors import RecipeError, refused

T = TypeVar("T")


def tree_of(value: Any) -> Any:
    """Return a dataclass, or a part of one, as objects, lists, texts and finite numbers."""
    if isinstance(value, str):
        return value.value if isinstance(value, StrEnum) else value
    if is_dataclass(value):
        return {field.name: tree_of(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple):
        return [tree_of(part) for part in value]
    if isinstance(value, Mapping):
        return {key: tree_of(part) for key, part in value.items()}
    if isinstance(value, float) and not isfinite(value):
        if isnan(value):
            return None
        raise refused("infinite")
    return value


def parsed(content: str | bytes, what: str, largest: int) -> Any:
    """Read the JSON of a file of at most so many bytes, without a key twice; ``what`` it is."""
    raw = content.encode(errors="replace") if isinstance(content, str) else content
    if len(raw) > largest:
        raise refused("too_large", most=largest // 2**20, what=what)
    try:
        return json.loads(raw.decode("utf-8-sig"), object_pairs_hook=_without_repeats)
    except RecipeError:
        raise
    except (ValueError, RecursionError):
        raise refused("no_json", what=what) from None


def read(kind: type[T], tree: Any, what: str) -> T:
    """Return a dataclass of a tree that has exactly its keys, with values of their types.

    A field with ``metadata={"added": True}`` came later and may be missing; ``what`` names the
    whole.
    """
    return cast(T, _read(kind, what, tree, what))


def _read(kind: Any, name: str, value: Any, what: str) -> Any:
    if isinstance(kind, UnionType):
        (kind,) = (one for one in get_args(kind) if one is not NoneType)
        return None if value is None else _read(kind, name, value, what)
    if get_origin(kind) is tuple and isinstance(value, list):
        return tuple(_read(get_args(kind)[0], name, part, what) for part in value)
    if get_origin(kind) is Mapping and isinstance(value, dict):
        part = get_args(kind)[1]
        return MappingProxyType({key: _read(part, key, one, what) for key, one in value.items()})
    if is_dataclass(kind) and isinstance(value, Mapping):
        return _made(kind, name, value, what)
    if kind is float and value is None:
        return nan
    if isinstance(kind, type) and _is_a(kind, value):
        return kind(value)
    raise refused("wrong_value", what=what, name=name, value=label(value))


def _made(kind: Any, name: str, value: Mapping[str, Any], what: str) -> Any:
    hints, known = get_type_hints(kind), {field.name: field for field in fields(kind)}
    for key in value:
        if key not in known:
            raise refused("unknown_key", what=what, key=label(key), name=name)
    for key, field in known.items():
        if key not in value and not field.metadata.get("added"):
            raise refused("no_key", what=what, key=key, name=name)
    return kind(**{key: _read(hints[key], key, part, what) for key, part in value.items()})


def _is_a(kind: Any, value: Any) -> bool:
    """Tell whether a value of JSON is one of a type, and can be written again."""
    if issubclass(kind, StrEnum):
        return value in [*kind]
    if kind is float:
        return type(value) in (int, float) and abs(value) < 1e308
    if kind is int:
        return type(value) is int and value.bit_length() < 64
    if kind is str:
        return type(value) is str and not any("\ud800" <= letter <= "\udfff" for letter in value)
    return type(value) is {Fraction: str, bool: bool}.get(kind)


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise refused("key_twice", key=label(key))
        found[key] = value
    return found
