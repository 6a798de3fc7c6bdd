"""The made-up clinic: the same bytes everywhere, the faults of an export, a codebook that fits."""

import csv
import hashlib
import io
import json
from collections import Counter, defaultdict

import pytest

from sample_data.made_up_clinic import (
    CLINIC_HEADER,
    MADE_UP,
    clinic_csv,
    codebook_csv,
    table_schema_json,
)
from tests.clinic_columns import COLUMNS

ROWS = list(csv.DictReader(io.StringIO(clinic_csv().decode("utf-8"))))
DESCRIBED = [column for column in COLUMNS if column.name in CLINIC_HEADER]


def test_the_same_bytes_everywhere():
    digest = hashlib.sha256(clinic_csv()).hexdigest()
    assert digest == "6a02577a7227ed38a17047a2713c796fcfc55cd0b3d1ba03684a687487479f39"


def test_2671_visits_of_900_made_up_patients_on_different_days_in_order():
    assert tuple(ROWS[0]) == CLINIC_HEADER
    visits = defaultdict(list)
    for row in ROWS:
        visits[row["patient_id"]].append(row)
    times = Counter(map(len, visits.values()))
    assert times == {1: 160, 2: 180, 3: 220, 4: 209, 5: 131}
    assert (len(ROWS), len(visits)) == (2671, 900)
    assert {row["patient_id"][:6] for row in ROWS} == {"MADEUP"}
    assert MADE_UP in json.loads(table_schema_json())["title"]
    for rows in visits.values():
        assert len({row["age"] for row in rows} - {"-1"}) == len({row["sex"] for row in rows}) == 1
        days = [row["visit_date"] for row in rows]
        assert days == sorted(set(days))


@pytest.mark.parametrize("column", DESCRIBED, ids=lambda column: column.name)
def test_the_codebook_holds_every_value(column):
    """A cell is read as its reader should: "7.1 %" is 7.1, "3,3" is 3.3, an empty one missing."""
    cells = {row[column.name] for row in ROWS} - {column.missing}
    if column.values:
        assert cells == set(column.values)
    if column.low:
        found = [float(cell.removesuffix(" %").replace(",", ".")) for cell in cells - {""}]
        low, typical, high = float(column.low), float(column.typical), float(column.high)
        assert low <= min(found) < max(found) <= high
        assert low <= typical <= high


def test_both_forms_of_the_codebook_describe_13_of_15_columns():
    lines = list(csv.DictReader(io.StringIO(codebook_csv().decode("utf-8"))))
    names = {line["column"] for line in lines}
    assert len(names & set(CLINIC_HEADER)) == 13
    assert names - set(CLINIC_HEADER) == {"temp", "site"}
    fields = json.loads(table_schema_json())["fields"]
    assert {field["name"] for field in fields} == names
    assert [f["name"] for f in fields if "decimalChar" in f] == ["ldl"]
