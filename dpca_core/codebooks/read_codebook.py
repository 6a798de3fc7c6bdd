"""A codebook in any of the formats people have, told apart by what is in the file."""

import re
from collections.abc import Sequence
from typing import Any

from dpca_core.codebooks.codebook import Codebook, CodebookError
from dpca_core.codebooks.own_recipe import is_recipe, read_recipe
from dpca_core.codebooks.redcap import is_data_dictionary, read_data_dictionary
from dpca_core.codebooks.simple_csv import is_simple_csv, read_simple_csv
from dpca_core.codebooks.table_schema import is_table_schema, read_table_schema
from dpca_core.codebooks.text_of_file import separated_lines, text_of_codebook
from dpca_core.codebooks.tree import json_tree, yaml_tree
from dpca_core.data.column_names import label
from dpca_core.data.text_file_format import TextFileFormat

_YAML = re.compile(r"^[\"']?(fields|resources|schema|format)[\"']?\s*:", re.MULTILINE)
ACCEPTED = (
    "a Table Schema or data package (JSON, YAML), a REDCap data dictionary, a CSV file with the "
    "headings column, use, low, typical, high, unit, missing, values, source, decimal, or a recipe "
    "saved here"
)


def read_codebook(
    name: str,
    content: bytes,
    header: Sequence[str] = (),
    form: TextFileFormat | None = None,
) -> Codebook:
    """Read a codebook; a pasted block is one as well.

    Parameters
    ----------
    name
        What the file is called in an error; it decides nothing.
    content
        The file's bytes.
    header
        Names of the table's columns: of several schemas in one package that which fits is read.
    form
        How numbers are written in a CSV file whose lines do not say it; None for decimal points,
        and decimal commas where they cannot stand between thousands.

    Raises
    ------
    CodebookError
        Where the file is none of the formats that are known, or broken.
    """
    text = text_of_codebook(content)
    begin = text.lstrip()[:1]
    if begin and begin in "{[":
        return _of_tree(json_tree(text), text, header)
    lines = separated_lines(text)
    first = next(lines)
    if is_data_dictionary(first):
        return read_data_dictionary(first, lines)
    if is_simple_csv(first):
        return read_simple_csv(first, lines, form)
    if _YAML.search(text):
        return _of_tree(yaml_tree(text), text, header)
    raise CodebookError(f"{label(name)} is not a codebook that can be read: it must be {ACCEPTED}.")


def _of_tree(tree: Any, text: str, header: Sequence[str]) -> Codebook:
    if is_recipe(tree):
        return read_recipe(text)
    if is_table_schema(tree):
        return read_table_schema(tree, header)
    raise CodebookError(
        "This file has no “fields”, “resources” or “format”: a codebook in JSON or YAML is a Table "
        "Schema, a data package or a recipe saved here."
    )
