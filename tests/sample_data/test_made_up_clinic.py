"""The made-up clinic: the same bytes everywhere, the faults of an export, a codebook that fits."""

import csv
import hashlib
import io
import json
from collections import Counter, defaultdict

import numpy as np
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
NUMBERS = {column.name: column for column in COLUMNS if column.low and column.name in CLINIC_HEADER}
LISTS = {
    column.name: column for column in COLUMNS if column.values and column.name in CLINIC_HEADER
}


PATIENTS_BY_VISITS = (160, 180, 220, 209, 131)


def number(text: str) -> float:
    """Read a cell as its reader should: "7.1 %" is 7.1, "3,3" is 3.3, an empty one is missing."""
    return float(text.removesuffix(" %").replace(",", ".")) if text else np.nan


def people() -> dict[str, list[dict[str, str]]]:
    rows: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in ROWS:
        rows[row["patient_id"]].append(row)
    return rows


def test_the_same_bytes_everywhere():
    clinic_csv.cache_clear()
    digest = hashlib.sha256(clinic_csv()).hexdigest()
    assert digest == "6a02577a7227ed38a17047a2713c796fcfc55cd0b3d1ba03684a687487479f39"


def test_2671_visits_of_900_made_up_patients_on_different_days_in_order():
    assert tuple(ROWS[0]) == CLINIC_HEADER
    visits = Counter(len(rows) for rows in people().values())
    assert visits == dict(enumerate(PATIENTS_BY_VISITS, 1))
    assert (len(ROWS), sum(visits.values())) == (2671, 900)
    assert {row["patient_id"][:6] for row in ROWS} == {"MADEUP"}
    assert MADE_UP in json.loads(table_schema_json())["title"]
    for rows in people().values():
        assert len({row["age"] for row in rows} - {"-1"}) == len({row["sex"] for row in rows}) == 1
        days = [row["visit_date"] for row in rows]
        assert days == sorted(set(days))


@pytest.mark.parametrize("name", NUMBERS)
def test_the_codebooks_range_holds_every_number(name: str):
    column = NUMBERS[name]
    low, typical, high = float(column.low), float(column.typical), float(column.high)
    cells = {row[name] for row in ROWS if row[name] != column.missing}
    found = [number(cell) for cell in cells]
    assert low <= np.nanmin(found) < np.nanmax(found) <= high
    assert low <= typical <= high


def test_both_forms_of_the_codebook_describe_13_of_15_columns_and_list_every_value():
    lines = list(csv.DictReader(io.StringIO(codebook_csv().decode("utf-8"))))
    names = {line["column"] for line in lines}
    assert len(names & set(CLINIC_HEADER)) == 13
    assert names - set(CLINIC_HEADER) == {"temp", "site"}
    fields = json.loads(table_schema_json())["fields"]
    assert {field["name"] for field in fields} == names
    assert [f["name"] for f in fields if "decimalChar" in f] == ["ldl"]
    for name, column in LISTS.items():
        assert {row[name] for row in ROWS} == set(column.values)
