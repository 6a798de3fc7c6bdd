"""No name of a column or unit is a formula, a command or markup in what is drawn or downloaded."""

import ast
import csv
import io
import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dpca_core.data.column_names import shown
from dpca_core.data.dataset import Dataset
from dpca_core.data.provenance import Unit
from dpca_core.data.recipe import Number, Recipe
from dpca_core.tables.prepare import prepare
from dpca_core.text.spreadsheets import FORMULA_MARKS
from tests.ui.explore.studies import ADDED, measured, study_of
from ui.explore.all import all_content
from ui.explore.all_files import medians_page, quantiles_csv, script
from ui.explore.one import one_content
from ui.sample_size import figures as sample_size
from ui.sample_size.measurements import SampleSizeMeasurements
from ui.sample_size.query import SampleSizeQuery, SampleSizeSettings


def table_of(file: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO("".join(re.findall(r"^(?!#).*\n", file, re.MULTILINE)))))


EVIL = '"""; evil() #\n evil()\r</script><!--<script>evil()</script>\u2028 evil() \\'


@pytest.fixture(scope="module")
def compared():
    table = pd.DataFrame(np.random.default_rng(0).normal(size=(60, 2)), columns=["a", EVIL])
    numbers = (Number("a", -3, 3), Number(shown(EVIL), -3, 3))
    recipe = Recipe(numbers, unit=Unit(EVIL, EVIL), bounds_are_public=True)
    return measured(study_of(prepare(table, recipe, EVIL), "laplace", k=1, trials=5))


def test_names_stay_texts_in_the_table_and_the_script_of_a_comparison(compared):
    rows = list(csv.reader(io.StringIO(quantiles_csv(compared, all_content(compared, "", 0, 0.9)))))
    assert len(rows) > 1
    assert not any(row[0].startswith(FORMULA_MARKS) for row in rows)
    text = script(compared, all_content(compared, "", 0, 0.9))
    tree = ast.parse(text)
    called = {
        n.func.id for n in ast.walk(tree) if isinstance(n, ast.Call) and hasattr(n.func, "id")
    }
    assert "prepare" in called
    assert "evil" not in called
    texts = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant)]
    assert (texts.count(EVIL), texts.count(shown(EVIL))) == (2, 1)
    assert all("evil" not in line for line in text.splitlines() if line.lstrip().startswith("#"))


def test_names_stay_texts_in_the_page_of_a_comparison(compared):
    text = medians_page(compared, all_content(compared, "", 0, 0.9))
    assert "evil()" in text
    assert "<script>evil" not in text
    mark, _, rest = text.partition("\n")
    assert mark == "<!-- Not private: computed from the true data -->"
    assert "<!--" not in rest
    pieces = re.findall(r"(?s)<script\b[^>]*>(.*?)</script>", text)
    library, *drawings = pieces
    assert len(library) > 1_000_000
    assert len(drawings) == 2
    for drawing in drawings:
        assert drawing.startswith("Plotly.newPlot(")
        assert "evil" not in drawing
    assert EVIL in unescape(re.sub(r"(?s)<script\b[^>]*>.*?</script>|<[^>]*>", "", text))


# --- Plotly draws a kind of HTML: a unit of privacy is text in every figure ---

LINK = "<a href='http://127.0.0.1:9'>unit</a>"


@pytest.fixture(scope="module")
def data() -> Dataset:
    table = pd.DataFrame(np.random.default_rng(0).normal(size=(600, 3)), columns=[*"abc"])
    numbers = tuple(Number(name, -3, 3) for name in table)
    return prepare(table, Recipe(numbers, unit=Unit(LINK, LINK), bounds_are_public=True), "x")


def texts(value: Any) -> Iterator[str]:
    """All texts of a figure but those of its table, which is no markup."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from texts([each for name, each in value.items() if name != "table"])
    elif isinstance(value, list | tuple):
        for each in value:
            yield from texts(each)


def require_only_text(figure: Any) -> None:
    found = [text for text in texts(figure) if "href" in text]
    assert found
    assert not [text for text in found if "<a" in text]


def test_a_unit_is_text_in_explore(data):
    study = study_of(data, n=600.0)
    study.first_answer(0)
    charts = one_content(study, "x", 0, 0.9).charts
    require_only_text([chart.figure for chart in charts])


def test_a_unit_is_text_in_sample_size(data):
    now, neighbours = SampleSizeSettings(), ADDED
    own = (now.d, now.gap, 1, now.kind, now.level, now.share)
    query = SampleSizeQuery(data, *own, 1.0, 1e-6, neighbours, now.keys)
    drawn = sample_size.page_content(query, SampleSizeMeasurements())
    require_only_text([chart.figure for chart in drawn.charts])
