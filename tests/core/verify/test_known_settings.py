"""What the verifier knows by itself is what the program has, and what it wrote before."""

from dataclasses import fields
from enum import StrEnum

import pytest

from dpca_core.data import column_names, recipe_json, text_file_format
from dpca_core.data.provenance import Unit
from dpca_core.data.recipe import (
    Category,
    CategoryCoding,
    Combine,
    Missing,
    MissingPerson,
    Number,
    Recipe,
    RowLength,
    Scaling,
    Source,
)
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.release import assumptions, certificate, drawn, plan_checks, plan_json
from dpca_core.release.plan import Declaration, Scores
from dpca_core.release.release_files import PRACTICE
from dpca_core.verify import known_sentences as sentences
from dpca_core.verify import known_settings as known
from dpca_core.verify.__main__ import main
from dpca_core.verify.certificate_checks import certificate_checks
from dpca_core.verify.certificate_values import read_tree
from tests.core.verify.certificates import changed, linked
from tests.paths import ROOT

FIRST = ROOT / "tests" / "core" / "verify" / "first_certificate.json"
"""The second release of a made-up account, by the first version that wrote this format: pure noise
on three tables, persons of several rows, a category, a private mean, a mean's sentence of then."""


@pytest.mark.parametrize(
    ("allowed", "kind", "without"),
    [
        (known.SCALINGS, Scaling, {Scaling.AS_IN_PAPERS}),
        (known.COMBINED, Combine, set()),
        (known.MISSING_BECOMES, Missing, set()),
        (known.ROW_LENGTHS, RowLength, set()),
        (known.CODINGS, CategoryCoding, set()),
        (known.OF_NOBODY, MissingPerson, set()),
        (known.SOURCES, Source, {Source.FILE}),
    ],
)
def test_every_choice_is_allowed_but_those_that_read_the_table(
    allowed: tuple[str, ...], kind: type[StrEnum], without: set[StrEnum]
) -> None:
    assert allowed == tuple(choice.value for choice in kind if choice not in without)


def test_names_for_single_choices_are_those_of_the_program() -> None:
    assert known.NORM_ONLY == Scaling.NORM_ONLY
    assert known.PRIVATE_MEAN == Scaling.PRIVATE_MEAN
    assert known.SEVERAL == Combine.AT_MOST
    assert known.LENGTH_ONE == RowLength.ONE
    assert known.LEFT_OUT == MissingPerson.LEAVE_OUT


@pytest.mark.parametrize(
    ("kind", "of", "more"),
    [
        ("recipe", Recipe, {"format"}),
        ("numbers", Number, set()),
        ("categories", Category, set()),
        ("unit of the recipe", Unit, set()),
        ("number format", TextFileFormat, set()),
        ("scores", Scores, set()),
        ("declarations", Declaration, set()),
    ],
)
def test_keys_are_those_of_the_program(kind: str, of: type, more: set[str]) -> None:
    assert known.KEYS[kind] == sorted({found.name for found in fields(of)} | more)


def test_formats_marks_and_limits_are_those_of_the_program() -> None:
    assert known.FORMATS == {"plan": plan_json.FORMAT, "recipe": recipe_json.FORMAT}
    assert known.MARKS_BETWEEN_CELLS == text_file_format.SEPARATORS
    assert known.DECIMAL_MARKS == text_file_format.DECIMALS
    assert ("", *known.MARKS_OF_THOUSANDS) == text_file_format.THOUSANDS
    assert known.KNOWN_ENCODINGS == text_file_format.ENCODINGS
    assert known.PROVED_COLUMNS == column_names.MAX_COLUMNS
    assert known.LETTERS_OF_SENTENCE == plan_checks.LONGEST_REASON
    ends = known.BINS_EACH_WAY[0], known.BINS_EACH_WAY[-1]
    assert ends == (plan_checks.FEWEST_BINS, drawn.MOST_BINS)


def test_what_is_said_now_is_the_last_version_of_what_may_be_said() -> None:
    assert sentences.KNOWN_ASSUMPTIONS[-1] == assumptions.ASSUMPTIONS
    assert sentences.KNOWN_THEOREMS[-1] == certificate.THEOREMS
    assert sentences.KNOWN_LIMITS_OF_CHECKING[-1] == assumptions.CANNOT_BE_SEEN
    assert sentences.KNOWN_OMISSIONS[-1] == certificate.NOT_PUBLISHED
    assert sentences.PRACTICE_SENTENCE == PRACTICE


def test_a_certificate_of_the_first_version_is_still_right(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([str(FIRST)]) == 0
    assert "WRONG" not in capsys.readouterr().out
    tree = read_tree(FIRST.read_bytes())
    assert tree["not_published"] == sentences.KNOWN_OMISSIONS[0] != sentences.KNOWN_OMISSIONS[-1]
    forged = linked(changed(tree, ("plan", "recipe", "combine"), "at most 3 kept"))
    assert "several rows of a person" in {c.name for c in certificate_checks(forged) if not c.right}
