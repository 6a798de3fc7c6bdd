"""Whatever table is handed over: the sentence or the cells that it must give, and nothing else."""

import re
from dataclasses import replace

import numpy as np
import pytest

from dpca_core.data.errors import TableError
from dpca_core.data.recipe import Category, Number, Recipe, RowLength, Scaling
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.tables.files import Kind, Upload, first_bytes, kind, name_of, open_table
from dpca_core.tables.prepare import prepare
from dpca_core.tables.proposed_format import proposed_format
from dpca_core.tables.second_moment import second_moment
from tests.hostile.files import FILES
from tests.hostile.one_sentence import bounded, require_sentence

NORM = {"scaling": Scaling.NORM_ONLY, "radius": 1.0}
MEAN = {"scaling": Scaling.PRIVATE_MEAN}
PAPERS = {"scaling": Scaling.AS_IN_PAPERS, "row_length": RowLength.AT_MOST_R}


def form_of(upload):
    if kind(upload) is not Kind.TEXT:
        return TextFileFormat()
    return proposed_format(name_of(upload), first_bytes(upload))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_file_gives_the_sentence_or_the_cells_that_it_must(file):
    """And its first two columns rows in the ball, bounded in each of the four ways."""
    upload = Upload(file.file, file.content)
    with bounded():
        if file.says:
            with pytest.raises(TableError, match=re.escape(file.says)) as caught:
                open_table(upload, form_of(upload)).first_rows(5000)
            require_sentence(caught.value)
            return
        table = open_table(upload, form_of(upload)).first_rows(5000)
    cells = table.astype(object).where(table.notna(), None)
    assert {name: list(cells[name]) for name in table} == file.holds
    first, second, *_ = table
    values = (*table[first].dropna().astype(str).unique()[:50], "another", "and another")
    columns = (Number(second, -10, 10),), (Category(first, values),)
    recipe = Recipe(*columns, number_format=form_of(upload))
    for changes in ({}, NORM, MEAN, PAPERS):
        changed = replace(recipe, **changes)
        data = prepare(upload, changed, "t.csv")
        assert np.linalg.norm(data.rows, axis=1).max(initial=0) <= 1 + 1e-12
        assert np.isfinite(data.problem(1).spectrum).all()
        if changes is not PAPERS:
            found = second_moment(upload, changed).problem(1).moment
            np.testing.assert_allclose(found, data.moment, rtol=1e-9, atol=1e-9)
