"""What an owner is told of her table before anything is spent: counts, and no cell of it."""

from dataclasses import replace

from dpca_core.data.recipe import Category, MissingPerson, Number, Recipe, Scale, Unit
from dpca_core.tables import records
from dpca_core.tables.check import check
from tests.core.tables.text_tables import text_table, written
from tests.hostile.one_sentence import require_sentence

RECIPE = Recipe(
    (Number("age", 0, 100), Number("weight", 0, 100, unit="kg", missing=("999", "lost"))),
    (Category("sex", ("female", "male"), missing=("?",)),),
    unit=Unit("patient", "patients"),
    scales=(Scale("pain", ("none", "some", "much")),),
)
HEAD = ("who", "age", "weight", "sex", "pain")
USUAL = [(f"p{i // 3}", 20 + i, f"{50 + i} kg", "male", ("none", "much")[i % 2]) for i in range(60)]
NOBODY = ("", *USUAL[0][1:])


def checked(rows, ids=(), **changes):
    recipe = replace(RECIPE, **changes)
    return check(text_table(written([HEAD, *rows]), recipe), recipe, ids)


def test_what_could_not_be_followed_is_counted_and_no_cell_is_told(monkeypatch):
    monkeypatch.setattr(records, "RUN", 100)
    odd = [("p1", "secret", "999", "?", ""), ("p1", "300", "1e999 kg", "F", "very"), ("p2", "7")]
    odd.append(("p2", "25", "lost", "male", "none"))
    found = checked([*USUAL, *odd])
    assert (found.records, found.wrong, found.lost) == (64, 1, ())
    assert [(c.name, c.filled, c.unread, c.cut, c.empty) for c in found.columns] == [
        *(("age", 63, 1, 1, 1), ("weight", 61, 1, 9, 3)),
        *(("pain", 62, 1, 0, 2), ("sex", 62, 1, 0, 2)),
    ]
    said = found.sentences()
    assert said[1].endswith("the first is record 63.")
    assert "age: 1 of 63 cells (2\u00a0%) could not be read as numbers." in said
    assert "weight: 9 of 60 values (15\u00a0%) cut to its range." in said
    assert "sex: its value is the same wherever there is one." in said
    for sentence in said:
        require_sentence(sentence)


def test_a_column_that_is_lost_comes_first():
    for column, cell, words in (
        ("weight", "1,5 kg", "1 of 1 cells (100\u00a0%) could not be read as numbers"),
        ("sex", "F", "1 of 1 cells (100\u00a0%) held none of its values"),
        ("pain", "", "every cell is empty or missing"),
    ):
        found = checked([{**dict(zip(HEAD, USUAL[0], strict=True)), column: cell}.values()])
        assert [lost.name for lost in found.lost] == [column]
        assert found.sentences()[1] == f"{column}: {words}."


def test_whose_rows_they_are_and_a_unit_that_they_contradict_is_asked_about():
    found = checked([*USUAL, NOBODY], ("who",), person=("who",))
    assert found.sentences()[1:3] == (
        "They are of 20 patients, at most 3 of one patient.",
        "1 of 61 rows (2\u00a0%) named no patient; such rows are left out.",
    )
    own = checked([NOBODY], person=("who",), missing_person=MissingPerson.OWN)
    assert "count as a patient each" in own.sentences()[2]
    asked = "There are 60 rows and 20 different values of who: is every row a different patient?"
    assert checked(USUAL, ("who",)).sentences()[1] == asked
    assert not any("every row" in said for said in checked(USUAL[::3], ("who",)).sentences())
