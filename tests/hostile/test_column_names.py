"""No name of a column or unit is a formula, a command or markup in what is drawn or downloaded."""

import ast
import csv
import io
import json

import numpy as np
import pandas as pd

from dpca_core import Budget
from dpca_core.data.column_names import shown
from dpca_core.data.recipe import Number, Recipe, Unit
from dpca_core.data.recipe_json import dumps
from dpca_core.tables.prepare import prepare
from dpca_core.text.spreadsheets import FORMULA_MARKS
from tests.ui.explore.studies import measured, study_of
from ui.eigengap import figures as eigengap
from ui.eigengap.query import EigengapQuery
from ui.explore.all import all_content
from ui.explore.export import medians_page, quantiles_csv, script
from ui.explore.one import one_content

EVIL = '"""; evil() #\n evil()\r</script><!--<script>evil()</script>\u2028 evil() \\'
LINK = "<a href='http://127.0.0.1:9'>unit</a>"


def table_of(names, unit, n):
    table = pd.DataFrame(np.random.default_rng(0).normal(size=(n, len(names))), columns=names)
    numbers = tuple(Number(shown(name), -3, 3) for name in names)
    return prepare(table, Recipe(numbers, unit=Unit(unit, unit), bounds_are_public=True), unit)


def test_names_stay_texts_in_the_files_of_a_comparison():
    """In a page as well, which escapes what it is given: tests/core/figures/test_notebook.py."""
    study = measured(study_of(table_of(["a", EVIL], EVIL, 60), "laplace", k=1, trials=5))
    content = all_content(study, "", 0, 0.9)
    rows = list(csv.reader(io.StringIO(quantiles_csv(study, content))))
    assert len(rows) > 1
    assert not any(row[0].startswith(FORMULA_MARKS) for row in rows)
    assert "<script>evil" not in medians_page(study, content)
    text = script(study, content)
    nodes = [*ast.walk(ast.parse(text))]
    names = [node.id for node in nodes if isinstance(node, ast.Name)]
    assert "prepare" in names
    assert "evil" not in names
    texts = [node.value for node in nodes if isinstance(node, ast.Constant)]
    (recipe,) = (each for each in texts if isinstance(each, str) and each.startswith("{"))
    assert json.loads(recipe) == json.loads(dumps(study.dataset.recipe))
    assert all("evil" not in line for line in text.splitlines() if line.lstrip().startswith("#"))


def test_a_unit_is_text_in_a_figure():
    """Plotly draws a kind of HTML; the table below a figure is no markup."""
    data = table_of([*"abc"], LINK, 600)
    study = study_of(data, n=600.0)
    study.first_answer(0)
    gap = EigengapQuery(data, 1, 600.0, data.problem(1).gap, Budget(1.0, 1e-6))
    for content in (one_content(study, "x", 0, 0.9), eigengap.page_content(gap)):
        figures = [{**chart.figure, "table": None} for chart in content.charts]
        drawn = json.dumps(figures, default=np.ndarray.tolist)
        assert "href" in drawn
        assert "<a" not in drawn
