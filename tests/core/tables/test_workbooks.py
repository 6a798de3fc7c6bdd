"""Workbooks: each cell by itself, stray cells and empty rows, and files that are made to harm."""

import io
from datetime import date, datetime, time, timedelta

import openpyxl
import pandas as pd
import pytest
import xlsxwriter

from dpca_core.data.errors import TableError
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.tables import workbooks
from dpca_core.tables.files import Upload, first_rows, open_table
from tests.core.tables.reading import cells
from tests.core.tables.workbook_files import AB, ods, ods_row, xlsx

FORM = TextFileFormat()
pytestmark = pytest.mark.usefixtures("at_once")


def wrong_rows(given, form=FORM):
    return [row for batch in open_table(given, form).batches([], []) for row in batch.wrong]


def saved(fill, sheet="Sheet1"):
    """Return a workbook that openpyxl saves."""
    book, out = openpyxl.Workbook(), io.BytesIO()
    book.active.title = sheet
    fill(book)
    book.save(out)
    return Upload("t.xlsx", out.getvalue())


def written(write, **options):
    """Return a workbook that XlsxWriter writes."""
    out = io.BytesIO()
    with xlsxwriter.Workbook(out, {"in_memory": True, **options}) as book:
        write(book.add_worksheet(), book)
    return Upload("t.xlsx", out.getvalue())


def test_a_workbook_of_pandas_is_read_with_its_index_as_a_column():
    frame = pd.DataFrame({"age": [20, 40, None], "name": ["Ann", "Bo", "Cy, Jr."]})
    out = io.BytesIO()
    frame.to_excel(out, engine="openpyxl")
    given = Upload("t.xlsx", out.getvalue())
    assert open_table(given, FORM).columns == ("column 1", "age", "name")
    assert cells(given, ["age", "column 1"])["column 1"] == [0.0, 1.0, 2.0]
    out = io.BytesIO()
    frame.rename_axis("id").to_excel(out, engine="xlsxwriter")
    given = Upload("t.xlsx", out.getvalue())
    assert cells(given, ["age"], ["id", "name"]) == {
        "age": [20.0, 40.0, None],
        "id": ["0", "1", "2"],
        "name": ["Ann", "Bo", "Cy, Jr."],
    }
    assert first_rows(given, FORM)["age"].tolist()[:2] == [20.0, 40.0]


def test_each_kind_of_cell_has_a_fixed_text():
    values = [
        *("text", 1, 2.5, 1e21, True, False),
        *(date(2020, 1, 2), datetime(2020, 1, 2, 3, 4, 5), time(3, 4), timedelta(hours=30)),
    ]

    def fill(book):
        for row, value in enumerate(["a", *values, "=1/0", "#N/A"], 1):
            book.active.cell(row, 1, value)
            book.active.cell(row, 2, "b")

    texts = ["text", "1", "2.5", "1e+21", "TRUE", "FALSE", "2020-01-02", "2020-01-02 03:04:05"]
    found = cells(saved(fill), [], ["a"])["a"]
    assert found[:8] == texts
    assert found[8] == "03:04:00"
    assert found[10:] == [None, None]


def test_a_text_in_a_column_of_numbers_changes_no_other_cell():
    """Whether the others are given as numbers or as texts, they are the same numbers."""
    for form in (FORM, TextFileFormat(decimal=",", thousands=".")):
        for text, expected in (("n/a", None), ("odd", "odd"), (999, 999.0), ("", None)):
            rows = [["a", "b"], [1.5, 1], [text, 1], [1234, 1], [1e-7, 1]]
            given = saved(lambda book, rows=rows: [book.active.append(row) for row in rows])
            found = cells(given, ["a"], form=form)["a"]
            numbers = [1.5, expected, 1234.0, 1e-7]
            mark = form.decimal
            texts = [f"1{mark}5", expected, "1234", "1e-07"]
            assert found == (texts if expected == "odd" else numbers)
    coded = TextFileFormat(missing=("999", "1.50"))
    assert cells(xlsx(AB.replace(">2<", ">999<")), ["a", "b"], form=coded) == {
        "a": [1.0],
        "b": [None],
    }


