"""Ten small tables such as owners have, computed from fixed seeds: no person is in them.

Each comes as bytes of a CSV file, with what every column is, so that proposals can be compared.
``?`` before a kind says that a question must be asked whatever is proposed; several kinds with a
bar between them are all as good.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import Any

NUMBER, CATEGORY, OUT, ASK = "number", "category", "out", "?"


@dataclass(frozen=True)
class MadeUpTable:
    """A table as a file, and the right use of each column."""

    name: str
    content: bytes
    right: Mapping[str, str]


def _day(chance: Random, since: int = 2015) -> date:
    return date(since, 1, 1) + timedelta(days=chance.randrange(3000))


def _file(
    columns: Mapping[str, Sequence[Any]], delimiter: str = ",", encoding: str = "utf-8"
) -> bytes:
    """Write columns as a file; a cell that holds the delimiter is quoted."""

    def cell(value: Any) -> str:
        text = str(value)
        return f'"{text}"' if delimiter in text else text

    rows = zip(*columns.values(), strict=True)
    lines = [delimiter.join(map(cell, row)) for row in (tuple(columns), *rows)]
    return ("\n".join(lines) + "\n").encode(encoding)


def _laboratory() -> MadeUpTable:
    """Laboratory values with units, limits of detection and a German decimal comma."""
    chance, n = Random(1), 400
    rows = range(n)
    columns = {
        "Probe": [f"L{chance.randrange(10**6):06}" for _ in rows],
        "Entnahme": [f"{d.day:02}.{d.month:02}.{d.year}" for d in (_day(chance) for _ in rows)],
        "Geschlecht": [chance.choice("mwd") for _ in rows],
        "CRP": [chance.choice(["<0,6", *(f"{chance.uniform(1, 90):.1f}".replace(".", ",")
                                        for _ in range(19))]) for _ in rows],
        "HbA1c": [f"{chance.gauss(6, 1):.1f}".replace(".", ",") + " %" for _ in rows],
        "Natrium": [f"{chance.gauss(140, 3):.0f} mmol/l" for _ in rows],
        "Größe": [round(chance.gauss(171, 9)) for _ in rows],
    }  # fmt: skip
    right = {
        "Probe": OUT, "Entnahme": OUT, "Geschlecht": CATEGORY, "CRP": f"{ASK}{NUMBER}",
        "HbA1c": f"{ASK}{NUMBER}", "Natrium": NUMBER, "Größe": NUMBER,
    }  # fmt: skip
    return MadeUpTable("laboratory", _file(columns, ";"), right)


def _survey() -> MadeUpTable:
    """A survey with scales, codes of missing answers and a weight."""
    chance, n = Random(2), 1500
    rows = range(n)
    likert = [*range(1, 8), 99]
    columns = {
        "respondent": list(range(1, n + 1)),
        "q1": [chance.choice(likert) for _ in rows],
        "q2": [chance.choice([1, 2, 9]) for _ in rows],
        "occupation_code": [chance.choice([11, 12, 21, 22, 31, 41, 42, 51, 71, 72, 81, 91])
                            for _ in rows],
        "sector": [chance.choices(range(17), [k * k % 13 + 1 for k in range(17)])[0] for _ in rows],
        "age": [min(max(round(chance.gauss(48, 17)), 18), 97) for _ in rows],
        "income": [chance.choice([-9, *(round(chance.lognormvariate(8, 0.6)) for _ in range(9))])
                   for _ in rows],
        "weight": [f"{chance.uniform(0.3, 3) * 1000:.2f}" for _ in rows],
        "comment": [chance.choice(["", f"I think that {k % 97} should be {k % 89}"]) for k in rows],
    }  # fmt: skip
    right = {
        "respondent": OUT, "q1": f"{ASK}{NUMBER}", "q2": ASK, "occupation_code": ASK, "sector": ASK,
        "age": NUMBER, "income": f"{ASK}{NUMBER}", "weight": ASK, "comment": OUT,
    }  # fmt: skip
    return MadeUpTable("survey", _file(columns), right)


def _hospital() -> MadeUpTable:
    """Stays in a hospital: diagnoses, postal codes, dates, free text."""
    chance, n = Random(3), 800
    rows = range(n)
    words = ["admitted", "with", "pain", "in", "the", "left", "knee", "after", "a", "fall"]
    columns = {
        "MRN": [chance.randrange(10**7, 10**8) for _ in rows],
        "admitted": [f"{_day(chance).isoformat()} {chance.randrange(24):02}:00" for _ in rows],
        "icd": [f"{chance.choice('EIJK')}{chance.randrange(10, 40)}.{chance.randrange(9)}"
                for _ in rows],
        "zip": [f"{chance.randrange(1000, 99999):05}" for _ in rows],
        "ward": [chance.choice(["A1", "A2", "B1", "ICU"]) for _ in rows],
        "triage": [chance.choice([1, 2, 3, 4, 5]) for _ in rows],
        "temp": [f"{chance.gauss(37, 0.6):.1f}" for _ in rows],
        "pulse": [chance.choice([999, *(round(chance.gauss(80, 12)) for _ in range(99))])
                  for _ in rows],
        "history": [" ".join(chance.choices(words, k=15)) for _ in rows],
    }  # fmt: skip
    right = {
        "MRN": OUT, "admitted": OUT, "icd": OUT, "zip": OUT, "ward": CATEGORY,
        "triage": f"{ASK}{NUMBER}", "temp": NUMBER, "pulse": f"{ASK}{NUMBER}", "history": OUT,
    }  # fmt: skip
    return MadeUpTable("hospital", _file(columns), right)


def _payroll() -> MadeUpTable:
    """Pay with thousands commas, grades and yes or no."""
    chance, n = Random(4), 600
    rows = range(n)
    columns = {
        "Employee ID": [f"E-{chance.randrange(10**5):05}" for _ in rows],
        "last_name": [f"{chance.choice('ABCDEFGH')}{chance.choice(['ller', 'son', 'mann', 'ova'])}"
                      f"{chance.choice('aeiou')}" for _ in rows],
        "email": [f"p{k}@firm.example" for k in rows],
        "salary": [f"{round(chance.lognormvariate(10.8, 0.3)):,}" for _ in rows],
        "grade": [chance.choice(["A", "B", "C", "D"]) for _ in rows],
        "part time": [chance.choice(["yes", "no"]) for _ in rows],
        "years": [chance.randrange(0, 40) for _ in rows],
        "currency": ["EUR" for _ in rows],
        "bonus": ["" for _ in rows],
    }  # fmt: skip
    right = {
        "Employee ID": OUT, "last_name": OUT, "email": OUT, "salary": f"{ASK}{NUMBER}",
        "grade": CATEGORY, "part time": CATEGORY, "years": NUMBER, "currency": OUT, "bonus": OUT,
    }  # fmt: skip
    return MadeUpTable("payroll", _file(columns), right)


def _schools() -> MadeUpTable:
    """Marks of pupils, codes with leading zeros, a class."""
    chance, n = Random(5), 900
    rows = range(n)
    columns = {
        "school": [f"{chance.randrange(40):03}" for _ in rows],
        "pupil_no": [chance.randrange(1, 2000) for _ in rows],
        "class": [chance.randrange(1, 14) for _ in rows],
        "maths": [chance.choice([1, 2, 3, 4, 5, 6]) for _ in rows],
        "points": [round(chance.gauss(62, 13)) for _ in rows],
        "hours": [f"{chance.uniform(0, 20):.1f} h" for _ in rows],
        "born": [f"{_day(chance, 2004):%Y%m%d}" for _ in rows],
    }
    right = {
        "school": f"{CATEGORY}|{OUT}", "pupil_no": OUT, "class": ASK, "maths": f"{ASK}{NUMBER}",
        "points": NUMBER, "hours": NUMBER, "born": OUT,
    }  # fmt: skip
    return MadeUpTable("schools", _file(columns), right)


def _mass() -> MadeUpTable:
    """One quantity in two units, fractions written as per cent, tabs between cells."""
    chance, n = Random(6), 500
    rows = range(n)
    columns = {
        "uuid": [f"{chance.getrandbits(128):032x}" for _ in rows],
        "mass": [chance.choice([f"{chance.gauss(75, 9):.0f} kg", f"{chance.gauss(165, 20):.0f} lb"])
                 for _ in rows],
        "fat": [f"{chance.uniform(8, 40):.1f}%" for _ in rows],
        "blood pressure": [f"{chance.randrange(90, 160)}/{chance.randrange(60, 99)}" for _ in rows],
        "smoker": [chance.choice([0, 1]) for _ in rows],
        "sex": [chance.choice(["female", "male"]) for _ in rows],
    }  # fmt: skip
    right = {
        "uuid": OUT, "mass": f"{ASK}{NUMBER}", "fat": NUMBER, "blood pressure": OUT,
        "smoker": NUMBER, "sex": CATEGORY,
    }  # fmt: skip
    return MadeUpTable("mass", _file(columns, "\t"), right)


def _bank() -> MadeUpTable:
    """Accounts: long numbers, phone numbers, amounts below zero."""
    chance, n = Random(7), 700
    rows = range(n)
    columns = {
        "account": [chance.randrange(10**9, 10**10) for _ in rows],
        "phone": [f"+44 20 {chance.randrange(1000, 9999)} {chance.randrange(1000, 9999)}"
                  for _ in rows],
        "balance": [f"{chance.gauss(900, 2500):.2f}" for _ in rows],
        "transactions": [chance.randrange(0, 400) for _ in rows],
        "opened": [_day(chance).isoformat() for _ in rows],
        "branch_type": [chance.choice([1, 2, 3, 4]) for _ in rows],
        "score": [chance.randrange(300, 851) for _ in rows],
    }  # fmt: skip
    right = {
        "account": OUT, "phone": OUT, "balance": NUMBER, "transactions": NUMBER, "opened": OUT,
        "branch_type": ASK, "score": NUMBER,
    }  # fmt: skip
    return MadeUpTable("bank", _file(columns), right)


def _genes() -> MadeUpTable:
    """Expression levels, coded and continuous, of few people."""
    chance, n = Random(8), 60
    rows = range(n)
    columns: dict[str, list[Any]] = {"sample": [f"GSM{100_000 + 7 * k}" for k in rows]}
    columns |= {f"g{k}": [chance.choice([-2, 0, 2]) for _ in rows] for k in range(4)}
    columns |= {f"p{k}": [f"{chance.gauss(0, 1):.4f}" for _ in rows] for k in range(4)}
    columns["tissue"] = [chance.choice(["tumour", "normal"]) for _ in rows]
    right = {"sample": OUT, "tissue": CATEGORY}
    right |= {f"g{k}": f"{ASK}{NUMBER}" for k in range(4)} | {f"p{k}": NUMBER for k in range(4)}
    return MadeUpTable("genes", _file(columns), right)


def _housing() -> MadeUpTable:
    """Households with identifiers, counts and years."""
    chance, n = Random(9), 1200
    rows = range(n)
    columns = {
        "hh_id": [chance.randrange(1, 500) for _ in rows],
        "wave": [chance.choice([1, 2, 3]) for _ in rows],
        "built": [chance.randrange(1890, 2021) for _ in rows],
        "rooms": [chance.randrange(1, 10) for _ in rows],
        "area": [round(chance.lognormvariate(4.4, 0.3)) for _ in rows],
        "rent": [chance.choice(["refused", *(round(chance.gauss(800, 200)) for _ in range(30))])
                 for _ in rows],
        "region": [chance.choice(["north", "south", "east", "west"]) for _ in rows],
        "reference": [1_000_000 + 13 * chance.randrange(300_000) for _ in rows],
    }  # fmt: skip
    right = {
        "hh_id": OUT, "wave": f"{ASK}{NUMBER}", "built": NUMBER, "rooms": f"{ASK}{NUMBER}",
        "area": NUMBER, "rent": f"{ASK}{NUMBER}", "region": CATEGORY, "reference": OUT,
    }  # fmt: skip
    return MadeUpTable("housing", _file(columns), right)


def _trial() -> MadeUpTable:
    """A trial with sites, a restarting subject number and scores."""
    chance, n = Random(10), 450
    rows = range(n)
    columns = {
        "site": [chance.choice(["Basel", "Bern", "Genf"]) for _ in rows],
        "subject": [k % 45 + 1 for k in rows],
        "arm": [chance.choice([0, 1]) for _ in rows],
        "visit": [chance.choice([1, 2, 3, 4, 5, 6]) for _ in rows],
        "nyha_class": [chance.choice([1, 2, 3, 4]) for _ in rows],
        "score": [f"{chance.gauss(50, 10):.1f}" for _ in rows],
        "time": [f"{chance.randrange(24):02}:{chance.randrange(60):02}" for _ in rows],
        "delay": [chance.choice([-1, *(round(chance.expovariate(0.1)) for _ in range(30))])
                  for _ in rows],
    }  # fmt: skip
    right = {
        "site": CATEGORY, "subject": OUT, "arm": NUMBER, "visit": f"{ASK}{NUMBER}",
        "nyha_class": ASK, "score": NUMBER, "time": OUT, "delay": f"{ASK}{NUMBER}",
    }  # fmt: skip
    return MadeUpTable("trial", _file(columns), right)


MADE_UP: tuple[Callable[[], MadeUpTable], ...] = (
    _laboratory, _survey, _hospital, _payroll, _schools, _mass, _bank, _genes, _housing, _trial,
)  # fmt: skip
