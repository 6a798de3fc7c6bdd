"""What is proposed for each kind of column and what is asked: examples, whole tables, files."""

import csv
import io
from collections import Counter
from random import Random

import numpy as np
import pandas as pd
import pytest

from dpca_core.data.recipe import Use
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.detection import questions as ask
from dpca_core.detection.codes import missing_codes
from dpca_core.detection.columns import ColumnProposal, propose_columns
from dpca_core.detection.encoding_and_header import is_utf8, looks_like_data
from dpca_core.tables.files import Upload, open_table
from dpca_core.tables.proposed_format import proposed_format
from tests.core.tables.test_kinds import WRITERS
from tests.made_up_tables import MADE_UP, outcome

NUMBER, SCALE, CATEGORY, OUT = Use.NUMBER, Use.SCALE, Use.CATEGORY, Use.OUT
CHANCE, N = Random(5), range(60)
WHOLE = [str(CHANCE.randint(100, 900)) for _ in range(300)]
COMMAS = TextFileFormat(";", ",")


def proposed(cells, name="x", form=None) -> ColumnProposal:
    """Return the proposal for one column of text."""
    (found,) = propose_columns(pd.DataFrame({name: list(cells)}, dtype="string"), form)
    return found


def keys(found: ColumnProposal) -> list[str]:
    return [question.key for question in found.questions]


@pytest.mark.parametrize(
    ("name", "cells", "use", "asked"),
    [
        ("sample", [f"P{i:05}" for i in range(5, 245, 3)], OUT, []),
        ("fnlwgt", WHOLE, OUT, []),
        ("unit", [f"{7 * i:04}" for i in range(80)], OUT, []),
        ("unordered", map(str, CHANCE.sample(range(200), 200)), OUT, []),
        ("column 1", [str(i) for i in N if i % 7] * 2, NUMBER, []),
        ("column 1", [str(i) for i in N if i % 7], OUT, []),
        ("region", [f"{i % 17:02}" for i in range(80)], CATEGORY, []),
        ("drug name", ["aspirin", "placebo"] * 20, CATEGORY, []),
        ("half", [str(i) for i in range(40)] + ["none"] * 30, CATEGORY, []),
        ("account", [str(i * i + 7) for i in N], NUMBER, [ask.IDENTIFIER]),
        ("q", [*"12345"] * 9 + ["refused"] * 3, NUMBER, [ask.TEXTS, ask.CODES]),
        ("weight", [f"{1000 + 17 * i}.5" for i in range(90)], NUMBER, [ask.WEIGHT]),
        ("no_of_visits", [str(i % 30) for i in range(300)], NUMBER, []),
        ("measured", [f"{i}.{i % 60:02}" for i in N], NUMBER, []),
        ("x", [f"{i} {u}" for i in N for u in ("kg", "lb", "g", "st")], OUT, []),
    ],
)
def test_a_kind_is_recognised(name, cells, use, asked):
    found = proposed(cells, name)
    assert (found.use, keys(found)) == (use, asked)


@pytest.mark.parametrize(
    ("form", "more", "asked"),
    [
        ("{}mmHg", [], {ask.UNITS: ("mmHg", ask.LEAVE_OUT)}),
        ("${}.50", [], {ask.UNITS: ("$", ask.LEAVE_OUT)}),
        ("EUR {}", [], {ask.UNITS: ("EUR", ask.LEAVE_OUT)}),
        ("{} kg", ["150 lb"], {ask.UNITS: ("kg", "lb", ask.LEAVE_OUT)}),
        ("{} g", ["no"], {ask.UNITS: ("g", ask.LEAVE_OUT), ask.TEXTS: ("Missing", ask.LEAVE_OUT)}),
        ("−{}.5", ["+3", "1\u202f234"], {}),
    ],
)
def test_a_unit_before_or_behind_a_number_is_noted_and_asked(form, more, asked):
    found = proposed([form.format(i) for i in N] + more)
    assert (found.use, {q.key: q.answers for q in found.questions}) == (NUMBER, asked)
    assert found.unit == asked.get(ask.UNITS, [""])[0]


def test_a_mark_is_asked_where_it_could_mean_two_things_or_is_not_read():
    grouped = TextFileFormat(",", ".", ",")
    for written, form, asked in (
        ("{0},{1}", TextFileFormat(), True),
        ("{0},{1}", TextFileFormat(";", ".", ","), True),
        ("{0},{1}", COMMAS, False),
        ("{0},{2}", COMMAS, True),
        ("{0},{2}", grouped, True),
        ("{0},{2}.5", grouped, False),
        ("{0}.5", COMMAS, True),
        ("{0}.{2}", TextFileFormat(";"), True),
        ("{0}.{2}", TextFileFormat(), False),
        ("{1}.{2}", TextFileFormat(";"), False),
    ):
        found = proposed((written.format(1 + i % 9, i % 10, 100 + i) for i in N), form=form)
        assert (found.use, bool({ask.COMMA, ask.POINTS} & {*keys(found)})) == (NUMBER, asked)
    # What one column proves of commas holds for the file.
    table = pd.DataFrame({"a": [f"1,{100 + i}" for i in N], "b": [f"{i},5" for i in N]})
    assert [keys(found) for found in propose_columns(table, COMMAS)] == [[], []]


