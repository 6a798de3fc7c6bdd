"""What is said of looks at a table and of how ranges were fixed: never more than is known."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dpca_core.data.handover import (
    CURVES_LOOKED_AT,
    CURVES_LOOKED_AT_AFTER,
    LOOK_NOT_STATED,
    UNREAD,
    Look,
    confirmations,
    is_recorded,
    look_sentence,
    looks_of,
    recorded,
)
from dpca_core.release import plan_json
from dpca_core.release.drawn import to_bytes
from dpca_core.release.plan import Declaration, Plan
from dpca_core.release.plan_checks import LONGEST_REASON
from dpca_core.release.published_release import PublishedRelease
from dpca_core.release.report_preparation import declaration_rows, preparation_rows
from tests.core.release.cases import handed_over, made_up, some_account, some_plan, some_recipe

YES, NO = Declaration(UNREAD, True), Declaration(UNREAD, False)
CURVES, AFTER = Declaration(CURVES_LOOKED_AT, True), Declaration(CURVES_LOOKED_AT_AFTER, True)
BY_WORD, WAS_READ = "yes, by the owner’s word", "no: the owner says that a file was read"


def recording(**known: Any) -> tuple[Declaration, ...]:
    """What the program adds to a plan by itself."""
    return tuple(Declaration(sentence, True) for sentence in recorded(handed_over(**known)))


def with_seen(*names: str, **settings: Any) -> Plan:
    """A plan in which values of some columns were shown."""
    recipe = some_recipe()
    numbers = tuple(replace(column, seen=column.name in names) for column in recipe.numbers)
    return some_plan(recipe=replace(recipe, numbers=numbers), **settings)


def pages(folder: Path, *declarations: Declaration) -> tuple[list[dict[str, object]], str, str]:
    """What is declared in a certificate, and its two pages."""
    account, plan = some_account(folder), some_plan(declarations=declarations)
    row = account.begin_drawing(account.spend(plan))
    files = PublishedRelease.of(account.publish(row, to_bytes(made_up(plan)))).files()
    declared = json.loads(files["certificate.json"])["plan"]["declarations"]
    return declared, files["certificate.html"].decode(), files["report.html"].decode()


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        (some_plan(declarations=(YES,)), BY_WORD),
        (some_plan(), "not confirmed: the owner was not asked"),
        (some_plan(practice="RAND"), "not asked: built-in data"),
        (some_plan(declarations=recording(looked=True)), "not confirmed: curves of the table"),
        (
            with_seen("c0", "c2", declarations=recording(looked=True, seen=("a",))),
            "not confirmed: values of 2 columns and curves of the table were seen before",
        ),
        (some_plan(declarations=recording(seen=("left out",))), "not confirmed: values of the"),
        # A Yes of a plan that was written by hand does not outweigh what the recipe says.
        (with_seen("c1", declarations=(YES,)), "not confirmed: values of 1 column of the table"),
        # A look after deciding changes no range.
        (some_plan(declarations=(AFTER, NO)), WAS_READ),
    ],
)
def test_ranges_are_confirmed_only_by_who_saw_nothing(plan, words):
    assert dict(preparation_rows(plan))["Fixed without reading the file"].startswith(words)


@pytest.mark.parametrize(
    "looks", [{Look.CURVES}, {Look.VALUES, Look.CURVES}, {Look.NOTHING}, set()]
)
def test_a_stated_look_is_read_back_and_outweighs_a_yes(looks):
    said = look_sentence(looks)
    assert looks_of([said, UNREAD]) == frozenset(looks)
    found = dict(preparation_rows(some_plan(declarations=(Declaration(said, True), YES))))
    confirmed = found["Fixed without reading the file"] == BY_WORD
    assert confirmed == (looks <= {Look.NOTHING})
    with pytest.raises(ValueError, match="state one of the two"):
        look_sentence({Look.NOTHING, Look.VALUES})


def test_what_was_seen_is_recorded_and_not_asked():
    (nothing,) = recording()
    assert "neither values nor curves" in nothing.sentence
    plan = some_plan(declarations=(nothing, CURVES, YES, NO))
    recorded_twice = ["recorded, not asked"] * 2
    assert [answer for _, answer in declaration_rows(plan)] == [*recorded_twice, "Yes", "No"]
    curves, values = recorded(handed_over(looked=True, seen=("a", "patient id")))
    assert curves == CURVES_LOOKED_AT
    assert list(map(is_recorded, (curves, values, UNREAD))) == [True, True, False]
    assert looks_of([nothing.sentence, CURVES_LOOKED_AT_AFTER]) == frozenset()
    # After a look that changed nothing the question stays.
    after = handed_over(looked_after=True)
    assert recorded(after) == (CURVES_LOOKED_AT_AFTER,)
    assert UNREAD in [asked.sentence for asked in confirmations(after)]
    assert recorded(replace(after, looked=True)) == (CURVES_LOOKED_AT,)


def test_columns_that_are_not_released_are_not_named():
    names = tuple(f"{'x' * 190} {j}\n" for j in range(2000))
    for seen, columns, words in (
        (("id",), ("a", "b"), "described: some that are not released."),
        (("a", "id"), ("a", "b"), "described: a, others that are not released."),
        (tuple("abcdefgh"), tuple("abcdefgh"), "described: a, b, c, d, e, f, 2 more."),
        ((*names, "id", "date"), names, "1,994 more, others that are not released."),
    ):
        (said,) = recorded(handed_over(columns, seen=seen))
        assert said.endswith(words)
        assert said.isprintable()
        assert len(said) <= LONGEST_REASON


@pytest.mark.parametrize(("look", "answer"), [(CURVES, NO), (AFTER, YES)])
def test_certificate_and_pages_say_that_the_owner_looked(tmp_path, look, answer):
    declared, *texts = pages(tmp_path, look, answer)
    assert declared == [{"sentence": of.sentence, "answer": of.answer} for of in (look, answer)]
    for text in texts:
        assert look.sentence in text
        assert "recorded, not asked" in text
        assert (BY_WORD in text, WAS_READ in text) == (answer is YES, answer is NO)


def test_a_plan_without_a_word_of_looks_says_so_and_nothing_is_added_to_it(tmp_path):
    """As older plans, and those that are made in Python."""
    plan = some_plan(declarations=(YES,))
    assert LOOK_NOT_STATED not in plan_json.dumps(plan)
    assert declaration_rows(plan) == [(UNREAD, "Yes"), (LOOK_NOT_STATED, "not asked")]
    assert declaration_rows(some_plan(practice="RAND")) == []
    declared, *texts = pages(tmp_path)
    assert declared == []
    assert all(LOOK_NOT_STATED in text for text in texts)
