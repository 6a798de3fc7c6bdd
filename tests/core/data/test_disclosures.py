"""What each choice of a recipe is printed as: length, centres, sources, persons."""

from dataclasses import replace

from dpca_core.data.disclosures import disclosures
from dpca_core.data.provenance import ONE_ROW, Disclosure, Mark
from dpca_core.data.recipe import (
    Category,
    CategoryCoding,
    MissingPerson,
    Number,
    Recipe,
    RowLength,
    Scaling,
    Source,
)

A, B = Number("a", 0, 1, source=Source.CODEBOOK), Number("b", 0, 1, source=Source.LAW)
PLAIN = Recipe((Number("a", 0, 1), Number("b", 0, 1)), bounds_are_public=True)
ONE = replace(PLAIN, row_length=RowLength.ONE)


def said(recipe: Recipe, name: str, **measured: float) -> Disclosure | None:
    found = [d for d in disclosures(recipe, **measured) if d.name == name]
    return found[0] if found else None


def test_length_1_says_that_only_the_direction_counts():
    bound = said(ONE, "Norm bound", cut_cells=0.02)
    assert "length 1: only its direction counts, and no R is needed" in bound.public_text
    assert "2.0\u00a0% of values clipped" in bound.measured
    assert "%" not in bound.public_text
    free = said(replace(ONE, scaling=Scaling.NORM_ONLY), "Norm bound", cut_cells=0.0)
    assert free.mark is Mark.NOTHING
    assert free.measured.startswith("no public R is known")
    mean = replace(ONE, scaling=Scaling.PRIVATE_MEAN)
    assert "at most R before the mean" in said(mean, "Norm bound").text
    assert "made of length 1" in said(mean, "Centring").text
    assert "clipped again" in said(replace(mean, row_length=RowLength.AT_MOST_R), "Centring").text


def test_centres_are_said():
    assert "the middle of the ranges" in said(PLAIN, "Centring").text
    typical = replace(PLAIN, numbers=(replace(A, typical=0.2), replace(B, typical=0.3)))
    assert said(typical, "Centring").text.startswith("a typical value of each number, ")
    mixed = replace(
        PLAIN,
        numbers=(replace(A, typical=0.2), B),
        categories=(Category("c", ("x", "y")),),
        category_coding=CategoryCoding.CENTRED,
    )
    assert "or the middle of its range, and 1/m of a category" in said(mixed, "Centring").text


def test_sources_are_counted():
    for other, mark, text in (
        (B, Mark.NOTHING, "1 codebook, 1 law or physics"),
        (replace(B, source=Source.GUESS), Mark.NOTHING, "1 codebook, 1 guess"),
        (replace(B, source=Source.NOTICED), Mark.DEPENDS, "1 codebook, 1 noticed in the file"),
        (
            replace(B, source=Source.DECLARED, seen=True),
            Mark.DEPENDS,
            "1 codebook, 1 declared by you (after its values were shown)",
        ),
        (replace(B, source=Source.FILE), Mark.READS, "1 codebook, 1 file"),
    ):
        found = said(replace(PLAIN, numbers=(A, other)), "Sources")
        assert (found.mark, found.text) == (mark, f"columns by source: {text}")
    assert said(PLAIN, "Sources") is None


def test_whose_rows_they_are():
    named = replace(PLAIN, person=("who",))
    assert said(named, "Rows").mark is Mark.NOTHING
    own = replace(named, missing_person=MissingPerson.OWN, ids_ignore_case=True)
    found = said(own, "Rows")
    assert found.mark is Mark.DEPENDS
    for fact in ("averaged first", "case and spaces in an ID", "without an ID counts as another"):
        assert fact in found.text
    row = said(replace(PLAIN, unit=ONE_ROW), "Rows")
    assert row.text.startswith("one row is protected, not one")
