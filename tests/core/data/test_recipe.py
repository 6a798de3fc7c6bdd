"""Recipes: what each choice is printed as; as files they come back, or are refused."""

import json
from dataclasses import replace
from math import inf, nan

import pytest

from dpca_core.data.disclosures import disclosures
from dpca_core.data.errors import RecipeError
from dpca_core.data.recipe import (
    ONE_ROW,
    Category,
    Combine,
    Missing,
    MissingPerson,
    Number,
    Recipe,
    RowLength,
    Scaling,
    Source,
    Unit,
)
from dpca_core.data.recipe_json import LARGEST_FILE, dumps, loads
from dpca_core.data.text_file_format import TextFileFormat
from tests.hostile.one_sentence import require_sentence

# --- What is printed ---

A, B = Number("a", 0, 1, source=Source.CODEBOOK), Number("b", 0, 1, source=Source.LAW)
PLAIN = Recipe((Number("a", 0, 1), Number("b", 0, 1)), bounds_are_public=True)
FREE, MEAN = {"scaling": Scaling.NORM_ONLY}, {"scaling": Scaling.PRIVATE_MEAN}
AT_MOST_R = {"row_length": RowLength.AT_MOST_R}
TYPICAL = (replace(A, typical=0.2), replace(B, typical=0.3))
OWN = {"person": ("who",), "missing_person": MissingPerson.OWN, "ids_ignore_case": True}


def of_source(source, **more):
    return {"numbers": (A, replace(B, source=source, **more))}


def test_a_choice_is_said_with_what_it_reads():
    for changes, name, mark, text in (
        ({}, "Norm bound", "nothing", "length 1: only its direction counts, and no R is needed"),
        (MEAN, "Centring", "nothing", "made of length 1"),
        (MEAN | AT_MOST_R, "Centring", "nothing", "clipped again"),
        (AT_MOST_R, "Centring", "nothing", "the middle of the ranges"),
        ({"numbers": TYPICAL}, "Centring", "nothing", "a typical value of each number,"),
        ({"person": ("who",)}, "Rows", "nothing", "averaged first"),
        (OWN, "Rows", "depends", "without an ID counts as another"),
        ({"unit": ONE_ROW}, "Rows", "depends", "one row is protected, not one"),
        (of_source(Source.GUESS), "Sources", "nothing", ": 1 codebook, 1 guess"),
        (of_source(Source.NOTICED), "Sources", "depends", ", 1 noticed in the file"),
        (of_source(Source.DECLARED, seen=True), "Sources", "depends", "values were shown)"),
        (of_source(Source.FILE), "Sources", "reads", ": 1 codebook, 1 file"),
    ):
        (found,) = (d for d in disclosures(replace(PLAIN, **changes)) if d.name == name)
        assert (found.mark, text in found.text) == (mark, True), found


# --- Files ---

FULL = Recipe(
    (
        Number("age", 0, 0.1 + 0.2, 1 / 3 * 0.1, "år", ("999", "-1"), Source.CODEBOOK),
        Number("__proto__ <img> =cmd", -1e300, 5e-324, source=Source.GUESS, seen=True),
    ),
    (Category("sex \u202e", ("f", "m\nn", ""), ("9",), Source.NOTICED),),
    radius=1.7,
    missing=Missing.DROP,
    bounds_are_public=True,
    person=("site", "no"),
    combine=Combine.AT_MOST,
    most=3,
    mean_share=0.07,
    unit=Unit("patient", "patients"),
    number_format=TextFileFormat(";", ",", ".", "cp1252", ("", "k. A.")),
    missing_person=MissingPerson.OWN,
    ids_ignore_case=True,
)
LATER = {"scales", "labels", "title", "escape", "cr_ends_lines", "skip", "sheet", "typed"}
"""Keys that a file need not have."""


def places(tree):
    """Yield each object or list with a key that it has."""
    for key, value in list(tree.items() if isinstance(tree, dict) else enumerate(tree)):
        yield tree, key
        if isinstance(value, dict | list):
            yield from places(value)


def test_what_is_saved_comes_back_to_the_last_bit():
    for recipe in (FULL, PLAIN, replace(PLAIN, **MEAN)):
        assert loads(dumps(recipe)) == recipe
        assert loads(b"\xef\xbb\xbf" + dumps(recipe).encode()) == recipe


def test_a_range_that_was_not_asked_for_is_null():
    free = (Number("a", nan, nan), Number("b", nan, nan))
    recipe = Recipe(free, radius=2.0, **FREE)
    assert '"low": null' in dumps(recipe)
    assert repr(loads(dumps(recipe))) == repr(recipe)
    with pytest.raises(RecipeError, match="infinite"):
        dumps(replace(recipe, numbers=(Number("a", -inf, 0), Number("b", 0, 1))))


def test_unknown_and_missing_keys_are_refused_by_name_but_for_those_that_came_later():
    tree = json.loads(dumps(FULL))
    for part, key in places(tree):
        if not isinstance(part, dict) or key == "format":
            continue
        value = part.pop(key)
        if key in LATER:
            assert loads(json.dumps(tree)) == FULL
        else:
            with pytest.raises(RecipeError, match=f"no key “{key}”"):
                loads(json.dumps(tree))
        part[key], part["colour"] = value, 1
        with pytest.raises(RecipeError, match="unknown key, “colour”"):
            loads(json.dumps(tree))
        del part["colour"]


HOSTILE = (
    *("", "[1, 2]", b"\xff\xfe\x00", "[" * 100_000, " " * (LARGEST_FILE + 1)),
    "é" * (LARGEST_FILE // 2 + 1),
    *(dumps(FULL).replace("1.7", wrong) for wrong in ("1" * 5000, "NaN")),
    dumps(FULL).replace('"radius"', '"most": 1, "radius"'),
    dumps(FULL).replace("recipe/1", "recipe/2"),
    dumps(FULL).replace("patient", "\\ud800"),
)
JUNK = (None, True, -1, 0.5, 1e308, "x", "", [], ["x"], [1], {}, {"x": 1}, [[]], 10**30, 2**63)


def test_any_content_and_any_value_anywhere_gives_a_recipe_or_one_sentence():
    """Every value of the tree replaced by each piece of junk; what is read can be written again."""
    tree, refused, contents = json.loads(dumps(FULL)), 0, [*HOSTILE]
    for part, key in places(tree):
        before = part[key]
        contents += [json.dumps(tree) for part[key] in JUNK]
        part[key] = before
    for content in contents:
        try:
            found = loads(content)
        except RecipeError as error:
            require_sentence(error)
            refused += 1
        else:
            assert repr(loads(dumps(found))) == repr(found)
            assert content not in HOSTILE
    assert refused > 400
    assert loads(dumps(FULL) + " " * (LARGEST_FILE - len(dumps(FULL).encode()))) == FULL


def test_what_was_read_from_the_file_is_never_public():
    read = replace(FULL.numbers[0], source=Source.FILE)
    recipe = replace(FULL, numbers=(read, FULL.numbers[1]), bounds_are_public=False)
    assert loads(dumps(recipe)) == recipe
    sworn = dumps(recipe).replace('"bounds_are_public": false', '"bounds_are_public": true')
    with pytest.raises(RecipeError, match="age was read from the file, so it is not public"):
        loads(sworn)
