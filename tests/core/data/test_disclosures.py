"""What each choice of a recipe is printed as: length, centres, sources, persons."""

from dataclasses import replace

import pytest

from dpca_core.data.disclosures import disclosures
from dpca_core.data.provenance import ONE_ROW, Mark
from dpca_core.data.recipe import (
    Category,
    MissingPerson,
    Number,
    Recipe,
    RowLength,
    Scaling,
    Source,
)

A, B = Number("a", 0, 1, source=Source.CODEBOOK), Number("b", 0, 1, source=Source.LAW)
PLAIN = Recipe((Number("a", 0, 1), Number("b", 0, 1)), bounds_are_public=True)


def from_source(source, **more):
    return {"numbers": (A, replace(B, source=source, **more))}


MEAN = {"scaling": Scaling.PRIVATE_MEAN}
AT_MOST_R = {"row_length": RowLength.AT_MOST_R}
TYPICAL = (replace(A, typical=0.2), replace(B, typical=0.3))
MIXED = {"numbers": (TYPICAL[0], B), "categories": (Category("c", ("x", "y")),)}
OWN = {"person": ("who",), "missing_person": MissingPerson.OWN, "ids_ignore_case": True}
SHOWN = "declared by you (after its values were shown)"
SAID = [
    ({}, "Norm bound", Mark.NOTHING, "length 1: only its direction counts, and no R is needed"),
    ({"scaling": Scaling.NORM_ONLY}, "Norm bound", Mark.NOTHING, "only its direction counts"),
    (MEAN, "Norm bound", Mark.NOTHING, "at most R before the mean"),
    (MEAN, "Centring", Mark.NOTHING, "made of length 1"),
    (MEAN | AT_MOST_R, "Centring", Mark.NOTHING, "clipped again"),
    (AT_MOST_R, "Centring", Mark.NOTHING, "the middle of the ranges"),
    ({"numbers": TYPICAL}, "Centring", Mark.NOTHING, "a typical value of each number,"),
    (MIXED, "Centring", Mark.NOTHING, "or the middle of its range, and 1/m of a category"),
    ({"person": ("who",)}, "Rows", Mark.NOTHING, "averaged first"),
    (OWN, "Rows", Mark.DEPENDS, "case and spaces in an ID"),
    (OWN, "Rows", Mark.DEPENDS, "without an ID counts as another"),
    ({"unit": ONE_ROW}, "Rows", Mark.DEPENDS, "one row is protected, not one"),
    ({"numbers": (A, B)}, "Sources", Mark.NOTHING, ": 1 codebook, 1 law or physics"),
    (from_source(Source.GUESS), "Sources", Mark.NOTHING, ": 1 codebook, 1 guess"),
    (from_source(Source.NOTICED), "Sources", Mark.DEPENDS, ", 1 noticed in the file"),
    (from_source(Source.DECLARED, seen=True), "Sources", Mark.DEPENDS, f", 1 {SHOWN}"),
    (from_source(Source.FILE), "Sources", Mark.READS, ": 1 codebook, 1 file"),
]


@pytest.mark.parametrize(("changes", "name", "mark", "text"), SAID)
def test_a_choice_is_said_with_what_it_reads(changes, name, mark, text):
    (found,) = (d for d in disclosures(replace(PLAIN, **changes)) if d.name == name)
    assert found.mark is mark
    assert text in found.text


def test_what_was_measured_is_not_in_the_public_text():
    bound = disclosures(PLAIN, cut_cells=0.02)[0]
    assert "2.0\u00a0% of values clipped" in bound.measured
    assert "%" not in bound.public_text
    free = disclosures(replace(PLAIN, scaling=Scaling.NORM_ONLY), cut_cells=0.0)[0]
    assert free.measured.startswith("no public R is known")
