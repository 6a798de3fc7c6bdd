"""Hostile choices about a table: the sentence or the rows that each must give."""

from dataclasses import dataclass
from math import inf, nan, sqrt

import numpy as np
import pandas as pd

from dpca_core.data.recipe import (
    Category,
    CategoryCoding,
    Combine,
    Missing,
    Number,
    Recipe,
    RowLength,
    Scaling,
)

MOST = float(np.finfo(float).max)
TABLE = pd.DataFrame({"x": [1.0, 2, 3], "y": [2.0, 5, 8], "c": ["u", "v", "u"], "who": list("pqp")})
X, Y = Number("x", 0, 4), Number("y", 2, 8)
FREE = (Number("x", nan, nan), Number("y", nan, nan))
NORM, PAPERS = {"scaling": Scaling.NORM_ONLY}, {"scaling": Scaling.AS_IN_PAPERS}
PERSON, FIRST = {"person": ("who",)}, {"person": ("who",), "combine": Combine.AT_MOST}


@dataclass(frozen=True)
class Choice:
    """A table with a recipe, and the sentence or the rows (n, d) it must give."""

    name: str
    table: pd.DataFrame
    recipe: Recipe
    says: str | None = None
    rows: np.ndarray | None = None


def all_choices() -> list[Choice]:
    return [*columns(), *refused(), *values(), *people(), *lengths(), *categories()]


def recipe(numbers: tuple, categories: tuple = (), **more) -> Recipe:
    """Return a recipe of rows at most R, of which the numbers can be told by hand."""
    coding = CategoryCoding.INDICATORS
    return Recipe(
        numbers, categories, row_length=RowLength.AT_MOST_R, category_coding=coding, **more
    )


def no(name: str, says: str, numbers: tuple = (X, Y), categories: tuple = (), table=TABLE, **more):
    """Return a choice that must give a sentence."""
    return Choice(name, table, recipe(numbers, categories, **more), says=says)


def yes(name: str, x: list, y: list, rows: list, numbers: tuple = (X, Y), who=None, **more):
    """Return a choice that must give these rows, times √½ where two ranges are known."""
    table = pd.DataFrame({"x": x, "y": y})
    if who is not None:
        table["who"] = pd.Series(list(who), dtype=object)
    factor = 1 if "scaling" in more else 1 / sqrt(2)
    return Choice(name, table, recipe(numbers, **more), rows=factor * np.array(rows, float))


def columns() -> list[Choice]:
    thousands = Category("c", tuple(map(str, range(2000))))
    return [
        no("a category twice", "has the category u twice", (X,), (Category("c", ("u", "v", "u")),)),
        no("too many categories", "There are 2,001 columns", (X,), (thousands,)),
        no("a column twice", "The column x is chosen twice", (X, Y, Number("x", 1, 2))),
        no("no such column of a long name", "has no column “zzz", (X, Number("z" * 10**6, 0, 1))),
    ]


def refused() -> list[Choice]:
    rise, ends = "must rise from low to high", "a public range from low to high"
    times = TABLE.assign(x=pd.to_datetime(["2020"] * 3))
    return [
        no("a date as a number", "holds values of type timestamp", (X, Y), (), times),
        no("a range reversed", f"{rise}, not 4 to 0", (Number("x", 4, 0), Y)),
        no("a range of subnormal width", rise, (Number("x", 0, 5e-324), Y)),
        no("no range", ends, FREE),
        no("an endless range", ends, (Number("x", -inf, inf), Y)),
        no("R of nan", "must be a positive number, not nan", radius=nan),
        no("everything for the mean", "between 0 and 1", mean_share=1.0),
    ]


WIDE = (Number("x", -MOST, MOST), Number("y", -MOST, MOST))
UNLIKE, ALIKE = [[1, -1], [-1, 1]], [[1, 1], [-1, -1]]


