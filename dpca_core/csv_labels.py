"""Categories of a CSV file, read a block at a time, as they count when it is read whole."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from dpca_core.choices import Category
from dpca_core.coding import Labels, number_text
from dpca_core.separated import BLANK, DECIMAL_COMMA, THOUSANDS, TableError, label

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


class LabelReader:
    """Turns cells into categories.

    A column of numbers counts by value (01 and 1.0 are 1), a column with a text in it by what is
    written. Which of the two a column is shows at its end: where it matters and both occur, the
    file is refused.
    """

    def __init__(self, name: str, categories: Sequence[Category], separator: str) -> None:
        self._name, self._separator = name, separator
        self._columns = [(label(category.name), category.values) for category in categories]
        self._with_text: set[int] = set()
        self._rewritten: dict[int, str] = {}

    def labels(self, column: int, cells: Any) -> Labels:
        """Labels of the cells (an Arrow array of text) of a category, by its place in the recipe.

        Raises
        ------
        TableError
            For a cell that could be read in two ways.
        """
        encoded = cells.dictionary_encode()
        texts = [self._text(column, str(raw)) for raw in encoded.dictionary.to_pylist()]
        missing = np.array([text is None for text in texts], dtype=bool)
        codes = encoded.indices.to_numpy().astype(np.intp)
        if missing.any():
            codes = np.where(missing[codes], -1, codes)
        return Labels(codes, texts)

    def _text(self, column: int, raw: str) -> str | None:
        text, (name, values) = raw.strip(), self._columns[column]
        if text in BLANK:
            return None
        if text[0] == '"' and raw[0] != '"':
            raise TableError(
                f"{self._name} has a space before a quotation mark in the column {name}: "
                "write none between fields."
            )
        if "," in text and self._is_number_with_commas(text):
            raise TableError(
                f"The column {name} of {self._name} holds the number “{label(text)}” "
                "as a category: write it without a comma."
            )
        if not _NUMBER.fullmatch(text):
            self._with_text.add(column)
            return text
        number = number_text(float(text))
        if number != text and not {number, text}.isdisjoint(values):
            self._rewritten.setdefault(column, label(text))
        return number

    def _is_number_with_commas(self, text: str) -> bool:
        decimal = self._separator == ";" and re.match(DECIMAL_COMMA, text)
        return bool(decimal or re.match(THOUSANDS, text))

    def require_one_way(self) -> None:
        """Refuse a column that so far counts otherwise by value than by what is written."""
        for column in sorted(self._with_text & self._rewritten.keys()):
            raise TableError(
                f"The column {self._columns[column][0]} of {self._name} mixes texts with "
                f"numbers such as “{self._rewritten[column]}”: write its categories in one way."
            )
