"""What an owner states of looks before deciding: in the plan, on both pages, never assumed."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from dpca_core.data import recipe_json
from dpca_core.data.handover import (
    CURVES_LOOKED_AT,
    LOOK_NOT_STATED,
    UNREAD,
    Look,
    look_sentence,
    looks_of,
)
from dpca_core.release import plan_json
from dpca_core.release.drawn import to_bytes
from dpca_core.release.plan import Declaration
from dpca_core.release.published_release import PublishedRelease
from dpca_core.release.report_preparation import declaration_rows, preparation_rows
from tests.core.release import test_command_line
from tests.core.release.draw_cases import RECIPE
from tests.core.release.plans import some_account, some_plan
from tests.core.release.published_cases import made_up
from tests.core.release.test_command_line import Shell

shell = test_command_line.shell
BEFORE = "Before deciding, the owner looked at "
STATED = {
    (): LOOK_NOT_STATED,
    ("nothing",): f"{BEFORE}neither values nor curves of the table.",
    ("values",): f"{BEFORE}values of the table.",
    ("curves",): f"{BEFORE}curves of the table.",
    ("curves", "values"): f"{BEFORE}values and curves of the table.",
}


def options(looks: tuple[str, ...]) -> list[str]:
    return [word for look in looks for word in ("--looked-at", look)]


def seen_recipe(shell: Shell) -> None:
    """Let the recipe say that values of its first column were shown."""
    first, *others = RECIPE.numbers
    recipe = replace(RECIPE, numbers=(replace(first, seen=True), *others))
    (shell.folder / "recipe.json").write_text(recipe_json.dumps(recipe), encoding="utf-8")


@pytest.mark.parametrize("looks", STATED)
def test_what_is_stated_stands_in_the_plan_and_on_both_pages(
    shell: Shell, looks: tuple[str, ...]
) -> None:
    shell.open()
    dry = shell.draw("out", "--dry-run", *options(looks))
    assert f"Published with it: {STATED[looks]}\n" in dry.stdout
    assert shell.draw("out", "--yes", *options(looks)).returncode == 0
    first, *others = shell.certificate("out")["plan"]["declarations"]
    assert first == {"sentence": STATED[looks], "answer": True}
    asked = UNREAD in [of["sentence"] for of in others]
    assert asked == (looks in ((), ("nothing",)))
    for page in ("certificate.html", "report.html"):
        text = (shell.folder / "out" / page).read_text(encoding="utf-8")
        assert STATED[looks] in text
        assert text.count("stated by the owner") == (1 if looks else 0)
        assert text.count("looked at neither values nor curves") == (looks == ("nothing",))
    assert shell.verify("out").returncode == 0


@pytest.mark.parametrize(
    ("looks", "said"), [(("nothing", "curves"), "nothing else"), (("all",), "invalid choice")]
)
def test_what_contradicts_itself_is_refused(
    shell: Shell, looks: tuple[str, ...], said: str
) -> None:
    shell.open()
    refused = shell.draw("out", "--yes", *options(looks))
    assert refused.returncode == 2
    assert said in refused.stderr
    assert shell.account()["releases"] == []


def test_nothing_cannot_be_stated_of_a_recipe_that_was_made_after_a_look(shell: Shell) -> None:
    seen_recipe(shell)
    shell.open()
    refused = shell.draw("out", "--yes", "--looked-at", "nothing")
    assert refused.returncode == 2
    assert refused.stderr.startswith("The recipe says that values of the table were shown")
    assert shell.account()["releases"] == []


def test_who_says_that_a_file_was_read_is_recorded_after_a_look_too(shell: Shell) -> None:
    seen_recipe(shell)
    shell.open()
    assert shell.draw("out", "--yes", "--unread", "no", "--looked-at", "curves").returncode == 0
    declared = shell.certificate("out")["plan"]["declarations"]
    assert declared[:2] == [
        {"sentence": STATED[("curves",)], "answer": True},
        {"sentence": UNREAD, "answer": False},
    ]
    page = (shell.folder / "out" / "report.html").read_text(encoding="utf-8")
    assert "no: the owner says that a file was read" in page


@pytest.mark.parametrize(
    ("looks", "words"),
    [
        ({Look.CURVES}, "not confirmed: curves of the table were seen before"),
        ({Look.VALUES, Look.CURVES}, "not confirmed: values and curves of the table were seen"),
        ({Look.NOTHING}, "yes, by the owner’s word"),
        ((), "yes, by the owner’s word"),
    ],
)
def test_ranges_after_a_look_are_not_confirmed(looks: set[Look], words: str) -> None:
    said = (Declaration(look_sentence(looks), True), Declaration(UNREAD, True))
    plan = some_plan(declarations=said)
    assert dict(preparation_rows(plan))["Fixed without reading the file"].startswith(words)
    assert looks_of(of.sentence for of in said) == frozenset(looks)


def test_a_plan_without_a_word_of_it_says_so_and_reads_as_before(tmp_path: Path) -> None:
    """As older plans, and those that are made in Python: nothing is added to what is stored."""
    plan = some_plan(declarations=(Declaration(UNREAD, True),))
    assert plan_json.loads(plan_json.dumps(plan)) == plan
    assert LOOK_NOT_STATED not in plan_json.dumps(plan)
    assert declaration_rows(plan) == [(UNREAD, "Yes"), (LOOK_NOT_STATED, "not asked")]
    known = some_plan(declarations=(Declaration(CURVES_LOOKED_AT, True),))
    assert declaration_rows(known) == [(CURVES_LOOKED_AT, "recorded, not asked")]
    assert declaration_rows(some_plan(practice="RAND")) == []
    account = some_account(tmp_path)
    bare = some_plan()
    row = account.begin_drawing(account.spend(bare))
    files = PublishedRelease.of(account.publish(row, to_bytes(made_up(bare)))).files()
    assert json.loads(files["certificate.json"])["plan"]["declarations"] == []
    for page in ("certificate.html", "report.html"):
        assert LOOK_NOT_STATED in files[page].decode()


def test_nothing_and_something_make_no_sentence() -> None:
    with pytest.raises(ValueError, match="state one of the two"):
        look_sentence({Look.NOTHING, Look.VALUES})
