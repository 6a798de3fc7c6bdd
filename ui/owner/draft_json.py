"""A draft as JSON, and back: everything as typed; what is unknown is refused by name."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from enum import StrEnum
from functools import partial
from types import MappingProxyType
from typing import Any

from dpca_core.data import strict_json
from dpca_core.data.errors import RecipeError
from dpca_core.data.recipe import Combine, MissingPerson, Source
from dpca_core.data.text_file_format import TextFileFormat
from ui.owner.column import TYPED, Cell, Column, Use
from ui.owner.draft import Draft, Who

FORMAT = "dpca-draft/1"
_SOURCES = ("use_origin", "missing_origin", "unit_origin", "source")


class DraftJsonError(ValueError):
    """A text that is no draft, in one sentence."""


def to_json(draft: Draft) -> str:
    """Write a draft: ``of_json(to_json(draft)) == draft``."""
    content = {f.name: getattr(draft, f.name) for f in fields(draft)}
    content["columns"] = [_column_content(column) for column in draft.columns.values()]
    content["who"] = asdict(draft.who)
    content["reading"] = asdict(draft.reading)
    content["asked"] = dict(draft.asked)
    return json.dumps({"format": FORMAT, **content}, ensure_ascii=False, indent=1)


def of_json(text: str) -> Draft:
    """Read a draft.

    Raises
    ------
    DraftJsonError
        Where it is none: a key that is missing or unknown, or a value of another type.
    """
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DraftJsonError("This is not JSON.") from error
    found = _object(content, "the draft", {"format", *(f.name for f in fields(Draft))})
    if found.pop("format") != FORMAT:
        raise DraftJsonError(f"The key “format” must be “{FORMAT}”.")
    columns = map(_column, _list(found.pop("columns"), "columns"))
    return Draft(
        header=_texts(found.pop("header"), "header"),
        columns=MappingProxyType({column.name: column for column in columns}),
        who=_who(found.pop("who")),
        reading=_reading(found.pop("reading")),
        looked=_truth(found.pop("looked"), "looked"),
        asked=_answers(found.pop("asked"), "asked"),
        **{name: _text(value, name) for name, value in found.items()},
    )


def _column_content(column: Column) -> dict[str, Any]:
    """Return a column as JSON holds it; a cell is its text and its source."""
    content = {f.name: getattr(column, f.name) for f in fields(column)}
    cells = {name: [content[name].text, content[name].origin] for name in TYPED}
    return {**content, **cells, "asked": dict(column.asked)}


def _column(content: Any) -> Column:
    found = _object(content, "a column", {f.name for f in fields(Column)})
    read: dict[str, Callable[[Any, str], Any]] = {
        "use": partial(_one_of, Use),
        "seen": _truth,
        "asked": _answers,
        **dict.fromkeys(TYPED, _cell),
        **dict.fromkeys(_SOURCES, partial(_one_of, Source)),
    }
    return Column(**{name: read.get(name, _text)(value, name) for name, value in found.items()})


def _cell(content: Any, name: str) -> Cell:
    pair = _list(content, name)
    if len(pair) != 2:
        raise DraftJsonError(f"The key “{name}” must hold a text and a source.")
    return Cell(_text(pair[0], name), _one_of(Source, pair[1], name))


def _who(content: Any) -> Who:
    found = _object(content, "who", {f.name for f in fields(Who)})
    return Who(
        columns=_texts(found.pop("columns"), "columns"),
        combine=_one_of(Combine, found.pop("combine"), "combine") or Combine.AVERAGE,
        missing_person=_one_of(MissingPerson, found.pop("missing_person"), "missing_person")
        or MissingPerson.LEAVE_OUT,
        ids_ignore_case=_truth(found.pop("ids_ignore_case"), "ids_ignore_case"),
        noticed=_truth(found.pop("noticed"), "noticed"),
        **{name: _text(value, name) for name, value in found.items()},
    )


def _reading(content: Any) -> TextFileFormat:
    try:
        return strict_json.read(TextFileFormat, content, "draft")
    except RecipeError as error:
        raise DraftJsonError(str(error)) from error


def _object(content: Any, what: str, keys: set[str]) -> dict[str, Any]:
    """Return an object with just these keys."""
    if not isinstance(content, dict):
        raise DraftJsonError(f"JSON of {what} must be an object.")
    for word, names in (("unknown", content.keys() - keys), ("missing", keys - content.keys())):
        if names:
            raise DraftJsonError(f"The key “{min(names)}” of {what} is {word}.")
    return dict(content)


def _checked(kind: type, word: str) -> Callable[[Any, str], Any]:
    """Return what takes values of a type only."""

    def check(value: Any, name: str) -> Any:
        if type(value) is not kind:
            raise DraftJsonError(f"The key “{name}” must hold {word}.")
        return value

    return check


_text = _checked(str, "a text")
_truth = _checked(bool, "true or false")
_list = _checked(list, "a list")


def _texts(value: Any, name: str) -> tuple[str, ...]:
    return tuple(_text(text, name) for text in _list(value, name))


def _answers(value: Any, name: str) -> Mapping[str, str]:
    if not isinstance(value, dict):
        raise DraftJsonError(f"The key “{name}” must hold an object.")
    return MappingProxyType({key: _text(answer, name) for key, answer in value.items()})


def _one_of(kind: type[StrEnum], value: Any, name: str) -> Any:
    """Return a member by its value, or None for null."""
    if value is None:
        return None
    try:
        return kind(_text(value, name))
    except ValueError as error:
        raise DraftJsonError(f"The key “{name}” does not know “{value}”.") from error
