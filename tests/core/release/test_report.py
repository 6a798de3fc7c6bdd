"""The report of a release: one file that needs no script and no network, and what it says."""

import re
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from html import unescape
from math import ceil

import numpy as np
import pandas as pd
import pytest

from dpca_core.data.recipe import (
    ONE_ROW,
    CategoryCoding,
    Combine,
    Missing,
    Number,
    RowLength,
    Scaling,
)
from dpca_core.data.text_file_format import Escape, TextFileFormat
from dpca_core.privacy.budget import Adjacency
from dpca_core.release.exact_sums import exact_sums
from dpca_core.release.grid import GRID
from dpca_core.release.plan import MATRIX, chance_of_guess, counted, preview_rows
from dpca_core.release.published_release import facts_of
from dpca_core.release.reading import Reading
from dpca_core.release.report import percent, report_html, whole
from dpca_core.release.table_source import TableSource
from dpca_core.text.release_statements import COMMAND, INSTALL, MEAN_STAYS, assumptions
from tests.core.release import cases
from tests.core.release.cases import CODED, PUBLIC, made_up, some_plan, with_everything

FACTS = facts_of(cases.published(some_plan(practice="RAND")).row)
TAG = re.compile(r"<(/?\w+)([^<>]*)>")
"""Nothing else begins with "<": what strangers typed is escaped."""


def page_of(of, exact=None, **facts):
    """Return a report's page, of an exact matrix (d, d) in people where one is given."""
    tables = made_up(of)
    if exact is not None:
        tables[MATRIX] = np.rint(exact * GRID**2).astype(np.int64)
    return report_html(Reading(of, tables), FACTS | facts).decode()


def text_of(page):
    """Return its words, each cell apart from the next."""
    body = re.sub(r"<style>.*?</style>", "", page, flags=re.S)
    return unescape(TAG.sub("", body.replace("</", " </")))


def said(of, exact=None, **facts):
    return " ".join(text_of(page_of(of, exact, **facts)).split())


MARKUP = ("<b>age</b>", '"weight"', "=cmd|' /C calc'!A0", "<img src=x onerror=alert(1)>", "pulse")
HOSTILE = "</blockquote><script>alert(1)</script> & because"


@pytest.fixture(scope="module")
def release():
    numbers = tuple(Number(name, 0.0, 200.0, unit="<u>kg</u>") for name in MARKUP)
    recipe = replace(cases.RECIPE, numbers=numbers)
    typed = {"reason": HOSTILE, "practice": "<b>made-up</b> people"}
    return cases.published(with_everything(recipe=recipe, **typed))


def test_nothing_in_it_runs_or_asks_for_anything_and_texts_of_strangers_are_texts(release):
    page = release.files()["report.html"].decode()
    assert page.count("<") == len(TAG.findall(page)) + 1  # the doctype
    tags, attributes = zip(*TAG.findall(page), strict=True)
    assert {"script", "link", "iframe", "img", "object", "embed", "base", "form"}.isdisjoint(tags)
    asks = r"\b(src|href|action|data|poster|srcset|background|formaction|on\w+)\s*="
    assert not re.search(asks, " ".join(attributes))
    assert not re.search(r"://|@import|url\(", page)
    for typed in (*MARKUP, HOSTILE, "<u>kg</u>", "<b>Clinic</b>", "PRACTICE on <b>made-up</b>"):
        assert typed in text_of(page)
    assert not re.search(r"<[bu]\b", re.sub(r"<(body|blockquote)", "", page))


@pytest.mark.parametrize("mechanism", cases.NOISES)
def test_sentence_table_and_file_have_one_number(mechanism):
    of = with_everything(mechanism, epsilon="5", practice="RAND")
    text, held = said(of), Reading(of, made_up(of)).shares
    people, share = held.together
    assert f"The 2 directions hold about {percent(share.value)} % of all variation" in text
    rows = [(number, one.people) for number, one in enumerate(held.each, 1)]
    for number, (value, low, high) in (*rows, ("1 to 2", people), ("all", held.trace)):
        assert f"{number} {whole(value)} {whole(low)} to {whole(high)} " in text
    release = cases.published(of)
    lines = release.files()["spectrum.csv"].decode().splitlines()[-of.d :]
    each = [max(one.people.value, 0) for one in release.reading.each]
    np.testing.assert_allclose([float(line.split(",")[2]) for line in lines], each, rtol=1e-8)
    assert release.reading.each[: of.k] == release.reading.shares.each


