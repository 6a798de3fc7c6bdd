"""Each kind of column with two true and two false examples, and what follows from it."""

import pandas as pd
import pytest

from dpca_core.detection import column_questions as ask
from dpca_core.detection.column_proposal import CATEGORY, NUMBER, OUT, Recognised
from dpca_core.detection.kinds import propose_columns
from tests.core.detection.recognised_examples import FALSE, TRUE

NUMBERS = (
    Recognised.NUMBER_WITH_UNIT,
    Recognised.COMMA,
    Recognised.MOSTLY_NUMBERS,
    Recognised.STEPS,
    Recognised.NEARLY_DISTINCT,
    Recognised.NUMBERS,
)
USES = {NUMBER: NUMBERS, CATEGORY: (Recognised.TEXTS, Recognised.CODE)}
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
    assert found.name == name
    return found


@pytest.mark.parametrize("kind", TRUE, ids=lambda kind: kind.name)
def test_a_kind_is_recognised(kind):
    for name, cells in TRUE[kind]:
        found = proposed(name, cells)
        assert found.recognised is kind, (name, found)
        assert (ASKED.get(kind) in [q.key for q in found.questions]) == (kind in ASKED)
        coded = kind in (Recognised.DIAGNOSIS, Recognised.LEADING_ZEROS) and found.use == CATEGORY
        assert coded or found.use == next((u for u, kinds in USES.items() if kind in kinds), OUT)


@pytest.mark.parametrize("kind", FALSE, ids=lambda kind: kind.name)
def test_what_only_looks_like_it_is_not(kind):
    for name, cells in FALSE[kind]:
        assert proposed(name, cells).recognised is not kind, name


def test_every_kind_has_examples():
    without = {Recognised.UNSUPPORTED, Recognised.MAY_BE_CODES}
    assert {*TRUE} == {*FALSE} == {*Recognised} - without


@pytest.mark.parametrize(
    "kind", [Recognised.DIAGNOSIS, Recognised.LEADING_ZEROS], ids=lambda kind: kind.name
)
def test_a_few_codes_are_a_category_and_many_are_left_out(kind):
    uses = {proposed(*example).use for example in TRUE[kind]}
    assert uses == ({CATEGORY, OUT} if kind is Recognised.LEADING_ZEROS else {OUT, CATEGORY})


def test_typed_columns_are_recognised_too():
    days = [20190101 + 100 * (i % 12) + i % 28 for i in range(300)]
    table = pd.DataFrame(
        {
            "day": days,
            "seen": pd.to_datetime("2019-01-01") + pd.to_timedelta(range(300), "D"),
            "yes": [True, False] * 150,
            "pair": [(1, 2)] * 300,
            "word": pd.Categorical(["a", "b", "c"] * 100),
            "mixed": ["a", 1, 2.5] * 100,
        }
    )
    kinds = [proposal.recognised for proposal in propose_columns(table)]
    assert kinds[:3] == [Recognised.DATE, Recognised.UNSUPPORTED, Recognised.NUMBERS]
    assert kinds[4:] == [Recognised.TEXTS, Recognised.TEXTS]
    assert propose_columns(table)[3].use in (OUT, CATEGORY)


def test_units_are_noted_and_several_are_asked():
    one = proposed("sbp", [f"{100 + i} mmHg" for i in range(50)])
    assert (one.use, one.unit, one.questions) == (NUMBER, "mmHg", ())
    two = proposed("mass", [f"{50 + i} kg" for i in range(50)] + ["150 lb", "160 lb"])
    (question,) = two.questions
    assert two.unit == "kg"
    assert question.key == ask.UNITS
    assert question.answers == ("kg", "lb", ask.LEAVE_OUT)
    assert question.sentence == "“kg” and “lb”: which counts? The others are missing"
    four = proposed("mass", [f"{i} {unit}" for i in range(20) for unit in ("kg", "lb", "g", "st")])
    assert four.use == OUT


def test_a_comma_is_asked_however_the_file_is_read():
    from dpca_core.data.text_file_format import TextFileFormat

    cells = [f"{i},{i % 10}" for i in range(50)]
    for form in (TextFileFormat(), TextFileFormat(";", ","), TextFileFormat(";", ".", ",")):
        (found,) = propose_columns(pd.DataFrame({"ldl": cells}, dtype="string"), form)
        assert [question.key for question in found.questions] == [ask.COMMA]
        assert found.questions[0].answers == ("3,3 is 3.3", "3,300 is 3300")


def test_a_comma_before_a_unit_is_asked_too():
    found = proposed("hba1c", [f"{5 + i % 7},{i % 10} %" for i in range(50)])
    assert (found.unit, [question.key for question in found.questions]) == ("%", [ask.COMMA])


def test_a_weight_that_no_person_has_is_asked():
    assert proposed("weight", [f"{50 + i}.5" for i in range(90)]).questions == ()
    (question,) = proposed("weight", [f"{1000 + 17 * i}.5" for i in range(90)]).questions
    assert question.key == ask.WEIGHT


def test_codes_among_whole_numbers_that_occur_irregularly_are_asked():
    """Wide ranges of smooth counts are measurements; the numbers are fixed, not drawn."""
    times = [3, 190, 8, 77, 2, 240, 31, 5, 120, 9, 66, 1, 210, 14, 3, 99, 2, 45]
    plan = [str(i + 1) for i, count in enumerate(times) for _ in range(count)]
    assert len(times) == 18
    wide = [str(5 * i + 1) for i, count in enumerate(times * 2) for _ in range(count)]
    assert proposed("occupation", wide).recognised is Recognised.MAY_BE_CODES
    assert proposed("plan", plan).recognised is Recognised.MAY_BE_CODES
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
