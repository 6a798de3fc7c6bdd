"""Columns for each row of the table of kinds: true examples, and such as only look like it."""

from collections.abc import Sequence
from datetime import date, timedelta
from random import Random

from dpca_core.detection.column_proposal import Recognised

_RANDOM = Random(5)
DAYS = [date(2019, 1, 1) + timedelta(days=17 * i) for i in range(60)]
WORDS = ["the", "patient", "came", "in", "with", "pain", "and", "went", "home", "again"]
SENTENCES = [" ".join(_RANDOM.choices(WORDS, k=14)) for _ in range(60)]
WHOLE = [str(_RANDOM.randint(100, 900)) for _ in range(300)]

Example = tuple[str, Sequence[str]]
"""A column's name and its cells."""

TRUE: dict[Recognised, tuple[Example, Example]] = {
    Recognised.EMPTY: (("x", ["", "NA", ""]), ("spaces", ["  ", "", "  "])),
    Recognised.CONSTANT: (("x", ["4"] * 30), ("word", ["yes"] * 30)),
    Recognised.DATE: (
        ("visit", [day.isoformat() for day in DAYS]),
        ("geboren", [f"{day.day}.{day.month}.{day.year}" for day in DAYS]),
    ),
    Recognised.TIME: (
        ("clock", [f"{i % 24:02}:{i % 60:02}" for i in range(60)]),
        ("at", [f"{i % 12}:{i % 60:02}:05 PM" for i in range(1, 61)]),
    ),
    Recognised.EMAIL: (
        ("mail", [f"a{i}@example.org" for i in range(30)]),
        ("contact", ["me@a.example"] * 9 + [f"b.{i}@c.d.example" for i in range(9)]),
    ),
    Recognised.PHONE: (
        ("contact", [f"+49 30 {1000 + 37 * i} {i:02}" for i in range(30)]),
        ("call", [f"(555) {200 + i}-{4000 + 7 * i}" for i in range(30)]),
    ),
    Recognised.PERSONAL: (
        ("last_name", [f"{chr(65 + i % 26)}name{chr(97 + i % 7)}" for i in range(60)]),
        ("homeAddress", [f"{i} High Street" for i in range(60)]),
    ),
    Recognised.IDENTIFIER: (
        ("sample", [f"P{i:05}" for i in range(5, 5 + 3 * 80, 3)]),
        ("mrn", [str(_RANDOM.randint(1, 9999)) for _ in range(200)]),
    ),
    Recognised.ROW_NUMBER: (
        ("x", [str(i) for i in range(1, 61)]),
        ("unordered", [str(i) for i in _RANDOM.sample(range(200), 200)]),
    ),
    Recognised.POSTAL_CODE: (
        ("zip", [str(10_000 + 37 * i) for i in range(60)]),
        ("PLZ", [f"{i:05}" for i in range(900, 960)]),
    ),
    Recognised.LEADING_ZEROS: (
        ("region", [f"{i % 17:02}" for i in range(80)]),
        ("unit", [f"{7 * i:04}" for i in range(80)]),
    ),
    Recognised.DIAGNOSIS: (
        ("x", [f"E{10 + i % 9}.{i % 8}" for i in range(90)]),
        ("diagnosis", [f"I{10 + i % 20}0" for i in range(90)]),
    ),
    Recognised.FREE_TEXT: (
        ("said", SENTENCES),
        ("remarks", [s[:12] + str(i) for i, s in enumerate(SENTENCES)]),
    ),
    Recognised.SURVEY_WEIGHT: (
        ("fnlwgt", WHOLE),
        ("sampling weight", [f"{i}.5" for i in range(60)]),
    ),
    Recognised.NUMBER_WITH_UNIT: (
        ("hba1c", [f"{5 + i / 10:.1f} %" for i in range(60)]),
        ("sbp", [f"{100 + i}mmHg" for i in range(60)]),
    ),
    Recognised.COMMA: (
        ("ldl", [f"{i % 5},{i % 9}" for i in range(60)]),
        ("income", [f"{i + 1},{i * 7 % 1000:03}" for i in range(60)]),
    ),
    Recognised.MOSTLY_NUMBERS: (
        ("crp", [f"{i / 10}" for i in range(60)] + ["<0.1"] * 3),
        ("los", [str(i) for i in range(5, 60)] + ["unknown"] * 2),
    ),
    Recognised.TEXTS: (("sex", ["F", "M"] * 20), ("ward", ["A1", "A2", "ICU", ""] * 20)),
    Recognised.MANY_TEXTS: (
        ("job", [f"job {chr(97 + i // 26)}{chr(97 + i % 26)}" for i in range(60)]),
        ("plan", [f"{chr(65 + i % 26)}{chr(97 + i // 26)}-{i % 7}" for i in range(80)]),
    ),
    Recognised.CODE: (
        ("insurance_type", [str(i % 6) for i in range(60)]),
        ("occupationCode", [str(3 * (i % 17)) for i in range(60)]),
    ),
    Recognised.STEPS: (
        ("pain", [str(i % 11) for i in range(60)]),
        ("children", ["0", "1", "2"] * 20),
    ),
    Recognised.NEARLY_DISTINCT: (
        ("x", [str(40 + 3 * i) for i in range(60)]),
        ("account", [str(i * i + 7) for i in range(60)]),
    ),
    Recognised.NUMBERS: (
        ("bmi", [f"{20 + i % 17 + i % 3 / 10}" for i in range(80)]),
        ("died", ["0", "1", "1", "0"] * 20),
    ),
}

