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
from dpca_core.detection.codes import missing_codes
from dpca_core.detection.columns import ColumnProposal, propose_columns
from dpca_core.detection.encoding_and_header import looks_like_data, proposed_encoding
from dpca_core.tables.files import Upload, open_table
from dpca_core.tables.proposed_format import proposed_format
from tests.core.tables.test_kinds import WRITERS
from tests.made_up_tables import MADE_UP, outcome

CHANCE, N, MANY = Random(5), range(60), range(300)
WHOLE = [str(CHANCE.randint(100, 900)) for _ in MANY]
COMMAS, GROUPED = TextFileFormat(";", ","), TextFileFormat(",", ".", ",")
TIMES = [3, 190, 8, 77, 2, 240, 31, 5, 120, 9, 66, 1, 210, 14, 3, 99, 2, 45]
"""How often values occur that are codes: the numbers are fixed, not drawn."""


def proposed(cells, name="x", form=None) -> ColumnProposal:
    """Return the proposal for one column of text."""
    (found,) = propose_columns(pd.DataFrame({name: [*map(str, cells)]}, dtype="string"), form)
    return found


def said(found: ColumnProposal) -> str:
    """Write a proposal: its use and unit, its questions, and texts that may be missing."""
    asked = (f"{question.key}?" for question in found.questions)
    return " ".join(filter(None, (found.use, found.unit, *asked, found.missing_code)))


def times(counts, factor=1):
    return [factor * i + 1 for i, count in enumerate(counts) for _ in range(count)]


@pytest.mark.parametrize(
    ("name", "cells", "expected"),
    [
        ("drug name", [f"d{chr(97 + i % 26)}" for i in MANY], "category"),
        ("unordered", CHANCE.sample(range(200), 200), "out"),
        ("column 1", [i for i in N if i % 7] * 2, "number"),
        ("column 1", [i for i in N if i % 7], "out"),
        ("region", [f"{i % 17:02}" for i in range(80)], "category"),
        ("account", [i * i + 7 for i in N], "number identifier?"),
        ("q", [*"12345"] * 9 + ["refused"] * 3, "number texts? codes?"),
        ("weight", [f"{1000 + 17 * i}.5" for i in range(90)], "number weight?"),
        ("no_of_visits", [i % 30 for i in MANY], "number"),
        ("measured", [f"{i}.{i % 60:02}" for i in N], "number"),
        # Codes among whole numbers occur irregularly, in wide ranges too.
        ("x", times(TIMES), "number codes?"),
        ("x", times(TIMES * 2, 5), "number codes?"),
        ("x", times([50 - abs(20 - i) for i in range(40)]), "number"),
        # A unit stands before or behind a number.
        ("x", [f"{i}mmHg" for i in N], "number mmHg units?"),
        ("x", [f"${i}.50" for i in N], "number $ units?"),
        ("x", [f"{i} kg" for i in N] + ["150 lb"], "number kg units?"),
        ("x", [f"{i} g" for i in N] + ["no"], "number g units? texts?"),
        ("x", [f"{i} {u}" for i in N for u in ("kg", "lb", "g", "st")], "out"),
        ("x", [f"−{i}.5" for i in N] + ["+3", "1\u202f234"], "number"),
        # What programs write for a missing value.
        ("x", [*WHOLE, *["#N/A"] * 200], "number missing? #N/A"),
        ("x", [*WHOLE, *[".", ".A"] * 30], "number missing? .; .A"),
        ("x", ["yes", "no", "#REF!"] * 20, "category missing? #REF!"),
        ("x", [f"{i:04}" for i in range(1, 300, 3)] + ["#N/A"] * 9, "out"),
    ],
)
def test_a_kind_is_recognised_and_what_could_be_wrong_is_asked(name, cells, expected):
    assert said(proposed(cells, name)) == expected


def test_a_mark_is_asked_where_it_could_mean_two_things_or_is_not_read():
    for written, form, key in (
        ("{0},{1}", TextFileFormat(), "comma"),
        ("{0},{1}", COMMAS, ""),
        ("{0},{2}", COMMAS, "comma"),
        ("{0},{2}", GROUPED, "comma"),
        ("{0},{2}.5", GROUPED, ""),
        ("{0}.5", COMMAS, "point"),
        ("{0}.{2}", TextFileFormat(";"), "point"),
        ("{0}.{2}", TextFileFormat(), ""),
        ("{1}.{2}", TextFileFormat(";"), ""),
    ):
        found = proposed((written.format(1 + i % 9, i % 10, 100 + i) for i in N), form=form)
        assert said(found) == (f"number {key}?" if key else "number")
    # What one column proves of commas holds for the file.
    table = pd.DataFrame({"a": [f"1,{100 + i}" for i in N], "b": [f"{i},5" for i in N]})
    assert [*map(said, propose_columns(table, COMMAS))] == ["number", "number"]


