"""Each kind of column, what is proposed for it and what is asked: examples, and whole tables."""

from datetime import date, timedelta
from random import Random

import numpy as np
import pandas as pd
import pytest

from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.detection import column_questions as ask
from dpca_core.detection.column_proposal import CATEGORY, NUMBER, OUT, Recognised
from dpca_core.detection.kinds import propose_columns
from dpca_core.detection.missing_codes import missing_codes
from dpca_core.detection.people import PersonProposal, propose_person
from dpca_core.detection.sampled_texts import sampled_texts
from dpca_core.readers.file_access import Upload
from dpca_core.readers.table import proposed_format, read_table
from tests.made_up_tables import ASK, MADE_UP
from tests.real_data import needs, path_of

CHANCE, N = Random(5), range(60)
LETTERS = "abcdefghijklmnopqrstuvwxyz"
DAYS = [date(2019, 1, 1) + timedelta(days=17 * i) for i in N]
WORDS = ["the", "patient", "came", "in", "with", "pain", "and", "went", "home", "again"]
SENTENCES = [" ".join(CHANCE.choices(WORDS, k=14)) for _ in N]
WHOLE = [str(CHANCE.randint(100, 900)) for _ in range(300)]
PAIRS = [LETTERS[i // 26] + LETTERS[i % 26] for i in range(90)]

Example = tuple[Recognised, str, list[str]]
TRUE: list[Example] = [
    (Recognised.EMPTY, "x", ["", "NA", ""]),
    (Recognised.CONSTANT, "x", ["4"] * 30),
    (Recognised.DATE, "geboren", [f"{day.day}.{day.month}.{day.year}" for day in DAYS]),
    (Recognised.TIME, "at", [f"{i % 12}:{i % 60:02}:05 PM" for i in N]),
    (Recognised.EMAIL, "contact", ["me@a.example"] * 9 + [f"b.{i}@c.d.example" for i in range(9)]),
    (Recognised.PHONE, "contact", [f"+49 30 {1000 + 37 * i} {i:02}" for i in N]),
    (Recognised.PERSONAL, "last_name", [f"{pair.title()}name" for pair in PAIRS]),
    (Recognised.IDENTIFIER, "sample", [f"P{i:05}" for i in range(5, 245, 3)]),
    (Recognised.IDENTIFIER, "mrn", [str(CHANCE.randint(1, 9999)) for _ in range(200)]),
    (Recognised.ROW_NUMBER, "unordered", [str(i) for i in CHANCE.sample(range(200), 200)]),
    (Recognised.POSTAL_CODE, "PLZ", [f"{i:05}" for i in range(900, 960)]),
    (Recognised.LEADING_ZEROS, "region", [f"{i % 17:02}" for i in range(80)]),
    (Recognised.LEADING_ZEROS, "unit", [f"{7 * i:04}" for i in range(80)]),
    (Recognised.DIAGNOSIS, "x", [f"E{10 + i % 9}.{i % 8}" for i in range(90)]),
    (Recognised.DIAGNOSIS, "diagnosis", [f"I{10 + i % 20}0" for i in range(90)]),
    (Recognised.FREE_TEXT, "remarks", [s[:12] + str(i) for i, s in enumerate(SENTENCES)]),
    (Recognised.SURVEY_WEIGHT, "fnlwgt", WHOLE),
    (Recognised.NUMBER_WITH_UNIT, "sbp", [f"{100 + i}mmHg" for i in N]),
    (Recognised.COMMA, "ldl", [f"{i % 5},{i % 9}" for i in N]),
    (Recognised.MOSTLY_NUMBERS, "crp", [f"{i / 10}" for i in N] + ["<0.1"] * 3),
    (Recognised.TEXTS, "ward", ["A1", "A2", "ICU", ""] * 20),
    (Recognised.MANY_TEXTS, "job", [f"job {pair}" for pair in PAIRS]),
    (Recognised.CODE, "occupationCode", [str(3 * (i % 17)) for i in N]),
    (Recognised.STEPS, "pain", [str(i % 11) for i in N]),
    (Recognised.NEARLY_DISTINCT, "account", [str(i * i + 7) for i in N]),
    (Recognised.NUMBERS, "bmi", [f"{20 + i % 17 + i % 3 / 10}" for i in range(80)]),
    (Recognised.NUMBERS, "died", ["0", "1", "1", "0"] * 20),
]
FALSE: list[Example] = [
    (Recognised.DATE, "measured", [str(30_000_000 + 99_999 * i) for i in N]),
    (Recognised.TIME, "dose", [f"{i}.{i % 60:02}" for i in N]),
    (Recognised.PHONE, "band", [f"{1000 * i}-{1000 * i + 999}" for i in range(12)]),
    (Recognised.PERSONAL, "drug name", ["aspirin", "placebo"] * 20),
    (Recognised.IDENTIFIER, "no_of_visits", [str(i % 30) for i in range(300)]),
    (Recognised.ROW_NUMBER, "gap", [str(i) for i in range(1, 61) if i != 30]),
    (Recognised.POSTAL_CODE, "zipper", WHOLE),
    (Recognised.LEADING_ZEROS, "x", ["0.5", "0", "0.25"] * 20),
    (Recognised.DIAGNOSIS, "ward", [f"A{i % 9}" for i in N]),
    (Recognised.FREE_TEXT, "said", SENTENCES[:3] * 20),
    (Recognised.SURVEY_WEIGHT, "weight", [str(50 + i % 60) for i in range(90)]),
    (Recognised.SURVEY_WEIGHT, "birth_weight", WHOLE),
    (Recognised.NUMBER_WITH_UNIT, "x", [f"{i} {LETTERS[i % 9]}" for i in N]),
    (Recognised.COMMA, "pair", [f"a{i},b" for i in N]),
    (Recognised.MOSTLY_NUMBERS, "half", [str(i) for i in range(40)] + ["none"] * 30),
    (Recognised.TEXTS, "x", PAIRS),
    (Recognised.MANY_TEXTS, "x", WHOLE),
    (Recognised.CODE, "typed", [str(i % 6) for i in N]),
    (Recognised.STEPS, "x", ["0", "1"] * 20),
    (Recognised.NEARLY_DISTINCT, "x", [f"{i * i}.5" for i in N]),
    (Recognised.NUMBERS, "x", ["7,5", "6,5"] * 20),
]
USES = {
    Recognised.NUMBER_WITH_UNIT: NUMBER,
    Recognised.COMMA: NUMBER,
    Recognised.MOSTLY_NUMBERS: NUMBER,
    Recognised.STEPS: NUMBER,
    Recognised.NEARLY_DISTINCT: NUMBER,
    Recognised.NUMBERS: NUMBER,
    Recognised.TEXTS: CATEGORY,
    Recognised.CODE: CATEGORY,
}
ASKED = {
    Recognised.COMMA: ask.COMMA,
    Recognised.MOSTLY_NUMBERS: ask.TEXTS,
    Recognised.CODE: ask.CODES,
    Recognised.STEPS: ask.CODES,
    Recognised.NEARLY_DISTINCT: ask.IDENTIFIER,
}


def proposed(name, cells):
    """Return the proposal for one column of text."""
    (found,) = propose_columns(pd.DataFrame({name: list(cells)}, dtype="string"))
    return found


@pytest.mark.parametrize(("kind", "name", "cells"), TRUE)
def test_a_kind_is_recognised(kind, name, cells):
    found = proposed(name, cells)
    assert found.recognised is kind
    assert (ASKED.get(kind) in [q.key for q in found.questions]) == (kind in ASKED)
    few_codes = {"region": CATEGORY, "diagnosis": CATEGORY}
    assert found.use == few_codes.get(name, USES.get(kind, OUT))


@pytest.mark.parametrize(("kind", "name", "cells"), FALSE)
def test_what_only_looks_like_it_is_not(kind, name, cells):
    assert proposed(name, cells).recognised is not kind


def test_typed_columns_are_recognised_too():
    days = pd.to_datetime("2019-01-01") + pd.to_timedelta(range(300), "D")
    columns = {
        "day": [20190101 + 100 * (i % 12) + i % 28 for i in range(300)],
        "seen": days,
        "yes": [True, False] * 150,
        "word": pd.Categorical(["a", "b", "c"] * 100),
        "mixed": ["a", 1, 2.5] * 100,
        "pair": [(1, 2)] * 300,
    }
    found = propose_columns(pd.DataFrame(columns))
    kinds = [Recognised.DATE, Recognised.UNSUPPORTED, Recognised.NUMBERS]
    assert [p.recognised for p in found[:5]] == [*kinds, Recognised.TEXTS, Recognised.TEXTS]
    assert found[5].use in (OUT, CATEGORY)


def test_units_are_noted_and_several_are_asked():
    one = proposed("sbp", [f"{100 + i} mmHg" for i in range(50)])
    assert (one.use, one.unit, one.questions) == (NUMBER, "mmHg", ())
    two = proposed("mass", [f"{50 + i} kg" for i in range(50)] + ["150 lb", "160 lb"])
    (question,) = two.questions
    assert (two.unit, question.key) == ("kg", ask.UNITS)
    assert question.answers == ("kg", "lb", ask.LEAVE_OUT)
    four = proposed("mass", [f"{i} {unit}" for i in range(20) for unit in ("kg", "lb", "g", "st")])
    assert four.use == OUT


@pytest.mark.parametrize(
    "form", [TextFileFormat(), TextFileFormat(";", ","), TextFileFormat(";", ".", ",")]
)
def test_a_comma_is_asked_however_the_file_is_read(form):
    cells = [f"{i},{i % 10}" for i in range(50)]
    (found,) = propose_columns(pd.DataFrame({"ldl": cells}, dtype="string"), form)
    assert [question.key for question in found.questions] == [ask.COMMA]
    assert found.questions[0].answers == ("3,3 is 3.3", "3,300 is 3300")
    with_unit = proposed("hba1c", [f"{5 + i % 7},{i % 10} %" for i in range(50)])
    assert (with_unit.unit, [q.key for q in with_unit.questions]) == ("%", [ask.COMMA])


def test_a_weight_that_no_person_has_is_asked():
    assert proposed("weight", [f"{50 + i}.5" for i in range(90)]).questions == ()
    (question,) = proposed("weight", [f"{1000 + 17 * i}.5" for i in range(90)]).questions
    assert question.key == ask.WEIGHT


def test_codes_among_whole_numbers_that_occur_irregularly_are_asked():
    """Wide ranges of smooth counts are measurements; the numbers are fixed, not drawn."""
    times = [3, 190, 8, 77, 2, 240, 31, 5, 120, 9, 66, 1, 210, 14, 3, 99, 2, 45]
    for name, factor, counts in (("plan", 1, times), ("occupation", 5, times * 2)):
        cells = [str(factor * i + 1) for i, count in enumerate(counts) for _ in range(count)]
        assert proposed(name, cells).recognised is Recognised.MAY_BE_CODES
    smooth = [str(20 + i) for i in range(40) for _ in range(50 - abs(20 - i) * 2)]
    assert proposed("age", smooth).recognised is Recognised.NUMBERS


def test_nearly_constant_is_not_constant_whatever_rows_are_looked_at():
    cells = [0] * 100_000
    cells[77_777] = 1
    for table in (pd.DataFrame({"x": cells}), pd.DataFrame({"x": map(str, cells)}, dtype="string")):
        assert propose_columns(table)[0].recognised is Recognised.NUMBERS


def test_an_empty_table_has_empty_columns():
    table = pd.DataFrame({"a": [], "b": pd.Series([], dtype="string")})
    assert [p.recognised for p in propose_columns(table)] == [Recognised.EMPTY, Recognised.EMPTY]
    assert propose_columns(pd.DataFrame()) == ()


# --- Codes of missing values: found where they lie apart, and only asked after ---

AGES = [*range(19, 98)]


@pytest.mark.parametrize(
    ("values", "codes"),
    [
        ([*range(80, 240), 999], (999,)),
        ([*AGES, -1], (-1,)),
        ([-9, -8, *range(1, 50), 99], (-9, -8, 99)),
        ([*range(1, 11), 77, 88, 99], (77, 88, 99)),
        ([*range(0, 5), 9], (9,)),
        ([0, 1, 99], (99,)),
        ([*range(60, 90), 9998, 9999], (9998, 9999)),
        ([*AGES, 98, 99], ()),
        ([*range(-30, 40)], ()),
        ([], ()),
        ([-1.5, -1, 3, 4], ()),
    ],
)
@pytest.mark.parametrize("times", [1, 40])
def test_codes_are_found_where_they_lie_apart_however_often_they_occur(values, codes, times):
    counts = np.array([times if value in codes else 5 for value in values], dtype=int)
    assert missing_codes(np.array(values, dtype=float), counts) == codes


def test_a_code_is_asked_and_noted():
    table = pd.DataFrame({"sbp": [*range(90, 190), 999], "age": [*AGES, *AGES[:21], -1]})
    sbp, age = propose_columns(table)
    assert (sbp.missing_code, age.missing_code) == ("999", "-1")
    assert ask.MISSING in [question.key for question in sbp.questions]
    (both,) = propose_columns(pd.DataFrame({"x": [-1, *AGES, *AGES, 999]}))
    assert both.missing_code == "-1; 999"
    assert both.questions[-1].sentence == "-1 and 999: missing, or real values?"


# --- Whole tables: a use that is wrong must come with a question ---


@pytest.mark.parametrize("name", MADE_UP)
def test_columns_of_made_up_tables_are_proposed_rightly_or_asked(name):
    made = MADE_UP[name]
    upload = Upload(f"{name}.csv", made.content)
    form = proposed_format(upload)
    table = read_table(upload.name, upload.content, form)
    proposals = propose_columns(table, form, sampled_texts(upload, form, len(table)))
    found = {proposal.name: proposal for proposal in proposals}
    assert found.keys() == made.right.keys()
    for column, right in made.right.items():
        uses = right.removeprefix(ASK)
        assert bool(found[column].questions) == right.startswith(ASK), (column, found[column])
        assert not uses or found[column].use in uses.split("|"), (column, found[column])


@pytest.mark.parametrize("name", ["breast_cancer", "diabetes", "wine"])
def test_measurements_are_numbers_without_a_question_and_name_nobody(name):
    datasets = pytest.importorskip("sklearn.datasets")
    table = getattr(datasets, f"load_{name}")(as_frame=True).frame
    assert propose_person(table) == PersonProposal()
    found = propose_columns(table)
    assert {one.use for one in found} == {NUMBER}
    assert [one.name for one in found if one.questions] == ["target"] * (name == "wine")


@needs("adult.parquet")
def test_adult():
    found = {p.name: p for p in propose_columns(pd.read_parquet(path_of("adult.parquet")))}
    asked = {n: [q.key for q in p.questions] for n, p in found.items() if p.questions}
    assert found["fnlwgt"].recognised is Recognised.SURVEY_WEIGHT
    assert {name for name, one in found.items() if one.use == OUT} == {"fnlwgt"}
    numbers = {"age", "education-num", "capital-gain", "capital-loss", "hours-per-week"}
    assert {name for name, one in found.items() if one.use == NUMBER} == numbers
    # A top code: asked, and rightly answered with "a real value".
    assert asked == {"education-num": [ask.CODES], "capital-gain": [ask.MISSING]}
    assert found["capital-gain"].missing_code == "99999"
