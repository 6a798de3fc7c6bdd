"""Workbooks: each cell by itself, stray cells and empty rows, and files that are made to harm."""

from datetime import date, datetime, time, timedelta

import pytest

from dpca_core.data.errors import TableError
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.tables import workbooks
from dpca_core.tables.files import Upload, open_table
from tests.core.tables.text_tables import cells
from tests.core.tables.workbook_files import AB, ods, ods_row, saved, xlsx

FORM = TextFileFormat()
pytestmark = pytest.mark.usefixtures("at_once")
TEXTS = {
    **{"text": "text", "1": 1, "2.5": 2.5, "1e+21": 1e21, "TRUE": True, "FALSE": False},
    **{"2020-01-02": date(2020, 1, 2), "2020-01-02 03:04:05": datetime(2020, 1, 2, 3, 4, 5)},
    **{"03:04:00": time(3, 4), "1 day, 6:00:00": timedelta(hours=30)},
}


def wrong_rows(given):
    return [row for batch in open_table(given, FORM).batches(["a"], []) for row in batch.wrong]


def test_each_kind_of_cell_has_a_fixed_text_and_codes_are_compared_with_it():
    given = saved("ab", *([value, 1] for value in (*TEXTS.values(), "=1/0", "#N/A")))
    assert cells(given, [], ["a"])["a"] == [*TEXTS, None, None]
    form = TextFileFormat(missing=("999", "1.50"))
    given = saved("ab", [1.5, 999], [True, "999"])
    assert cells(given, ["b"], ["a"], form=form) == {"a": ["1.5", "TRUE"], "b": [None, None]}


@pytest.mark.parametrize("form", [FORM, TextFileFormat(decimal=",", thousands=".")])
def test_a_text_in_a_column_of_numbers_changes_no_other_cell(form):
    """Whether the others are given as numbers or as texts, they are the same numbers."""
    for text, expected in (("n/a", None), ("odd", "odd"), (999, 999.0), ("", None)):
        given = saved("ab", *([value, 1] for value in (1.5, text, 1234, 1e-7)))
        texts = [f"1{form.decimal}5", expected, "1234", "1e-07"]
        numbers = [1.5, expected, 1234.0, 1e-7]
        assert cells(given, ["a"], form=form)["a"] == (texts if text == "odd" else numbers)
        label = "999" if text == 999 else expected
        assert cells(given, [], ["a"], form=form)["a"] == ["1.5", label, "1234", "1e-07"]


@pytest.mark.parametrize("size", [1, 7, 50, 64, 200, workbooks._AT_A_TIME])
def test_what_has_no_value_is_missing_with_errors_of_any_age(size, monkeypatch):
    """Excel's own newer errors are unknown to the reader, which refuses a whole file for them."""
    monkeypatch.setattr(workbooks, "_AT_A_TIME", size)
    errors = ["#DIV/0!", "#N/A", "#SPILL!", "#CALC!", "#GETTING_DATA"]
    odd = [*(f'"e"><v>{error}</v>' for error in errors), '"n"><f>B9</f>', '"n"><v>NaN</v>']
    rows = "".join(
        f'<row r="{row}"><c r="A{row}" t={cell}</c><c r="B{row}"><v>{row}</v></c></row>'
        for row, cell in enumerate(odd, 3)
    )
    expected = {"a": [1.0, *[None] * 7], "b": [2.0, *map(float, range(3, 10))]}
    assert cells(xlsx(AB + rows), ["a", "b"]) == expected
    text = '<row r="10"><c r="A10" t="str"><v>say t="e" here</v></c></row>'
    assert cells(xlsx(AB + rows + text), [], ["a"])["a"][-1] == 'say t="e" here'