def test_what_programs_write_for_a_missing_value_is_proposed_and_asked():
    for cells, code, use in (
        ([*map(str, WHOLE), *["#N/A"] * 200], "#N/A", NUMBER),
        ([*map(str, WHOLE), *[".", ".A"] * 30], ".; .A", NUMBER),
        (["yes", "no", "#REF!"] * 20, "#REF!", CATEGORY),
        ([*map(str, WHOLE), "NULL", *["-9"] * 9], "-9", NUMBER),
    ):
        found = proposed(cells)
        assert (found.use, keys(found), found.missing_code) == (use, [ask.MISSING], code)
    many = [f"{i:04}" for i in range(1, 300, 3)] + ["#N/A"] * 9
    assert (proposed(many).use, proposed(many).questions) == (OUT, ())


NEVER = ("never", "rarely", "sometimes", "often", "always")


def test_a_scale_has_all_values_of_a_known_one():
    """Its order is always asked about. “None” counts as missing in most files."""
    for texts, values in (
        (NEVER, NEVER),
        (["Never", "Sometimes", "Always", "Often"], ("Never", "Sometimes", "Often", "Always")),
        (["never", "rarely"], ("never", "rarely", "often", "always")),
        (["MILD", "SEVERE", "MODERATE", "unknown"], ("MILD", "MODERATE", "SEVERE")),
        (["1 = low", "2", "3 = high"], ("1 = low", "2", "3 = high")),
        (["0: mild", "1: moderate"], ("0: mild", "1: moderate", "2: severe")),
        (["None", "Mild", "Moderate", "Severe"], ("None", "Mild", "Moderate", "Severe")),
    ):
        found = proposed(list(texts) * 9)
        assert (found.use, found.values, keys(found)) == (SCALE, values, [ask.SCALE])
    (numbered,) = proposed(["2 fine", "1 glad", "3 sad"] * 9).questions
    assert "1 glad < 2 fine < 3 sad" in numbered.sentence


def test_typed_columns_are_looked_at_too():
    columns = {
        "day": [20190101 + 100 * (i % 12) + i % 28 for i in range(300)],
        "seen": pd.to_datetime("2019-01-01") + pd.to_timedelta(range(300), "D"),
        "yes": [True, False] * 150,
        "word": pd.Categorical(["a", "b", "c"] * 100),
        "mixed": ["a", 1, 2.5] * 100,
        "half": [i / 2 for i in range(300)],
        "pair": [(1, 2)] * 300,
    }
    uses = [found.use for found in propose_columns(pd.DataFrame(columns))]
    assert uses == [OUT, OUT, CATEGORY, CATEGORY, CATEGORY, NUMBER, OUT]
    assert propose_columns(pd.DataFrame()) == ()


def test_codes_among_whole_numbers_that_occur_irregularly_are_asked():
    """Wide ranges of smooth counts are measurements; the numbers are fixed, not drawn."""
    times = [3, 190, 8, 77, 2, 240, 31, 5, 120, 9, 66, 1, 210, 14, 3, 99, 2, 45]
    smooth = [50 - abs(20 - i) for i in range(40)]
    for factor, counts, asked in (
        (1, times, [ask.CODES]),
        (5, times * 2, [ask.CODES]),
        (1, smooth, []),
    ):
        cells = [str(factor * i + 1) for i, count in enumerate(counts) for _ in range(count)]
        assert keys(proposed(cells)) == asked


def test_nearly_constant_is_not_constant_whatever_rows_are_looked_at():
    cells = [0] * 100_000
    cells[77_777] = 1
    for table in (pd.DataFrame({"x": cells}), pd.DataFrame({"x": map(str, cells)}, dtype="string")):
        assert propose_columns(table)[0].use == NUMBER


def test_codes_are_found_where_they_lie_apart_however_often_they_occur():
    for values, codes in (
        ([*range(80, 240), 999], [999]),
        ([*range(19, 98), -1], [-1]),
        ([-9, -8, *range(1, 50), 99], [-9, -8, 99]),
        ([*range(1, 11), 77, 88, 99], [77, 88, 99]),
        ([*range(0, 5), 9], [9]),
        ([0, 1, 99], [99]),
        ([*range(60, 90), 9998, 9999], [9998, 9999]),
        ([*range(19, 98), 98, 99], []),
        ([*range(-30, 40)], []),
        ([], []),
        ([-1.5, -1, 3, 4], []),
        ([-2, 0, 2], []),
    ):
        for times in (1, 40):
            counts = np.array([times if value in codes else 5 for value in values], dtype=int)
            assert missing_codes(np.array(values, dtype=float), counts) == codes


