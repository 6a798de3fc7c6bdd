"""A made-up clinic: 2,671 visits of 900 patients who do not exist, and the clinic's codebook.

The file has what real exports have: an identifier, a date, numbers with a unit in the cell, one
column with a decimal comma, a code for "not measured", empty cells, several rows a patient.
Every value is computed from a fixed seed; no person is in it. Nothing is read from any data set.
"""

import csv
import io
import json
from datetime import date, timedelta
from functools import cache
from random import Random
from statistics import NormalDist

from sample_data.made_up_clinic_codebook import COLUMNS, Described

FILE_NAME = "made-up-clinic.csv"
CODEBOOK_FILE_NAME = "made-up-clinic-codebook.csv"
TABLE_SCHEMA_FILE_NAME = "made-up-clinic-schema.json"
MADE_UP = "made up: no person in it"
CLINIC_HEADER = (
    "patient_id", "visit_date", "age", "sex", "sbp", "dbp", "bmi", "hba1c", "creatinine", "ldl",
    "hr", "smoker", "los_days", "ward", "died",
)  # fmt: skip
PATIENTS_BY_VISITS = (160, 180, 220, 209, 131)
"""Patients with one visit, two, ... five: 900 patients and 2,671 visits."""
_CLINIC_SEED, _ROW_OF_999, _PATIENT_OF_MINUS_ONE = 20260, 1374, 411
_FIRST_DAY, _DAYS, _DAYS_BETWEEN_VISITS = date(2024, 1, 2), 120, (14, 60)
_NO_HBA1C, _NO_LDL = 0.05, 0.04
_STOP, _BEGIN_AGAIN = 0.15, 0.08
_NORMAL = NormalDist()


class _Chance:
    """Draws from a fixed seed: uniform numbers of Mersenne Twister, the same on every machine."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def uniform(self) -> float:
        """Return a number above 0 and below 1."""
        return max(self._random.random(), 2.0**-53)

    def normal(self) -> float:
        """Return a standard normal number."""
        return _NORMAL.inv_cdf(self.uniform())

    def whole(self, low: int, high: int) -> int:
        """Return a whole number from ``low`` to ``high``, both included."""
        return low + int(self.uniform() * (high - low + 1))

    def one_of(self, weights: dict[str, float]) -> str:
        """Return a key with a probability in proportion to its weight."""
        left = self.uniform() * sum(weights.values())
        for key, weight in weights.items():
            left -= weight
            if left <= 0:
                return key
        return key


class _Patient:
    """One made-up patient: what stays the same from visit to visit, or nearly.

    ``vascular`` and ``metabolic`` are standard normal, correlated with age; they move blood
    pressure and kidneys, and weight, sugar and lipids.
    """

    def __init__(self, number: int, chance: _Chance) -> None:
        self.name = f"MADEUP{number:04d}"
        ageing = chance.normal()
        self.age = round(min(max(57 + 15 * ageing, 19), 97))
        self.ageing = (self.age - 57) / 15
        self.woman = chance.uniform() < 0.52
        self.vascular = 0.55 * self.ageing + 0.84 * chance.normal()
        self.metabolic = 0.25 * self.vascular + 0.97 * chance.normal()
        habits = {"never": 0.76, "former": 0.17, "current": 0.07}
        if not self.woman:
            habits = {"never": 0.22, "former": 0.46, "current": 0.32}
        self.smoker = chance.one_of(habits)
        self.frailty = 0.5 * self.ageing + 0.3 * (self.smoker == "current") + 0.8 * chance.normal()
        wards = {"A1": 0.66, "A2": 0.18, "B1": 0.13, "ICU": 0.03}
        if not self.woman:
            wards = {"A1": 0.16, "A2": 0.52, "B1": 0.27, "ICU": 0.05}
        self.usual_ward = chance.one_of(wards)
        self.first_visit = _FIRST_DAY + timedelta(days=chance.whole(0, _DAYS))


@cache
def clinic_csv() -> bytes:
    """Return the clinic's table as a CSV file in UTF-8: a header and 2,671 lines."""
    chance = _Chance(_CLINIC_SEED)
    counts = [visits for visits, many in enumerate(PATIENTS_BY_VISITS, 1) for _ in range(many)]
    for last in range(len(counts) - 1, 0, -1):
        other = chance.whole(0, last)
        counts[last], counts[other] = counts[other], counts[last]
    rows = []
    for number, visits in enumerate(counts, 1):
        patient = _Patient(number, chance)
        day = patient.first_visit
        for visit in range(1, visits + 1):
            rows.append(_visit(patient, day, visit == visits, chance))
            day += timedelta(days=chance.whole(*_DAYS_BETWEEN_VISITS))
            _may_change_habit(patient, chance)
        if number == _PATIENT_OF_MINUS_ONE:
            rows[-1]["age"] = "-1"
    rows[_ROW_OF_999]["sbp"] = "999"
    return _as_csv(CLINIC_HEADER, [[row[name] for name in CLINIC_HEADER] for row in rows])