@pytest.mark.parametrize("mechanism", cases.NOISES)
def test_no_number_is_nan_and_what_may_be_all_noise_is_not_said_to_be_held(mechanism):
    wide = 201 if mechanism == "laplace" else 12
    recipe = cases.some_recipe(wide, number_format=TextFileFormat(missing=()))
    for values in ([900.0, 500.0, *[1.0] * (wide - 2)], [1.0] * wide, [-9.0] * wide):
        of, exact = some_plan("2", recipe=recipe, mechanism=mechanism), np.diag(values)
        text = said(of, exact)
        tables = made_up(of) | {MATRIX: np.rint(exact * GRID**2).astype(np.int64)}
        most = 100 * Reading(of, tables).shares.together.share.high
        bounds = re.findall(r"holds? at most ([\d.]+) % of all", text)
        assert all(float(bound) >= most for bound in bounds), "rounded up"
        assert not re.search(r"\b(nan|inf|None)\b", text)
        assert ("hold about" in text) == (values[0] == 900 and mechanism != "laplace")


@pytest.mark.parametrize("neighbours", Adjacency)
def test_odds_are_of_what_is_bounded_rounded_up_and_drawn_as_dots(neighbours):
    of, replaced = some_plan("0.7", neighbours=neighbours), neighbours is Adjacency.REPLACE_ONE
    page, words = page_of(of), "which of the two it" if replaced else "whether one person"
    (times,) = re.findall(rf"guesses right {words} is.* at most ([\d.]+) times in 100", page)
    assert 0 <= float(times) - 100 * chance_of_guess(of.cost, of.gaussian) < 0.1
    assert page.count('<i class="coin"></i>') == 50
    assert page.count('<i class="gained"></i>') == ceil(float(times)) - 50


# In order: age, pain, room, sex: f, sex: m.
DIRECTIONS = np.array(
    [[-0.6, 0.8, 0, 0, 0], [0, 0, 0, -0.6, 0.8], [0, 0, 1, 0, 0], [0, 0, 0, 0.8, 0.6]]
)
ABOUT_MEAN = {"recipe": replace(CODED, scaling=Scaling.PRIVATE_MEAN), "means": Fraction(1, 10)}
NOISE, MOSTLY = "What this shows may be noise alone", "It is mostly {}: how {} its values"


def of_directions(of, *values):
    return said(of, (DIRECTIONS.T * values) @ DIRECTIONS)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ((900, 500, 200, 0), ("high pain from high age", "1 to 3 can be read alone.")),
        ((900, 500, 200, 0), (MOSTLY.format("sex", "common"), MOSTLY.format("room", "far"))),
        ((900, 899, 200, 0), ("1 and 2 can be read only together, 3 alone.", "out of order")),
        ((900, 899, 200, 0), ("exact. About ", "apart from others of 1 and 2: these")),
        ((900, 500, 1, 0), (f"{NOISE}, which reaches as far", "1 and 2 can be read alone, 3 not")),
        ((900, 500, 200, 199), ("3 can’t be told from those", "It can’t be told from those")),
    ],
)
def test_directions_are_named_as_far_as_they_can_be_told_apart(values, words):
    text = of_directions(some_plan("5", k=3, **ABOUT_MEAN), *values)
    assert [part for part in (*words, "1 = f, 2 = m") if part not in text] == []
    assert (NOISE in text) is (values[2] == 1)


TYPICAL = tuple(Number(name, 0, 10, typical=3.0) for name in "abcde")
MEAN = f"show {MEAN_STAYS}"
NUMBERS = replace(CODED, numbers=TYPICAL, scales=(), categories=())


