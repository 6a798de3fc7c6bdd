"""A saved recipe is a codebook: where its ranges come from stays what it was."""

import json

import pytest

from dpca_core.codebooks.codebook import CodebookEntry, CodebookError, EntryUse
from dpca_core.codebooks.read_codebook import read_codebook
from dpca_core.data.recipe import Category, Number, Recipe, Source
from dpca_core.data.recipe_json import dumps

RECIPE = Recipe(
    (
        Number("age", 0.0, 110.0, 55.0, "years", ("-1",), Source.CODEBOOK),
        Number("creatinine", 27.5, 1e22, None, "", (), Source.FILE, seen=True),
    ),
    (Category("ward", ("A;1", "B1"), (), Source.NOTICED),),
    person=("patient_id",),
)


def test_everything_is_what_it_was():
    found = read_codebook("recipe.json", dumps(RECIPE).encode())
    assert found.recipe == RECIPE
    assert found.person == ("patient_id",)
    assert found.number_format == RECIPE.number_format
    assert found.entries == (
        CodebookEntry(
            "age", EntryUse.NUMBER, "0", "55", "110", "years", ("-1",), source=Source.CODEBOOK
        ),
        CodebookEntry(
            "creatinine", EntryUse.NUMBER, "27.5", "", "1e+22", source=Source.FILE, seen=True
        ),
        CodebookEntry(
            "ward", EntryUse.CATEGORY, values=("A;1", "B1"), source=Source.NOTICED
        ),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"format": "dpca-recipe/9"}, "format"),
        ({"surprise": 1}, "surprise"),
        ({"most": "x"}, "most"),
    ],
)
def test_a_recipe_that_is_not_sound_is_refused_by_name(change: dict[str, object], part: str):
    tree = json.loads(dumps(RECIPE)) | change
    with pytest.raises(CodebookError, match=part):
        read_codebook("recipe.json", json.dumps(tree).encode())