def _may_change_habit(patient: _Patient, chance: _Chance) -> None:
    """Let one who smokes stop, or one who stopped begin again, between two visits."""
    change = chance.uniform()
    if patient.smoker == "current" and change < _STOP:
        patient.smoker = "former"
    elif patient.smoker == "former" and change < _BEGIN_AGAIN:
        patient.smoker = "current"


def _visit(patient: _Patient, day: date, last: bool, chance: _Chance) -> dict[str, str]:
    """Return one line of the table: the text of each cell."""
    illness = 0.7 * patient.frailty + 0.7 * chance.normal()
    ward = patient.usual_ward
    if illness > 1.9:
        ward = "ICU"
    elif chance.uniform() < 0.08:
        ward = chance.one_of({"A1": 1.0, "A2": 1.0, "B1": 1.0})
    pressure = 14 * patient.vascular + 9 * chance.normal()
    sugar = 5.8 + 0.75 * patient.metabolic + 0.5 * max(patient.metabolic - 0.8, 0)
    kidneys = 78 + 14 * (not patient.woman) + 13 * patient.vascular + 8 * patient.ageing
    lipids = 3.1 + 0.45 * patient.metabolic + 0.25 * (patient.smoker == "current")
    stay = 3.6 + 2.2 * illness + 1.5 * abs(chance.normal()) + 6 * (ward == "ICU")
    dead = last and illness > 1.2 and chance.uniform() < 0.3
    numbers = {
        "sbp": (126 + pressure, 82, 228, 0),
        "dbp": (75 + 0.5 * pressure + 5 * chance.normal(), 44, 132, 0),
        "bmi": (26.5 + 3.6 * patient.metabolic + 0.8 * chance.normal(), 15.5, 52, 1),
        "hba1c": (sugar + 0.25 * chance.normal(), 4.2, 14.5, 1),
        "creatinine": (kidneys + 9 * chance.normal() + 12 * max(illness, 0), 35, 390, 0),
        "ldl": (lipids + 0.35 * chance.normal(), 0.8, 7.8, 1),
        "hr": (74 + 5 * illness + 7 * chance.normal(), 42, 168, 0),
        "los_days": (stay, 0, 55, 0),
    }
    row = {name: _number(*parts) for name, parts in numbers.items()}
    row["hba1c"] = "" if chance.uniform() < _NO_HBA1C else f"{row['hba1c']} %"
    row["ldl"] = "" if chance.uniform() < _NO_LDL else row["ldl"].replace(".", ",")
    row.update(
        patient_id=patient.name,
        visit_date=day.isoformat(),
        age=str(patient.age),
        sex="F" if patient.woman else "M",
        smoker=patient.smoker,
        ward=ward,
        died=str(int(dead)),
    )
    return row


def _number(value: float, low: float, high: float, digits: int) -> str:
    """Return a value between two ends, with so many digits behind the point."""
    return f"{min(max(value, low), high):.{digits}f}"


def _as_csv(header: tuple[str, ...], rows: list[list[str]]) -> bytes:
    """Return a comma-separated file in UTF-8; cells with a comma are quoted."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue().encode()


def codebook_csv() -> bytes:
    """Return the clinic's codebook as a simple CSV file, one line a column.

    It describes 13 of the table's 15 columns, and two that the table does not have.
    """
    header = (
        "column", "use", "low", "typical", "high", "unit", "missing", "values", "source", "decimal",
    )  # fmt: skip
    return _as_csv(header, [_simple_line(column) for column in COLUMNS])


def _simple_line(column: Described) -> list[str]:
    values = "; ".join(column.values)
    use = "category" if column.values else "number"
    ends = [column.low, column.typical, column.high]
    decimal = "comma" if column.decimal_comma else ""
    parts = [column.unit, column.missing, values, column.source, decimal]
    return [column.name, use, *ends, *parts]


def table_schema_json() -> bytes:
    """Return the same codebook as a Frictionless Table Schema, which has no typical values."""
    fields = [_schema_field(column) for column in COLUMNS]
    schema = {"title": f"Clinic visits ({MADE_UP})", "fields": fields}
    return json.dumps(schema, indent=2, ensure_ascii=False).encode()


def _schema_field(column: Described) -> dict[str, object]:
    field: dict[str, object] = {"name": column.name}
    if column.values:
        field.update(type="string", constraints={"enum": list(column.values)})
    else:
        ends = {"minimum": int(column.low), "maximum": int(column.high)}
        field.update(type="number", constraints=ends)
    if column.unit:
        field["unit"] = column.unit
    if column.missing:
        field["missingValues"] = ["", column.missing]
    if column.decimal_comma:
        field["decimalChar"] = ","
    return field