def test_what_has_no_value_is_missing_with_errors_of_any_age():
    """Excel's own newer errors are unknown to the reader, which refuses a whole file for them."""
    errors = ["#DIV/0!", "#N/A", "#SPILL!", "#CALC!", "#GETTING_DATA"]
    rows = "".join(
        f'<row r="{place}"><c r="A{place}" t="e"><v>{error}</v></c>'
        f'<c r="B{place}"><v>1</v></c></row>'
        for place, error in enumerate(errors, 3)
    )
    formula = '<row r="9"><c r="A9"><f>B9</f></c><c r="B9"><v>3</v></c></row>'
    odd = '<row r="10"><c r="A10"><v>NaN</v></c><c r="B10"><v>inf</v></c></row>'
    assert cells(xlsx(AB + rows + formula + odd), ["a", "b"]) == {
        "a": [1.0, *[None] * 7],
        "b": [2.0, *[1.0] * 5, 3.0, None],
    }


def test_rows_with_a_stray_cell_are_missing_and_no_other_row_moves():
    def write(sheet, _):
        sheet.write_row(1, 2, ["a", "b", "", "d"])
        for row in range(2, 30):
            sheet.write_row(row, 2, [row, row + 1, "x", row + 3])
        sheet.write(5, 0, "left")
        sheet.write(6, 6, "right")
        sheet.write(7, 16383, "far")
        sheet.write(9, 2, "not a number")
        sheet.write(999, 4, 5)
        sheet.write(1048575, 5, 7)

    given = written(write)
    assert open_table(given, FORM).columns == ("column 1", "column 2", "a", "b", "column 5", "d")
    assert wrong_rows(given) == [4, 5]
    found = cells(given, ["b", "d"])
    gone = {6, 7}
    assert found["b"][:28] == [None if row in gone else row + 1 for row in range(2, 30)]
    assert found["d"] == [
        *(None if row in gone else row + 3 for row in range(2, 30)),
        None,
        7,
    ]


def test_rows_after_a_wide_gap_stay_in_order():
    def write(sheet, _):
        sheet.write_row(0, 0, ["a", "b"])
        for place, row in enumerate([1, 2, 5000, 5001, 900_000, 900_500]):
            sheet.write_row(row, 0, [place, f"row {row}"])

    assert cells(written(write), ["a"]) == {"a": [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]}


def test_empty_rows_are_no_records_however_many():
    rows = "".join(f'<row r="{i}"><c r="A{i}" s="0"/></row>' for i in range(3, 300_000))
    last = '<row r="300000"><c r="B300000"><v>4</v></c></row>'
    assert cells(xlsx(AB + rows + last), ["a", "b"]) == {"a": [1.0, None], "b": [2.0, 4.0]}


def test_rows_above_the_header_are_skipped_and_a_sheet_can_be_chosen():
    def fill(book):
        other = book.create_sheet("Second")
        for row in [["Title"], [None, "x", "y", "z", "!"], ["a", "b"], [1, "p"], [2, "q"]]:
            other.append(row)
        book.active.append(["c"])
        book.active.append([7])

    given = saved(fill)
    form = TextFileFormat(skip=2, sheet="Second")
    assert cells(given, ["a"], ["b"], form=form) == {"a": [1.0, 2.0], "b": ["p", "q"]}
    assert cells(given, ["c"]) == {"c": [7.0]}
    with pytest.raises(TableError, match="no sheet “Third”; it has Sheet1, Second"):
        open_table(given, TextFileFormat(sheet="Third"))
    form = TextFileFormat(skip=3, sheet="Second", unnamed=2)
    assert cells(given, ["c1"], ["c2"], form=form) == {"c1": [1.0, 2.0], "c2": ["p", "q"]}


def test_a_header_below_what_looks_like_one_is_found():
    """A row of empty texts is nothing; columns beside it are not moved for that."""
    empty = '<row r="1"><c r="A1" t="str"><v></v></c></row>'
    rows = AB.replace('r="2"', 'r="3"').replace("2", "3").replace('r="1"', 'r="2"')
    rows = rows.replace('A1"', 'A2"').replace('B1"', 'B2"')
    assert cells(xlsx(empty + rows), ["a", "b"]) == {"a": [1.0], "b": [3.0]}


def test_tags_may_have_a_prefix():
    rows = AB.replace("<", "<x:").replace("<x:/", "</x:")
    far = '<x:row r="3"><x:c r="XFD3"><x:v>1</x:v></x:c></x:row>'
    given = xlsx(rows + far)
    sheet = "xl/worksheets/sheet1.xml"
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    xml = f'<x:worksheet xmlns:x="{main}"><x:sheetData>{rows + far}</x:sheetData></x:worksheet>'
    given = xlsx("", **{sheet: xml})
    assert cells(given, ["a", "b"]) == {"a": [1.0, None], "b": [2.0, None]}
    assert wrong_rows(given) == [1]


