"""Text tables in memory, and what a recipe makes of them."""

import csv
import io

import numpy as np

from dpca_core.tables.rows import unit_rows
from dpca_core.tables.text_table import TextTable


def text_table(content, recipe):
    return TextTable("t.csv", lambda: io.BytesIO(content), recipe.number_format)


def rows_of(content, recipe):
    """The rows in the unit ball, those of all batches together."""
    return np.vstack([np.empty((0, recipe.width)), *unit_rows(text_table(content, recipe), recipe)])


def written(records, **more):
    """A text file as Python's csv writes it."""
    out = io.StringIO()
    csv.writer(out, **more).writerows(records)
    return out.getvalue().encode("utf-8", "surrogateescape")


def assert_same(found, expected, recipe, atol=1e-9):
    """The same rows; the reference has a person's rows together, where several are kept."""
    if recipe.rows_per_person > 1 and found.shape == expected.shape:
        found, expected = (part[np.lexsort(part.round(7).T)] for part in (found, expected))
    np.testing.assert_allclose(found, expected, atol=atol)
