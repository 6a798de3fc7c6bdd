"""Empty cells filled from the file, and only these."""

from dataclasses import replace

import pandas as pd

from dpca_core.data.recipe import Source
from ui.owner.draft import EVERY_ROW, Draft, Who
from ui.owner.fill_from_file import categories_to_fill, fill_from_file, has_empty_cells

TABLE = pd.DataFrame(
    {
        "age": [20, 35, 999, 50],
        "ldl": ["3.1 mmol/L", "2.5 mmol/L", None, "4"],
        "sex": ["m", "f", "m", "x; y"],
        "empty": [None, None, None, None],
    }
)


def draft() -> Draft:
    started = replace(Draft().for_header(TABLE.columns), who=Who(answer=EVERY_ROW))
    return started.merge(
        {
            "age": {"use": "number", "missing": "999"},
            "ldl": {"use": "number", "unit": "mmol/L", "low": "1", "source": "codebook"},
            "sex": {"use": "category"},
            "empty": {"use": "number"},
        }
    )


def test_extremes_and_values_are_read_without_codes_of_missing_values() -> None:
    filled = fill_from_file(draft(), TABLE)
    assert (filled.column("age").low.text, filled.column("age").high.text) == ("20", "50")
    assert filled.column("sex").values.text == 'f; m; "x; y"'
    assert filled.column("empty").low.empty


def test_only_empty_cells_are_filled_and_marked() -> None:
    column = fill_from_file(draft(), TABLE).column("ldl")
    assert (column.low.text, column.low.origin) == ("1", Source.CODEBOOK)
    assert (column.high.origin, column.typical.empty, column.seen) == (Source.FILE, True, True)
    assert float(column.high.text) >= 4


def test_columns_that_are_full_or_left_out_are_not_read() -> None:
    typed = {"low": "0", "high": "9", "values": "m; f"}
    full = draft().merge({name: typed for name in ("age", "ldl", "sex")})
    full = full.merge({"empty": {"use": "out"}})
    assert not has_empty_cells(full)
    assert fill_from_file(full, TABLE) is full
    assert categories_to_fill(full) == ()
    assert categories_to_fill(draft()) == ("sex",)