def test_a_scale_has_all_values_of_a_known_one():
    """Its order is always asked about. “None” counts as missing in most files."""
    for texts, values in (
        ("never rarely sometimes often always", "never rarely sometimes often always"),
        ("never rarely", "never rarely often always"),
        ("MILD SEVERE MODERATE unknown", "MILD MODERATE SEVERE"),
        ("1=low 2 3=high", "1=low 2 3=high"),
        ("0:mild 1:moderate", "0:mild 1:moderate 2:severe"),
        ("None Mild Moderate Severe", "None Mild Moderate Severe"),
    ):
        found = proposed(texts.split() * 9)
        assert (said(found), found.values) == ("scale scale?", tuple(values.split()))
    eq_5d = ["slight problems", "unable", "no problems"]
    assert proposed(eq_5d * 9).values[1:4:2] == ("slight problems", "severe problems")
    (numbered,) = proposed(["2 fine", "1 glad", "3 sad"] * 9).questions
    assert "1 glad < 2 fine < 3 sad" in numbered.sentence


def test_columns_of_numbers_are_looked_at_too():
    day, half = [20190101 + 100 * (i % 12) + i % 28 for i in MANY], [i / 2 for i in MANY]
    table = pd.DataFrame({"day": day, "half": half, "infinite": [np.inf, 0.5, 2.5] * 100})
    assert [*map(said, propose_columns(table))] == ["out", "number", "number"]
    assert propose_columns(pd.DataFrame()) == ()


def test_nearly_constant_is_not_constant_whatever_rows_are_looked_at():
    cells = [0] * 100_000
    cells[77_777] = 1
    for table in (pd.DataFrame({"x": cells}), pd.DataFrame({"x": map(str, cells)}, dtype="string")):
        assert propose_columns(table)[0].use == Use.NUMBER


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
        ([-2, 0, 2], []),
    ):
        for often in (1, 40):
            counts = np.array([often if value in codes else 5 for value in values], dtype=int)
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

RIGHT = {"record_id": "out", "age": "number", "bmi": "number", "smokes": "?"}
RIGHT |= {"pain": "scale", "ward": "category", "seen": "out"}


def patients():
    """Made-up patients: whole numbers of which some are missing, codes, texts, days."""
    rng = np.random.default_rng(11)
    age = rng.integers(18, 95, 300).astype(float)
    age[::40] = np.nan
    return pd.DataFrame(
        {
            "record_id": np.arange(1, 301),
            "age": age,
            "bmi": rng.normal(26, 4, 300).round(1),
            "smokes": rng.integers(1, 4, 300),
            "pain": rng.choice(["mild", "moderate", "severe"], 300),
            "ward": rng.choice(["A1", "B2", "ICU"], 300),
            "seen": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 400, 300), "D"),
        }
    )


GERMAN = {"index": False, "sep": ";", "decimal": ",", "date_format": "%d.%m.%Y"}
CSV = {
    "pandas.csv": {},
    "redcap.csv": {"index": False},
    "r.csv": {"na_rep": "NA", "quoting": csv.QUOTE_NONNUMERIC},
    "excel.csv": GERMAN,
    "excel-sep.csv": {"above": "sep=;\r\n", **GERMAN},
    "titles.csv": {"above": "Clinic 3\r\n\r\nmade up, 2024\r\n", "index": False},
    "template.csv": {"end": ",", "index": False},
}
"""As a program writes a CSV file: lines above its header, and a mark at each line's end."""
LABELS = {"variable_value_labels": {"smokes": {1: "never", 2: "former", 3: "current"}}}
OTHERS = {"t.XLSX": {}, "t.sav": LABELS, "t.dta": LABELS, "t.xpt": {}, "t.parquet": {}}


def csv_file(above="", end="", **how):
    text = above + patients().to_csv(**how).replace("\n", f"{end}\r\n")
    return text.encode("utf-8-sig" if "sep" in how else "utf-8")


def file_of_a_library(path, **how):
    # Dates in Parquet are no texts, and are refused by its schema.
    table = patients().drop(columns="seen") if path.suffix == ".parquet" else patients()
    WRITERS[path.suffix[1:]](table, path, **how)
    return path.read_bytes()


@pytest.mark.parametrize("name", [*CSV, *OTHERS])
def test_columns_of_a_file_are_proposed_rightly_or_asked(name, tmp_path):
    if name in CSV:
        form = proposed_format(name, content := csv_file(**CSV[name]))
    else:
        form, content = TextFileFormat(), file_of_a_library(tmp_path / name, **OTHERS[name])
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
        ("Größe\n1\n", "utf-8", "utf-8"),
        ("a;b\n1;2\n", "utf-16", "utf-8"),
        ("x" + "ä" * 2**20, "utf-8", "utf-8"),
        ("Größe\n1\n", "cp1252", "cp1252"),
        ("a;b\n" + "1;2\n" * 400_000 + "Ä;1", "cp1252", "cp1252"),
        ("a;b\n1;Ä", "cp1252", "cp1252"),
    ):
        assert proposed_encoding(io.BytesIO(text.encode(encoding)).read) == told