def test_rows_with_a_stray_cell_are_missing_and_no_other_row_moves():
    rows = [[None, None, row, row + 1, None, row + 3] for row in range(30)]
    rows[3][0], rows[5], rows[7][2] = "left", [*rows[5], *[None] * 40, "right"], "not a number"
    given = saved([], [None, None, "a", "b", None, "d"], *rows, *([],) * 900, [None] * 3 + [7])
    assert open_table(given, FORM).columns == ("column 1", "column 2", "a", "b", "column 5", "d")
    assert wrong_rows(given) == [5]
    assert cells(given, ["b"], ["column 1"]) == {
        "b": [*(None if row == 5 else row + 1 for row in range(30)), 7],
        "column 1": ["left" if row == 3 else None for row in range(31)],
    }
    rows = (
        *(ods_row([16384], times=2), ods_row("a", "b", [16382]), ods_row(1, "x", times=3)),
        *(ods_row([2], times=1000), ods_row(2.5, [30], "far"), ods_row(4, "&lt;p&gt;", [16382])),
        ods_row([16384], times=1_047_000),
    )
    assert cells(ods(*rows), ["a"], ["b"]) == {
        "a": [1.0, 1.0, 1.0, None, 4.0],
        "b": ["x", "x", "x", None, "<p>"],
    }
    assert wrong_rows(ods(*rows)) == [3]


def test_rows_above_the_header_are_skipped_and_a_sheet_can_be_chosen():
    other = [["Title"], [None, "x", "y", "z", "!"], ["a", "b"], [1, "p"], [2, "q"]]
    given = saved("c", [7], second=other)
    form = TextFileFormat(skip=2, sheet="Second")
    assert cells(given, ["a"], ["b"], form=form) == {"a": [1.0, 2.0], "b": ["p", "q"]}
    assert cells(given, ["c"]) == {"c": [7.0]}
    form = TextFileFormat(skip=3, sheet="Second", unnamed=2)
    assert cells(given, ["c1"], ["c2"], form=form) == {"c1": [1.0, 2.0], "c2": ["p", "q"]}
    with pytest.raises(TableError, match="no sheet “Third”; it has Sheet, Second"):
        open_table(given, TextFileFormat(sheet="Third"))


DAMAGED, NO_WORKBOOK = "cannot be read as a (workbook|table); it may be", "is no workbook; if it is"
REFUSED = [
    ("larger than a workbook may be", xlsx(AB, **{"xl/worksheets/sheet2.xml": "0" * 2**24})),
    ("has a text of more than 1 MB", xlsx(f'{AB}<row><c t="str"><v>{"x" * 2**21}</v></c></row>')),
    ("2,001 columns; the limit is 2,000", xlsx(f"<row>{'<c><v>1</v></c>' * 2001}</row>")),
    ("has no row that names columns", xlsx('<row r="1"><c r="A1" t="str"><v> </v></c></row>')),
    ("is empty: its sheet", xlsx("")),
    (DAMAGED, Upload("t.xlsx", b"PK\x03\x04" + b"x" * 99)),
    (DAMAGED, Upload("t.xls", b"\xd0\xcf\x11\xe0" + b"x" * 999)),
    (DAMAGED, xlsx(AB, **{"xl/workbook.xml": "<workbook/>"})),
    (DAMAGED, xlsx(AB + '<row r="3"><c r="A3" t="s"><v>7</v></c></row>')),
    (DAMAGED, Upload("t.xlsx", xlsx(AB).content[:-40])),
    (NO_WORKBOOK, Upload("t.xls", b"a\tb\n1\t2\n")),
    (NO_WORKBOOK, Upload("t.ods", b"<html><table><tr><td>a</td></tr></table></html>")),
]


@pytest.mark.parametrize(("says", "given"), REFUSED)
def test_a_workbook_that_is_none_or_beyond_its_bounds_is_a_sentence(says, given, monkeypatch):
    monkeypatch.setattr(workbooks, "MOST_UNPACKED", 2**23)
    with pytest.raises(TableError, match=says):
        open_table(given, FORM)