@pytest.mark.parametrize(
    ("settings", "flagged"),
    [
        (ABOUT_MEAN, 0),
        ({"recipe": NUMBERS}, 0),
        ({"recipe": CODED}, 1),
        ({"recipe": replace(NUMBERS, numbers=(*TYPICAL[:4], Number("e", 0, 10)))}, 2),
        ({"recipe": replace(NUMBERS, scaling=Scaling.NORM_ONLY, radius=3.0)}, 1),
        ({"recipe": replace(CODED, numbers=TYPICAL[:3], scales=())}, 0),
        ({"recipe": replace(NUMBERS, numbers=TYPICAL[:4], scales=CODED.scales)}, 2),
    ],
)
def test_where_a_mean_stays_its_direction_is_no_finding_of_what_goes_together(settings, flagged):
    """By the recipe alone in the preview before anything is spent, and in the report."""
    of = some_plan("5", k=2, **settings)
    text, coded = of_directions(of, 900, 500, 0, 0), bool(of.recipe.categories)
    found = re.findall(rf"Direction (\d) stands alone, [^,]* exact\. It may {MEAN}", text)
    assert found == [str(flagged)] * bool(flagged)
    assert text.count("Tells ") == 2 - bool(flagged) - coded
    assert (", not from the average row." in text) is not of.private_mean
    reserve = "if it is not here that the average row lies" in text
    assert reserve is (of.recipe.scaling is Scaling.NORM_ONLY), "two lie where it may"
    together = of_directions(of, 900, 899, 0, 0)
    assert ("A direction of them may show" in together) is any(of.recipe.mean_stays)
    shown = [much for what, much in preview_rows(of) if what == "a direction may show"]
    assert (MEAN_STAYS in shown) is bool(flagged)
    assert ("how common the values of sex are, not what goes together" in shown) is coded
    assert "may show" not in of_directions(of, 1, 0.9, 0.8, 0), "noise has no mean"


def test_limits_are_rounded_up_hold_with_the_other_account_and_a_reason_is_the_owners():
    kept = FACTS["account"] | {"epsilon": "1.2301", "delta": "0.00001"}
    sister = {"name": "Pure", "epsilon": "0.0001", "delta": "0"}
    left = {"before": "10 %", "this": "less than 1 %", "more": 7}
    both = said(some_plan("1/3", reason="We may."), account=kept, sister=sister)
    alone = said(some_plan(reason=""), account=kept | {"before_epsilon": "0.5"}, left=left)
    for part in (
        *("in the owner’s words: We may.", "This release ε = 0.334, δ", "ε = 1.24, δ = 10⁻⁵, also"),
        *("about the same people and stays within ε = 10⁻⁴: ", "together ε = 1.24, δ = 10⁻⁵"),
    ):
        assert part in both
    assert "the owner’s words" not in alone
    assert "(of that, ε = 0.5 was spent outside this ledger before)" in alone
    assert "10 % before, less than 1 % by this release; another like it fits 7 more" in alone


def test_it_says_how_it_is_checked_and_its_script_finds_the_directions(tmp_path, release):
    files, k = release.files(), release.plan.k
    text = text_of(files["report.html"].decode())
    assert INSTALL in text
    assert COMMAND in text
    script = text[text.index("import csv") : text.index("Glossary")]
    (tmp_path / "matrix.csv").write_bytes(files["matrix.csv"])
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    numbers = re.findall(r"-?\d\.\d+(?:e-\d+)?(?=[,\]])", done.stdout)
    printed = np.abs(np.array(numbers, dtype=float).reshape(release.plan.d, k))
    assert np.abs(printed - np.abs(release.reading.directions(k))).max() < 1e-3


ENDS = tuple(Number(name, 0, 10) for name in "ab")
OF_PEOPLE = replace(CODED, numbers=ENDS, categories=(), scales=(), person=("who",))
LONE = replace(OF_PEOPLE, person=())
AT_MOST = replace(OF_PEOPLE, combine=Combine.AT_MOST, most=2)
WHO = ["typical", "missing", "both", "half", "full", "cancels", "cancels", "twice", "twice"]
A, B = [5, None, 5, None, 9, 9, 1, 9, 9, 1], [5, None, None, 7, 2, 5, 5, 5, 9, 1]
TABLE = pd.DataFrame({"who": [*WHO, None], "a": A, "b": B}, dtype=object)


