"""What certificate and report say of how ranges were fixed: by the owner's word, or not at all."""

import json
from dataclasses import replace
from types import MappingProxyType

import pytest

from dpca_core.data.handover import (
    CURVES_LOOKED_AT,
    CURVES_LOOKED_AT_AFTER,
    UNREAD,
    Handover,
    confirmations,
    is_recorded,
    looks_of,
    recorded,
)
from dpca_core.data.provenance import Unit
from dpca_core.data.recipe import Category, Number, Recipe, Source
from dpca_core.privacy.budget import Adjacency
from dpca_core.release.plan import Declaration, Plan
from dpca_core.release.plan_checks import LONGEST_REASON
from dpca_core.release.report_preparation import declaration_rows, preparation_rows
from tests.core.release.plans import some_plan, some_recipe
from tests.core.release.published_cases import made_up, plans, published

YES, NO = Declaration(UNREAD, True), Declaration(UNREAD, False)


def handed_over(
    *, seen: tuple[str, ...] = (), looked: bool = False, columns: tuple[str, ...] = ("a", "b")
) -> Handover:
    """A decision about columns of numbers, after a look or without one."""
    numbers = tuple(Number(name, 0.0, 1.0, seen=name in seen) for name in columns)
    return Handover(
        recipe=Recipe(numbers, bounds_are_public=True),
        unit=Unit(),
        neighbours=Adjacency.ADD_OR_REMOVE_ONE,
        epsilon=1.0,
        delta=1e-6,
        mechanism="gaussian",
        people_guess=900.0,
        sources=MappingProxyType(dict.fromkeys(columns, Source.DECLARED)),
        whose_rows=Source.DECLARED,
        seen=seen,
        looked=looked,
        asked=MappingProxyType({}),
        reason="",
    )


def said(plan: Plan) -> str:
    """What the page says of ranges."""
    return dict(preparation_rows(plan))["Fixed without reading the file"]


def recording(decision: Handover) -> tuple[Declaration, ...]:
    """What the program adds to a plan by itself."""
    return tuple(Declaration(sentence, True) for sentence in recorded(decision))


def with_seen(*names: str) -> Plan:
    """A plan in which values of some columns were shown."""
    recipe = some_recipe()
    numbers = tuple(replace(column, seen=column.name in names) for column in recipe.numbers)
    return some_plan(recipe=replace(recipe, numbers=numbers))


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        (some_plan(declarations=(YES,)), "yes, by the owner’s word"),
        (some_plan(declarations=(NO,)), "no: the owner says that a file was read"),
        (some_plan(), "not confirmed: the owner was not asked"),
        (some_plan(practice="RAND"), "not asked: built-in data"),
        (
            some_plan(declarations=recording(handed_over(looked=True))),
            "not confirmed: curves of the table were seen before",
        ),
        (with_seen("c0"), "not confirmed: values of 1 column of the table were seen before"),
        (
            replace(
                with_seen("c0", "c2"),
                declarations=recording(handed_over(looked=True, seen=("a",))),
            ),
            "not confirmed: values of 2 columns and curves of the table were seen before",
        ),
        (
            some_plan(declarations=recording(handed_over(seen=("left out",)))),
            "not confirmed: values of the table were seen before",
        ),
        # A Yes of a plan that was written by hand does not outweigh what the recipe says.
        (
            replace(with_seen("c1"), declarations=(YES,)),
            "not confirmed: values of 1 column of the table were seen before",
        ),
    ],
)
def test_it_says_what_is_known(plan: Plan, words: str) -> None:
    assert said(plan) == words


def test_what_was_seen_is_recorded_and_not_asked() -> None:
    (nothing,) = recorded(handed_over())
    assert nothing == (
        "In the session in which this was decided, the workbench showed neither values nor curves "
        "of the table."
    )
    plan = some_plan(declarations=(Declaration(nothing, True), YES))
    assert [answer for _, answer in declaration_rows(plan)] == ["recorded, not asked", "Yes"]
    assert looks_of([nothing]) == frozenset()
    curves, values = recorded(handed_over(looked=True, seen=("a", "patient id")))
    assert curves == CURVES_LOOKED_AT == "The owner looked at curves of the table before deciding."
    assert values == (
        "Values of these columns were shown before they were described: "
        "a, others that are not released."
    )
    assert [is_recorded(sentence) for sentence in (curves, values, UNREAD)] == [True, True, False]
    rows = declaration_rows(some_plan(declarations=(Declaration(curves, True), YES, NO)))
    assert [answer for _, answer in rows] == ["recorded, not asked", "Yes", "No"]


@pytest.mark.parametrize(
    ("seen", "columns", "words"),
    [
        (("a",), ("a", "b"), "a."),
        (("id",), ("a", "b"), "some that are not released."),
        (("a", "id"), ("a", "b"), "a, others that are not released."),
        (tuple("abcdefgh"), tuple("abcdefgh"), "a, b, c, d, e, f, 2 more."),
    ],
)
def test_columns_that_are_not_released_are_not_named(
    seen: tuple[str, ...], columns: tuple[str, ...], words: str
) -> None:
    (said,) = recorded(handed_over(seen=seen, columns=columns))
    assert said == f"Values of these columns were shown before they were described: {words}"


def test_a_look_after_deciding_is_recorded_and_the_question_stays() -> None:
    after = replace(handed_over(), looked_after=True)
    (said,) = recorded(after)
    assert said == CURVES_LOOKED_AT_AFTER == (
        "After ranges were fixed, and before this release, the owner looked at curves of the "
        "table."
    )  # fmt: skip
    assert is_recorded(said)
    assert looks_of([said]) == frozenset()
    assert UNREAD in [asked.sentence for asked in confirmations(after)]
    assert recorded(replace(after, looked=True)) == (CURVES_LOOKED_AT,)
    for answer, words in ((YES, "yes, by the owner’s word"),
                          (NO, "no: the owner says that a file was read")):  # fmt: skip
        of = replace(plans()["matrix alone"], declarations=(*recording(after), answer))
        files = published(of, made_up(of)).files()
        for page in ("certificate.html", "report.html"):
            text = files[page].decode()
            assert said in text
            assert "recorded, not asked" in text
            assert words in text


def test_a_category_may_have_been_seen_too() -> None:
    decision = handed_over(seen=("sex",))
    recipe = replace(decision.recipe, categories=(Category("sex", ("f", "m"), seen=True),))
    (values,) = recorded(replace(decision, recipe=recipe))
    assert values.endswith("described: sex.")


def test_many_long_names_still_make_a_sentence() -> None:
    names = tuple(f"{'x' * 190} {j}\n" for j in range(2000))
    (values,) = recorded(handed_over(seen=(*names, "id", "date"), columns=names))
    assert len(values) <= LONGEST_REASON
    assert values.endswith("1,994 more, others that are not released.")
    assert values.isprintable()


def test_certificate_and_pages_say_that_the_owner_looked() -> None:
    of = plans()["rounded Gaussian"]
    of = replace(of, declarations=(*recording(handed_over(looked=True)), NO))
    files = published(of, made_up(of)).files()
    declared = json.loads(files["certificate.json"])["plan"]["declarations"]
    assert declared == [
        {"sentence": CURVES_LOOKED_AT, "answer": True},
        {"sentence": UNREAD, "answer": False},
    ]
    for page in ("certificate.html", "report.html"):
        text = files[page].decode()
        assert CURVES_LOOKED_AT in text
        assert "recorded, not asked" in text
        assert "no: the owner says that a file was read" in text
        assert "yes, by the owner" not in text
