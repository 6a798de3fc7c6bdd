"""The made-up clinic: the same bytes everywhere, nobody in it, a codebook that fits."""

import csv
import hashlib
import io
import json

from sample_data.made_up_clinic import CLINIC_HEADER, MADE_UP, clinic_csv, table_schema_json
from tests.clinic_columns import COLUMNS

ROWS = list(csv.DictReader(io.StringIO(clinic_csv().decode("utf-8"))))


def test_the_same_2671_visits_of_900_made_up_patients_everywhere():
    digest = hashlib.sha256(clinic_csv()).hexdigest()
    assert digest == "6a02577a7227ed38a17047a2713c796fcfc55cd0b3d1ba03684a687487479f39"
    patients = {row["patient_id"] for row in ROWS}
    assert (len(ROWS), len(patients)) == (2671, 900)
    assert all(patient.startswith("MADEUP") for patient in patients)
    assert MADE_UP in json.loads(table_schema_json())["title"]


def test_both_codebooks_describe_13_of_15_columns_and_two_others():
    assert tuple(ROWS[0]) == CLINIC_HEADER
    names = {column.name for column in COLUMNS}
    assert names == {*CLINIC_HEADER[2:], "temp", "site"}
    fields = json.loads(table_schema_json())["fields"]
    assert {field["name"] for field in fields} == names
    assert [f["name"] for f in fields if "decimalChar" in f] == ["ldl"]


def test_the_codebook_holds_every_value():
    """A cell is read as its reader should: "7.1 %" is 7.1, "3,3" is 3.3, an empty one missing."""
    for column in COLUMNS:
        if column.name not in CLINIC_HEADER:
            continue
        cells = {row[column.name] for row in ROWS} - {column.missing}
        if column.values:
            assert cells == set(column.values)
        else:
            found = [float(cell.removesuffix(" %").replace(",", ".")) for cell in cells - {""}]
            low, typical, high = float(column.low), float(column.typical), float(column.high)
            assert low <= min(found) < max(found) <= high
            assert low <= typical <= high