FALSE: dict[Recognised, tuple[Example, Example]] = {
    Recognised.EMPTY: (("x", ["", "", "0", "1"]), ("x", ["-1", "", "3"])),
    Recognised.CONSTANT: (("x", ["4"] * 30 + ["5"]), ("x", ["yes"] * 30 + ["no"])),
    Recognised.DATE: (
        ("version", [f"{i}.{40 + i}.7" for i in range(60)]),
        ("measured", [str(30_000_000 + 99_999 * i) for i in range(60)]),
    ),
    Recognised.TIME: (
        ("ratio", [f"{i}/7" for i in range(60)]),
        ("dose", [f"{i}.{i % 60:02}" for i in range(60)]),
    ),
    Recognised.EMAIL: (
        ("x", ["a at b", "c@d", "@"] * 9),
        ("handle", [f"@user{chr(97 + i)}" for i in range(26)]),
    ),
    Recognised.PHONE: (
        ("income", [f"{i + 1} 234 567" for i in range(60)]),
        ("band", [f"{1000 * i}-{1000 * i + 999}" for i in range(12)]),
    ),
    Recognised.PERSONAL: (
        ("drug name", ["aspirin", "placebo"] * 20),
        ("test_name", [f"t{i}x" for i in range(60)]),
    ),
    Recognised.IDENTIFIER: (
        ("dose", [f"{100 + i} mg" for i in range(90)]),
        ("no_of_visits", [str(i % 30) for i in range(300)]),
    ),
    Recognised.ROW_NUMBER: (
        ("age", [str(18 + i % 60) for i in range(200)]),
        ("gap", [str(i) for i in range(1, 61) if i != 30]),
    ),
    Recognised.POSTAL_CODE: (("zipper", WHOLE), ("unzipped", ["a", "b"] * 20)),
    Recognised.LEADING_ZEROS: (("x", ["0.5", "0", "0.25"] * 20), ("x", ["0", "10", "20"] * 20)),
    Recognised.DIAGNOSIS: (
        ("ward", [f"A{i % 9}" for i in range(60)]),
        ("x", [f"B{10 + i % 20}" for i in range(60)]),
    ),
    Recognised.FREE_TEXT: (
        ("said", SENTENCES[:3] * 20),
        ("country", [f"The land of {i}" for i in range(60)]),
    ),
    Recognised.SURVEY_WEIGHT: (
        ("weight", [str(50 + i % 60) for i in range(90)]),
        ("birth_weight", WHOLE),
    ),
    Recognised.NUMBER_WITH_UNIT: (
        ("x", [f"{i} {chr(97 + i % 9)}" for i in range(60)]),
        ("range", [f"{i}-{i + 9}" for i in range(60)]),
    ),
    Recognised.COMMA: (
        ("x", [f"{i}.5" for i in range(60)]),
        ("pair", [f"a{i},b" for i in range(60)]),
    ),
    Recognised.MOSTLY_NUMBERS: (
        ("x", [str(i % 9) for i in range(60)] + ["9+"]),
        ("half", [str(i) for i in range(40)] + ["none"] * 30),
    ),
    Recognised.TEXTS: (
        ("x", ["1", "2"] * 20),
        ("x", [f"{chr(97 + i // 26)}{chr(97 + i % 26)}" for i in range(90)]),
    ),
    Recognised.MANY_TEXTS: (("x", [f"t{chr(97 + i % 26)}" for i in range(90)]), ("x", WHOLE)),
    Recognised.CODE: (
        ("typed", [str(i % 6) for i in range(60)]),
        ("type", ["1.5", "2.5", "3"] * 20),
    ),
    Recognised.STEPS: (("x", ["0", "1"] * 20), ("x", ["0.5", "1", "1.5"] * 20)),
    Recognised.NEARLY_DISTINCT: (("x", WHOLE), ("x", [f"{i * i}.5" for i in range(60)])),
    Recognised.NUMBERS: (("x", ["a", "b"] * 20), ("x", ["7,5", "6,5"] * 20)),
}