def test_of_twenty_tables_no_column_is_proposed_wrongly_and_few_are_asked_needlessly():
    outcomes = {}
    for name, made in MADE_UP.items():
        for found, right in zip(propose_columns(*made.read()), made.right.values(), strict=True):
            outcomes[name, found.name] = outcome(found, right)
    counts = Counter(outcomes.values())
    assert [column for column, what in outcomes.items() if what == "wrong"] == []
    assert (len(MADE_UP), len(outcomes)) == (20, 140)
    assert counts["asked"] <= 13


# --- Files as programs write them, each by its own library ---

ROWS = 300
RIGHT = {"record_id": "out", "age": "number", "bmi": "number", "smokes": "?"}
RIGHT |= {"pain": "scale", "ward": "category", "seen": "out"}


def patients():
    """Made-up patients: whole numbers of which some are missing, codes, texts, days."""
    rng = np.random.default_rng(11)
    age = rng.integers(18, 95, ROWS).astype(float)
    age[::40] = np.nan
    return pd.DataFrame(
        {
            "record_id": np.arange(1, ROWS + 1),
            "age": age,
            "bmi": rng.normal(26, 4, ROWS).round(1),
            "smokes": rng.integers(1, 4, ROWS),
            "pain": rng.choice(["mild", "moderate", "severe"], ROWS),
            "ward": rng.choice(["A1", "B2", "ICU"], ROWS),
            "seen": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 400, ROWS), "D"),
        }
    )


def as_csv(above="", end="", **how):
    """Return what writes a CSV file, with lines above its header and a mark at each line's end."""

    def make(_):
        text = above + patients().to_csv(**how).replace("\n", f"{end}\r\n")
        return text.encode("utf-8-sig" if "sep" in how else "utf-8")

    return make


def by_library(ending, **how):
    def make(folder):
        path, table = folder / f"t.{ending}", patients()
        # Dates in Parquet are no texts, and are refused by its schema.
        WRITERS[ending](table.drop(columns="seen") if ending == "parquet" else table, path, **how)
        return path.read_bytes()

    return make


LABELS = {"smokes": {1: "never", 2: "former", 3: "current"}}
GERMAN = {"index": False, "sep": ";", "decimal": ",", "date_format": "%d.%m.%Y"}
FILES = {
    "pandas.csv": as_csv(),
    "redcap.csv": as_csv(index=False),
    "r.csv": as_csv(na_rep="NA", quoting=csv.QUOTE_NONNUMERIC),
    "excel.csv": as_csv(**GERMAN),
    "excel-sep.csv": as_csv("sep=;\r\n", **GERMAN),
    "titles.csv": as_csv("Clinic 3\r\n\r\nmade up, 2024\r\n", index=False),
    "template.csv": as_csv(end=",", index=False),
    "excel.xlsx": by_library("XLSX"),
    "spss.sav": by_library("sav", variable_value_labels=LABELS),
    "stata.dta": by_library("dta", variable_value_labels=LABELS),
    "sas.xpt": by_library("xpt"),
    "frame.parquet": by_library("parquet"),
}


@pytest.mark.parametrize("name", FILES)
def test_columns_of_a_file_are_proposed_rightly_or_asked(name, tmp_path):
    content = FILES[name](tmp_path)
    form = proposed_format(name, content) if name.endswith("csv") else TextFileFormat()
    found = propose_columns(open_table(Upload(name, content), form).first_rows(5000), form)
    outcomes = {one.name: outcome(one, RIGHT.get(one.name, "out")) for one in found}
    assert outcomes == dict.fromkeys(outcomes, "right"), found
    unnamed = {"pandas.csv": {"column 1"}, "r.csv": {"column 1"}, "template.csv": {"column 8"}}
    assert {*outcomes} - {*RIGHT} == unnamed.get(name, set())
    assert {*outcomes} >= {*RIGHT} - {"seen"}


# --- What is looked at before a file is read ---


def test_a_header_is_told_from_a_row():
    rows = (
        "39,State-gov,77516,Bachelors,13",
        "5.1,3.5,1.4,0.2,setosa",
        "P1,2019-01-05,4",
        "6,148,72,0",
    )
    headers = ("age,sex,sbp", "0,1,2,3", "country,1999,2000", "x1,x2,,PAY_0")
    assert all(looks_like_data(line.split(",")) for line in rows)
    assert not any(looks_like_data(line.split(",")) for line in headers)
    assert not looks_like_data([])


def test_a_file_that_is_no_utf8_is_told_wherever_its_first_foreign_byte_is():
    for text, encoding, told in (
        ("Größe\n1\n", "utf-8", True),
        ("a;b\n1;2\n", "utf-16", True),
        ("x" + "ä" * 2**20, "utf-8", True),
        ("Größe\n1\n", "cp1252", False),
        ("a;b\n" + "1;2\n" * 400_000 + "Ä;1", "cp1252", False),
        ("a;b\n1;Ä", "cp1252", False),
    ):
        assert is_utf8(io.BytesIO(text.encode(encoding)).read) is told