@pytest.mark.parametrize(
    ("recipe", "counted", "count", "left_out"),
    [
        # Rows that are not all zeros: half, full, 2 of cancels, 2 of twice, nobody's.
        (LONE, "patients whose row is", 7, False),
        (replace(LONE, missing=Missing.DROP), "patients whose row is", 6, True),
        # People: half, full, twice.
        (OF_PEOPLE, "patients whose row is", 3, True),
        (AT_MOST, "rows that were kept and are", 6, True),
    ],
)
def test_the_trace_is_the_number_that_the_report_names(recipe, counted, count, left_out):
    of = some_plan(recipe=recipe, k=1)
    released = np.trace(Reading(of, {MATRIX: exact_sums(TableSource([TABLE], recipe)).T}).matrix)
    assert released * recipe.rows_per_person == pytest.approx(count, rel=1e-3)
    text = said(of)
    assert f"number of {counted} not all zeros" in text
    assert ("not all zeros, divided by 2, plus noise" in text) == (recipe is AT_MOST)
    assert ("Rows that were left out do not count." in text) == left_out
    # About released means rows are zero only at these.
    about = replace(recipe, scaling=Scaling.PRIVATE_MEAN)
    text = said(some_plan(recipe=about, k=1, means=Fraction(1, 10)))
    assert "after the released means were subtracted" in text
    assert "all zeros where" not in text
    # Rows that keep their lengths add up to no number of anybody.
    kept = replace(recipe, row_length=RowLength.AT_MOST_R)
    assert "trace" not in said(some_plan(recipe=kept, k=1))
    assert f"longer than R = √{len(kept.columns)} are" in said(some_plan(recipe=kept, k=1))
    kept = replace(kept, radius=1.23456)
    assert "longer than R = 1.23456 are" in said(some_plan(recipe=kept, k=1)), "as in the recipe"


def test_one_row_is_a_row():
    assert [counted(value, ONE_ROW) for value in (0.9999, 1.5)] == ["1 row", "1.5 rows"]


AVERAGED = "removed, all rows of one patient averaged into one"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, (AVERAGED, "rows without one are left", "missing: 98, 99 declared by the owner, aft")),
        ({"combine": Combine.AT_MOST, "most": 3}, ("at most 3 rows each", "S divided by 3")),
        ({"ids_ignore_case": True}, (AVERAGED, "of patient_id, without case and spaces")),
        ({"person": ()}, ("patient added or removed, one row each", "patient is one row")),
        # What variation is counted from, and what is missing.
        (PUBLIC, ("range, the middle of each scale and none of a", "no category")),
        (PUBLIC | {"category_coding": CategoryCoding.CENTRED}, ("and equal shares of a",)),
        (PUBLIC | {"categories": (), "scales": ()}, ("or the middle of its range, not",)),
        (PUBLIC | {"scaling": Scaling.NORM_ONLY, "radius": 9}, ("from 0, the mid", "values 0, or")),
        (PUBLIC | {"scaling": Scaling.PRIVATE_MEAN}, ("from the released means.", "typical value")),
    ],
)
def test_it_says_how_rows_were_made_and_what_is_taken_for_granted(changes, words):
    recipe = replace(CODED, number_format=TextFileFormat(escape=Escape.BACKSLASH), **changes)
    means = Fraction(1, 20) if recipe.scaling is Scaling.PRIVATE_MEAN else Fraction(0)
    text = said(some_plan(recipe=recipe, means=means, k=1))
    assumed = assumptions(Escape.BACKSLASH, persons=bool(recipe.person))
    for part in (*words, "quotation marks: backslash", *assumed):
        assert part in text
    # A file that says itself what its cells are has no marks, and columns what they are called.
    numbers = tuple(replace(of, title=f"What is {of.name}?") for of in recipe.numbers)
    typed = replace(recipe, numbers=numbers, number_format=TextFileFormat(typed=True))
    text = said(some_plan(recipe=typed, means=means, k=1))
    assert "quotation mark" not in text
    assert text.count("What is pain?") == 2