def test_an_open_document_is_read_with_rows_and_cells_that_are_repeated():
    rows = (
        ods_row([16384], times=2)
        + ods_row("a", "b", [16382])
        + ods_row(1, "x", times=3)
        + ods_row([2], times=1000)
        + ods_row(2.5, [16382], "far")
        + ods_row(4, "&lt;p&gt;", [16382])
        + ods_row([16384], times=1_047_000)
        + ods_row([1], "last")
    )
    given = ods(rows)
    assert cells(given, ["a"], ["b"]) == {
        "a": [1.0, 1.0, 1.0, None, 4.0, None],
        "b": ["x", "x", "x", None, "<p>", "last"],
    }
    assert wrong_rows(given) == [3]


def test_a_workbook_beyond_its_bounds_is_refused_in_a_sentence(monkeypatch):
    bomb = xlsx(AB, **{f"xl/worksheets/sheet{i}.xml": "0" * 2**24 for i in range(2, 20)})
    assert len(bomb.content) < 2**20
    with pytest.raises(TableError, match="larger than a workbook may be: unpacked 256 MB"):
        open_table(bomb, FORM)
    many = ods(ods_row(*"abcdefghi") + ods_row(*range(9), times=1_000_000))
    with pytest.raises(TableError, match="8 million cells in a sheet"):
        open_table(many, FORM)
    wide = xlsx(
        f'<row r="1">{"".join(f"<c><v>{i}</v></c>" for i in range(2001))}</row>',
    )
    far = xlsx('<row r="4000000000"><c r="ZZZZZZZ4000000000"><v>1</v></c></row>')
    for given in (wide, far):
        with pytest.raises(TableError, match="more than 2,000 columns"):
            open_table(given, FORM)


DAMAGED = {
    "no archive": Upload("t.xlsx", b"PK\x03\x04" + b"x" * 99),
    "no old workbook": Upload("t.xls", b"\xd0\xcf\x11\xe0" + b"x" * 999),
    "text": Upload("t.ods", b"a,b\n1,2\n"),
    "no sheet": xlsx(AB, **{"xl/workbook.xml": "<workbook/>"}),
    "no such text": xlsx(AB + '<row r="3"><c r="A3" t="s"><v>7</v></c></row>'),
    "upwards": xlsx(
        f'{AB}<row r="9999"><c r="A9999"><v>1</v></c></row><row r="3"><c r="A3"><v>1</v></c></row>'
    ),
    "cut": Upload("t.xlsx", xlsx(AB).content[:-40]),
}


@pytest.mark.parametrize("kind", DAMAGED)
def test_a_damaged_workbook_is_a_sentence(kind):
    with pytest.raises(TableError, match=r"cannot be read as a (workbook|table)"):
        open_table(DAMAGED[kind], FORM)


def test_a_sheet_without_a_name_of_a_column_is_refused():
    for rows in ("", '<row r="1"><c r="A1" t="str"><v> </v></c></row>'):
        with pytest.raises(TableError, match="no row that names columns"):
            open_table(xlsx(rows), FORM)


def test_what_reads_workbooks_is_named_where_it_is_missing(monkeypatch):
    monkeypatch.setattr("dpca_core.tables.apart.find_spec", lambda name: None)
    with pytest.raises(
        TableError, match=r't.xlsx is a workbook: pip install "dpca-workbench\[files\]"'
    ):
        open_table(xlsx(AB), FORM)


def test_a_row_is_whole_wherever_the_file_is_cut_into_pieces(monkeypatch):
    rows = [
        f'<row r="{i}"><c r="A{i}"><v>{i}</v></c><c r="XFD{i}" t="e"/></row>' for i in range(3, 9)
    ]
    given = xlsx(AB + "".join(rows))
    for size in (1, 7, 50, 64, 200):
        monkeypatch.setattr(workbooks, "_AT_A_TIME", size)
        assert cells(given, ["a"]) == {"a": [1.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]}


def test_a_cell_that_is_too_long_is_missing():
    long = "x" * (2**20 + 1)
    rows = f'<row r="3"><c r="A3" t="str"><v>{long}</v></c><c r="B3"><v>3</v></c></row>'
    assert cells(xlsx(AB + rows), ["b"], ["a"]) == {"a": ["1", None], "b": [2.0, 3.0]}


def test_the_letters_of_a_column_are_its_number():
    for place in (0, 25, 26, 701, 702, 16383):
        assert workbooks._column_of(workbooks._letters_of(place)) == place
        beyond = workbooks._beyond(place + 1)
        for other in range(max(place - 30, 0), place + 800, 7):
            text = b' r="%s5"' % workbooks._letters_of(other)
            assert bool(beyond.search(text)) == (other > place)
