"""What the browser saves by itself: marked as not private, and nothing that a spreadsheet runs."""

import csv
import io
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dpca_core.example_release.csv_file import NOT_PRIVATE
from tests.frontend.conftest import Call

ODD = ["=1+1", "a;=cmd|' /C calc'!A0", "a,=1", "x #1", 'say "no"', "@b", "plain", "two\nlines"]
FILE = {"name": "n", "text": "t", "type": "text/csv", "number": 1}
SAVED = """
    const saved = [], blobs = [];
    const { createObjectURL } = URL, { click } = HTMLAnchorElement.prototype;
    URL.createObjectURL = (blob) => `#${blobs.push(blob) - 1}`;
    HTMLAnchorElement.prototype.click = function keep() {
      saved.push([this.download, blobs[Number(this.hash.slice(1))]]);
    };
    try { %s } finally {
      URL.createObjectURL = createObjectURL;
      HTMLAnchorElement.prototype.click = click;
    }
    return Promise.all(saved.map(async ([name, blob]) => [name, await blob.text(), blob.type]));
"""

Saved = Callable[..., list[list[str]]]


@pytest.fixture
def saved(in_module: Call) -> Saved:
    """Run code beside downloads.js; return what it saves: [name, text, type]."""

    def run(code: str, argument: Any = None) -> list[list[str]]:
        found: list[list[str]] = in_module("charts/downloads.js", SAVED % code, argument)
        return found

    return run


def test_a_table_is_marked_and_holds_no_formula(saved: Saved) -> None:
    rows = [ODD, [1, 0.123456789, None, -3, 1e-9, "-2", "b", "c"]]
    ((name, text, kind),) = saved('m.saveTable("x", x);', rows)
    assert (name, kind) == ("dpca-x.csv", "text/csv")
    assert text.startswith(f"# {NOT_PRIVATE}\n")
    for splits in ",;\t|":
        for row in csv.reader(io.StringIO(text), delimiter=splits):
            for cell in row:
                bare = cell.strip().lstrip("\"' ")
                formula = bare.startswith(("=", "+", "-", "@")) and "'" not in cell
                assert not formula or re.match(r"-?[\d.e-]+(,|$)", bare), (splits, cell)
    table = pd.read_csv(io.StringIO(text), comment="#")
    assert len(table) == 1
    assert table.iloc[0, 1] == pytest.approx(0.1234568)
    assert np.isnan(table.iloc[0, 2])
    assert "x #1" in table.columns


def test_no_file_is_saved_that_is_neither_released_nor_marked(saved: Saved) -> None:
    ((name, text, _),) = saved("m.saveFile(x);", FILE | {"guaranteed": True})
    assert (name, text) == ("n", "t")
    marked = FILE | {"guaranteed": False, "text": f"# {NOT_PRIVATE}"}
    assert len(saved("m.saveFile(x);", marked)) == 1
    code = "try { m.saveFile(x); } catch (error) { saved.push([error.message, new Blob()]); }"
    ((message, _, _),) = saved(code, FILE | {"guaranteed": False})
    assert message == "n carries neither a guarantee nor the mark."
