"""No name of a column or unit is a formula, a command or markup in what is drawn or downloaded."""

import ast
import csv
import io
import json
import re
from html import unescape

import numpy as np
import pandas as pd
import pytest

from dpca_core import Budget
from dpca_core.data.column_names import shown
from dpca_core.data.provenance import Unit
from dpca_core.data.recipe import Number, Recipe
from dpca_core.data.recipe_json import dumps
from dpca_core.tables.prepare import prepare
from dpca_core.text.spreadsheets import FORMULA_MARKS
from tests.ui.explore.studies import measured, study_of
from ui.eigengap import figures as eigengap
from ui.eigengap.query import EigengapQuery
from ui.explore.all import all_content
from ui.explore.export import medians_page, quantiles_csv, script
from ui.explore.one import one_content
from ui.sample_size import figures as sample_size
from ui.sample_size.measurements import SampleSizeMeasurements
from ui.sample_size.query import SampleSizeQuery, SampleSizeSettings

EVIL = '"""; evil() #\n evil()\r</script><!--<script>evil()</script>\u2028 evil() \\'
LINK = "<a href='http://127.0.0.1:9'>unit</a>"


def table_of(names, unit, n):
    table = pd.DataFrame(np.random.default_rng(0).normal(size=(n, len(names))), columns=names)
    numbers = tuple(Number(shown(name), -3, 3) for name in names)
    return prepare(table, Recipe(numbers, unit=Unit(unit, unit), bounds_are_public=True), unit)


@pytest.fixture(scope="module")
def compared():
    study = measured(study_of(table_of(["a", EVIL], EVIL, 60), "laplace", k=1, trials=5))
    return study, all_content(study, "", 0, 0.9)


def test_names_stay_texts_in_the_table_and_the_script_of_a_comparison(compared):
    rows = list(csv.reader(io.StringIO(quantiles_csv(*compared))))
    assert len(rows) > 1
    assert not any(row[0].startswith(FORMULA_MARKS) for row in rows)
    text = script(*compared)
    nodes = [*ast.walk(ast.parse(text))]
    names = [node.id for node in nodes if isinstance(node, ast.Name)]
    assert "prepare" in names
    assert "evil" not in names
    texts = [node.value for node in nodes if isinstance(node, ast.Constant)]
    (recipe,) = (each for each in texts if isinstance(each, str) and each.startswith("{"))
    assert json.loads(recipe) == json.loads(dumps(compared[0].dataset.recipe))
    assert all("evil" not in line for line in text.splitlines() if line.lstrip().startswith("#"))


def test_names_stay_texts_in_the_page_of_a_comparison(compared):
    text = medians_page(*compared)
    assert "<script>evil" not in text
    mark, _, rest = text.partition("\n")
    assert mark == "<!-- Not private: computed from the true data -->"
    assert "<!--" not in rest
    library, *drawings = re.findall(r"(?s)<script\b[^>]*>(.*?)</script>", text)
    assert len(library) > 1_000_000
    assert len(drawings) == 2
    for drawing in drawings:
        assert drawing.startswith("Plotly.newPlot(")
        assert "evil" not in drawing
    assert EVIL in unescape(re.sub(r"(?s)<script\b[^>]*>.*?</script>|<[^>]*>", "", text))


def test_a_unit_is_text_in_every_figure():
    """Plotly draws a kind of HTML; the table below a figure is no markup."""
    data, now = table_of([*"abc"], LINK, 600), SampleSizeSettings()
    study = study_of(data, n=600.0)
    study.first_answer(0)
    own = (now.d, now.gap, 1, now.kind, now.level, now.share)
    query = SampleSizeQuery(data, *own, Budget(1.0, 1e-6), now.keys)
    gap = EigengapQuery(data, 1, 600.0, data.problem(1).gap, Budget(1.0, 1e-6))
    for content in (
        one_content(study, "x", 0, 0.9),
        eigengap.page_content(gap),
        sample_size.page_content(query, SampleSizeMeasurements()),
    ):
        figures = [{**chart.figure, "table": None} for chart in content.charts]
        drawn = json.dumps(figures, default=np.ndarray.tolist)
        assert "href" in drawn
        assert "<a" not in drawn
