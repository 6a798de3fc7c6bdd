"""A draft as JSON, and back: everything as typed; what is unknown is refused by name."""

import json

from dpca_core.data import strict_json
from dpca_core.data.errors import RecipeError
from ui.owner.draft import Draft

FORMAT = "dpca-draft/2"
LARGEST = 2**24
"""Bytes of a draft."""


def to_json(draft: Draft) -> str:
    """Write a draft: ``of_json(to_json(draft)) == draft``."""
    content = {"format": FORMAT, **strict_json.tree_of(draft)}
    return json.dumps(content, ensure_ascii=False, indent=1)


def of_json(text: str | bytes) -> Draft:
    """Read a draft.

    Raises
    ------
    RecipeError
        Where it is none: a key that is missing or unknown, or a value of another type.
    """
    content = strict_json.parsed(text, "draft", LARGEST)
    if not isinstance(content, dict) or content.pop("format", None) != FORMAT:
        raise RecipeError(f"This file is not a draft: its “format” must be “{FORMAT}”.")
    return strict_json.read(Draft, content, "draft")
