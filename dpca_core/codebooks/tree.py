"""JSON and YAML as trees of texts: what a number was written as is kept, and nothing is executed.

A tree is made of dictionaries, lists, texts, booleans (JSON only) and None.
"""

import json
from typing import Any

from dpca_core.codebooks.codebook import CodebookError

LARGEST_YAML = 1_000_000
"""Characters of a YAML file."""
_DEEPEST = 40


def json_tree(text: str) -> Any:
    """Return a JSON file's tree; numbers as they are written.

    Raises
    ------
    CodebookError
        Where it is no JSON, with the line, or lies too deep.
    """
    try:
        return json.loads(text, parse_int=str, parse_float=str, parse_constant=str)
    except json.JSONDecodeError as wrong:
        raise CodebookError(
            f"This JSON file cannot be read: look at line {wrong.lineno}."
        ) from wrong
    except RecursionError as wrong:
        raise _too_deep() from wrong


def yaml_tree(text: str) -> Any:
    """Return a YAML file's tree; every scalar as it is written, so that "no" stays a text.

    Raises
    ------
    CodebookError
        Where it is no YAML, with the line; for more than ``LARGEST_YAML`` characters, anchors and
        aliases, which let a short file grow without bound, and tags, which name types to make.
    """
    try:
        import yaml
    except ImportError as wrong:
        raise CodebookError(
            "Codebooks in YAML need PyYAML ("
            "pip install '.[codebooks]' in this project’s folder): save it as JSON."
        ) from wrong
    if len(text) > LARGEST_YAML:
        raise CodebookError(
            f"This YAML file is longer than {LARGEST_YAML // 1_000_000} MB: save it as JSON."
        )
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        _refuse_unsafe(yaml.parse(text, Loader=loader))
        return yaml.load(text, Loader=loader)
    except yaml.YAMLError as wrong:
        mark = getattr(wrong, "problem_mark", None)
        place = (
            f"look at line {mark.line + 1}" if mark else "it holds a character that YAML forbids"
        )
        raise CodebookError(f"This YAML file cannot be read: {place}.") from wrong


def _refuse_unsafe(events: Any) -> None:
    """Refuse what a codebook has no need of, before anything is built."""
    depth = 0
    for event in events:
        if getattr(event, "anchor", None) is not None:
            raise CodebookError(
                "This YAML file has anchors or aliases (& and *): write what they stand for."
            )
        if getattr(event, "tag", None) is not None:
            raise CodebookError("This YAML file has tags (!): leave them out.")
        name = type(event).__name__
        depth += name.endswith("StartEvent")
        depth -= name.endswith("EndEvent")
        if depth > _DEEPEST:
            raise _too_deep()


def _too_deep() -> CodebookError:
    return CodebookError("This file is nested too deeply for a codebook.")