def values() -> list[Choice]:
    last = float(np.nextafter(1.0, 2))
    small, huge = Number("x", 0, 1e-300), (Number("x", -1e308, 1e308), WIDE[1])
    unsigned = np.array([2**64 - 1, 0], "u8")
    hardly = (Number("x", 1, last), Y)
    return [
        yes("huge", [1e308, -1e308, 0], [MOST, 0, -MOST], [[1, 1], [-1, 0], [0, -1]], huge),
        yes("beyond a small range", [1e308, -MOST], [-MOST, 1e308], UNLIKE, (small, Y)),
        yes("tiny", [1e-300, 0], [0, 1.0], UNLIKE, (small, Number("y", 0, 1e-290))),
        yes("subnormal", [5e-324, 0], [-5e-324, 8], [[-1, -1], [-1, 1]], (X, Number("y", 0, 8))),
        yes("the narrowest range", [last, 1], [8, 2], ALIKE, hardly),
        yes("missing is the middle", [nan, 4], [2, nan], [[0, -1], [1, 0]]),
        yes("missing left out", [nan, 4, 0], [2, 2, 8], UNLIKE, missing=Missing.DROP),
        yes("a whole number missing", [4, 0], pd.array([None, 8], "Int64"), [[1, 0], [-1, 1]]),
        yes("64 bits without a sign", unsigned, [2, 8], UNLIKE, (Number("x", 0, 2.0**64), Y)),
    ]


def people() -> list[Choice]:
    names = {
        "by a number and another text": [1, "01", 1],
        "by a number and its text": [1, 2, "1"],
        "by a whole number and a fraction": [1, 2.5, 1.0],
    }
    one_each, far = ([4, 0, 0], [8, 2, 8]), ([MOST, MOST, -MOST, MOST], [-MOST, -MOST, 0, MOST])
    free = {"who": "ppqq", "radius": 1.0, **NORM, **PERSON}
    return [
        *(
            yes(f"people {n}", [4, 0, 4], [8, 2, 8], ALIKE, who=w, **PERSON)
            for n, w in names.items()
        ),
        yes("averages of what is mapped first", *far, [[1, -1], [0, 0.5]], WIDE, "ppqq", **PERSON),
        yes("sums beyond the largest number are missing", *far, [[0, 0], [0, 1]], FREE, **free),
        yes("the first row of each", *one_each, ALIKE, who="pqp", **FIRST, most=1),
        yes("more than there are", *one_each, [*ALIKE, [-1, 1]], who="pqp", **FIRST, most=10**9),
    ]


def lengths() -> list[Choice]:
    across, tiny = ([1e308, 0], [0, -1e308]), ([1e-300, 0], [0, 5e-301])
    opposite = np.array(ALIKE) / sqrt(2)
    return [
        *(
            yes(f"huge, by a length of {r}", *across, [[1, 0], [0, -1]], FREE, radius=r, **NORM)
            for r in (1e308, 1.0, 5e-324)
        ),
        yes("tiny, by a tiny length", *tiny, [[1, 0], [0, 0.5]], FREE, radius=1e-300, **NORM),
        yes("missing is 0", [1, nan], [nan, nan], [[0.5, 0], [0, 0]], FREE, radius=2.0, **NORM),
        *(
            yes(f"{first:g} and {second:g}, as in the papers", ends, ends, opposite, FREE, **PAPERS)
            for ends in ([MOST, -MOST], [1e308, 0.9e308], [1e-300, 0])
            for first, second in [ends]
        ),
    ]


def categories() -> list[Choice]:
    one, other, none = [1.0, 0.0], [0.0, 1.0], [0.0, 0.0]
    cases = [
        ("not listed", ["u", "w", None], ("u", "v"), [one, none, none]),
        ("with spaces", [" u ", "\tv\n"], ("u", "v"), [one, other]),
        ("large and small letters", ["U", "u"], ("u", "U"), [other, one]),
        ("two ways to write é", ["é", "e\u0301"], ("é", "e\u0301"), [one, other]),
        ("a long one", ["u" * 10**5, "v"], ("u" * 10**5, "v"), [one, other]),
    ]
    return [
        Choice(
            f"categories: {name}",
            pd.DataFrame({"x": [4] * len(cells), "c": pd.Series(cells, dtype=object)}),
            recipe((X,), (Category("c", given),)),
            rows=np.array([[1.0, *row] for row in hot]) / sqrt(2),
        )
        for name, cells, given, hot in cases
    ]
