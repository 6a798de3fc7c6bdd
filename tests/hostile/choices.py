"""Hostile choices about a table: the sentence or the rows that each must give."""

from dataclasses import dataclass
from math import inf, nan, sqrt

import numpy as np
import pandas as pd

from dpca_core.data.recipe import Category, Combine, Missing, Number, Recipe, Scaling

MOST = float(np.finfo(float).max)


@dataclass(frozen=True)
class Choice:
    """A table with a recipe, and the sentence or the rows (n, d) it must give."""

    name: str
    table: pd.DataFrame
    recipe: Recipe
    says: str | None = None
    rows: list | None = None


TABLE = pd.DataFrame({"x": [1.0, 2, 3], "y": [2.0, 5, 8], "c": ["u", "v", "u"], "who": list("pqp")})
X, Y, C = Number("x", 0, 4), Number("y", 2, 8), Category("c", ("u", "v"))
FREE = (Number("x", nan, nan), Number("y", nan, nan))
ORIGIN = "so there is no direction to find"
RISE, RANGE = "must rise from low to high", "a public range from low to high"
HALF = 1 / sqrt(2)


def all_choices() -> list[Choice]:
    """Every hostile choice."""
    return [*refused(), *values(), *people(), *lengths(), *categories()]


def no(name: str, says: str, numbers: tuple = (X, Y), categories: tuple = (), table=TABLE, **more):
    """Return a choice that must give a sentence."""
    return Choice(name, table, Recipe(numbers, categories, **more), says=says)


def yes(name: str, rows: list, columns: dict, numbers: tuple, categories: tuple = (), **more):
    """Return a choice that must give these rows."""
    return Choice(name, pd.DataFrame(columns), Recipe(numbers, categories, **more), rows=rows)


def refused() -> list[Choice]:
    two = "Choose at least two columns"
    norm, papers = {"scaling": Scaling.NORM_ONLY}, {"scaling": Scaling.AS_IN_PAPERS}
    infinite, moments = TABLE.assign(x=[1, inf, 2]), TABLE.assign(x=pd.to_datetime(["2020"] * 3))
    constant = TABLE.assign(x=0.1, y=0.7)
    thousands = Category("c", tuple(map(str, range(2000))))
    return [
        no("nothing", two, ()),
        no("one number", two, (X,)),
        no("one category", "at least two categories", (X, Y), (Category("c", ("u",)),)),
        no("an empty list", "at least two categories", (X, Y), (Category("c", ()),)),
        no("a category twice", "has the category u twice", (X,), (Category("c", ("u", "v", "u")),)),
        no("too many categories", "There are 2,001 columns", (X,), (thousands,)),
        no("a column twice", "The column x is chosen twice", (X, Y, Number("x", 1, 2))),
        no("two lists for a column", "The column c is chosen twice", (X,), (C, C)),
        no("no such column", "has no column z", (X, Number("z", 0, 1))),
        no("no such column of an odd name", "has no column a b", (X, Number("a\n\u202eb", 0, 1))),
        no("no such column of a long name", "has no column zzz", (X, Number("z" * 10**6, 0, 1))),
        no("a text as a number", "The column c does not hold numbers", (X, Number("c", 0, 1))),
        no("a date as a number", "does not hold numbers", (X, Y), (), moments),
        no("complex numbers", "does not hold numbers", (X, Y), (), TABLE.assign(x=[1j, 2, 3])),
        no("infinite values", "The column x holds infinite values", (X, Y), (), infinite),
        no("infinite values, any length", "holds infinite values", FREE, (), infinite, **papers),
        no("a range reversed", f"{RISE}, not 4 to 0", (Number("x", 4, 0), Y)),
        no("a range of no width", RISE, (Number("x", 2, 2), Y)),
        no("a range of subnormal width", RISE, (Number("x", 0, 5e-324), Y)),
        no("no range", RANGE, FREE),
        no("half a range", RANGE, (Number("x", nan, 1), Y)),
        no("an endless range", RANGE, (Number("x", -inf, inf), Y)),
        no("R of 0", "must be a positive number, not 0", radius=0.0),
        no("R below 0", "must be a positive number, not -1", radius=-1.0),
        no("R of nan", "must be a positive number, not nan", radius=nan),
        no("R without end", "must be a positive number, not inf", radius=inf),
        no("no R", "Give a public norm bound R", FREE, **norm),
        no("R of 1e300", ORIGIN, FREE, **norm, radius=1e300),
        no("all in the middle", ORIGIN, (X, Y), (), TABLE.assign(x=2.0, y=5.0)),
        no("all missing", ORIGIN, (X, Y), (), TABLE.assign(x=nan, y=nan)),
        no("constant, as in the papers", ORIGIN, FREE, (), constant, **papers),
        no("all left out", "has no row left", table=TABLE.assign(x=nan), missing=Missing.DROP),
        no(
            "one row", "has one row left", table=TABLE.assign(x=[nan, nan, 1]), missing=Missing.DROP
        ),
        no("one person", "has one row left", table=TABLE.assign(who="p"), person=("who",)),
        no(
            "one row of one person",
            "has one row left",
            table=TABLE.assign(who="p"),
            person=("who",),
            combine=Combine.AT_MOST,
        ),
        no("no such person column", "has no column id", person=("id",)),
        no("an empty table", "has no row left", table=TABLE.head(0)),
        no("no row a person", "at least one row", person=("who",), combine=Combine.AT_MOST, most=0),
        no("no share for the mean", "between 0 and 1", mean_share=0.0),
        no("everything for the mean", "between 0 and 1", mean_share=1.0),
        no("nan for the mean", "between 0 and 1", mean_share=nan),
    ]


def values() -> list[Choice]:
    huge = (Number("x", -1e308, 1e308), Number("y", -MOST, MOST))
    tiny = (Number("x", 0, 1e-300), Number("y", 0, 1e-290))
    last = np.nextafter(1.0, 2)
    return [
        yes(
            "huge",
            [[HALF, HALF], [-HALF, 0], [0, -HALF]],
            {"x": [1e308, -1e308, 0], "y": [MOST, 0, -MOST]},
            huge,
        ),
        yes(
            "beyond a small range",
            [[HALF, -HALF], [-HALF, HALF]],
            {"x": [1e308, -MOST], "y": [-MOST, 1e308]},
            (Number("x", 0, 1e-300), Y),
        ),
        yes("tiny", [[HALF, -HALF], [-HALF, HALF]], {"x": [1e-300, 0], "y": [0, 1.0]}, tiny),
        yes(
            "subnormal values",
            [[-HALF, -HALF], [-HALF, HALF]],
            {"x": [5e-324, 0], "y": [-5e-324, 8]},
            (X, Number("y", 0, 8)),
        ),
        yes(
            "the narrowest range",
            [[HALF, HALF], [-HALF, -HALF]],
            {"x": [last, 1], "y": [8, 2]},
            (Number("x", 1, last), Y),
        ),
        yes(
            "missing is the middle", [[0, -HALF], [HALF, 0]], {"x": [nan, 4], "y": [2, nan]}, (X, Y)
        ),
        yes(
            "missing left out",
            [[HALF, -HALF], [-HALF, HALF]],
            {"x": [nan, 4, 0], "y": [2, 2, 8]},
            (X, Y),
            missing=Missing.DROP,
        ),
        yes(
            "true and false",
            [[HALF, -HALF], [-HALF, HALF]],
            {"x": [True, False], "y": [2, 8]},
            (Number("x", 0, 1), Y),
        ),
        yes(
            "whole numbers with a missing one",
            [[HALF, 0], [-HALF, HALF]],
            {"x": pd.array([4, 0], "Int64"), "y": pd.array([None, 8], "Int64")},
            (X, Y),
        ),
        yes(
            "64 bits without a sign",
            [[HALF, -HALF], [-HALF, HALF]],
            {"x": np.array([2**64 - 1, 0], "u8"), "y": [2, 8]},
            (Number("x", 0, 2.0**64), Y),
        ),
        yes(
            "half precision",
            [[HALF, -HALF], [-HALF, HALF]],
            {"x": np.array([4, 0], "f2"), "y": [2, 8]},
            (X, Y),
        ),
    ]


def people() -> list[Choice]:
    def ids(name: str, who: list) -> Choice:
        rows = [[HALF, HALF], [-HALF, -HALF]]
        columns = {"x": [4, 0, 4], "y": [8, 2, 8], "who": pd.Series(who, dtype=object)}
        return yes(f"people called {name}", rows, columns, (X, Y), person=("who",))

    one_each = {"x": [4, 0, 0], "y": [8, 2, 8], "who": [1, 2, 1]}
    wide = (Number("x", -MOST, MOST), Number("y", -MOST, MOST))
    return [
        ids("by numbers", [7, 8, 7]),
        ids("by a number and another text", [1, "01", 1]),
        ids("by a number and its text", [1, 2, "1"]),
        ids("by a whole number and a fraction", [1, 2.5, 1.0]),
        ids("by markup", ["<b>", "</b>", "<b>"]),
        ids("by dates", [pd.Timestamp(0), pd.Timestamp(1), pd.Timestamp(0)]),
        yes(
            "averages of what is mapped first",
            [[HALF, -HALF], [0, 0.5 * HALF]],
            {"x": [MOST, MOST, -MOST, MOST], "y": [-MOST, -MOST, 0, MOST], "who": list("ppqq")},
            wide,
            person=("who",),
        ),
        yes(
            "sums beyond the largest number are missing",
            [[0, 0], [0, 1]],
            {"x": [MOST, MOST, -MOST, MOST], "y": [-MOST, -MOST, 0, MOST], "who": list("ppqq")},
            FREE,
            person=("who",),
            scaling=Scaling.NORM_ONLY,
            radius=1.0,
        ),
        yes(
            "missing in some rows of one",
            [[HALF, 0], [-HALF, -HALF]],
            {"x": [4, 0, nan], "y": [nan, 2, 5], "who": list("pqp")},
            (X, Y),
            person=("who",),
        ),
        yes(
            "the first row of each",
            [[HALF, HALF], [-HALF, -HALF]],
            one_each,
            (X, Y),
            person=("who",),
            combine=Combine.AT_MOST,
            most=1,
        ),
        yes(
            "more rows allowed than there are",
            [[HALF, HALF], [-HALF, -HALF], [-HALF, HALF]],
            one_each,
            (X, Y),
            person=("who",),
            combine=Combine.AT_MOST,
            most=10**9,
        ),
    ]


def lengths() -> list[Choice]:
    norm, papers = {"scaling": Scaling.NORM_ONLY}, {"scaling": Scaling.AS_IN_PAPERS}
    across = {"x": [1e308, 0], "y": [0, -1e308]}
    opposite = [[HALF, HALF], [-HALF, -HALF]]
    return [
        yes("huge, by a huge length", [[1, 0], [0, -1]], across, FREE, radius=1e308, **norm),
        yes("huge, by a length of 1", [[1, 0], [0, -1]], across, FREE, radius=1.0, **norm),
        yes("huge, by the smallest length", [[1, 0], [0, -1]], across, FREE, radius=5e-324, **norm),
        yes(
            "tiny, by a tiny length",
            [[1, 0], [0, 0.5]],
            {"x": [1e-300, 0], "y": [0, 5e-301]},
            FREE,
            radius=1e-300,
            **norm,
        ),
        yes(
            "missing counts as 0",
            [[0.5, 0], [0, 0]],
            {"x": [1, nan], "y": [nan, nan]},
            FREE,
            radius=2.0,
            **norm,
        ),
        yes(
            "huge, as in the papers",
            opposite,
            {"x": [MOST, -MOST], "y": [MOST, -MOST]},
            FREE,
            **papers,
        ),
        yes(
            "far from 0, as in the papers",
            opposite,
            {"x": [1e308, 0.9e308], "y": [1e308, 0.9e308]},
            FREE,
            **papers,
        ),
        yes(
            "tiny, as in the papers", opposite, {"x": [1e-300, 0], "y": [1e-300, 0]}, FREE, **papers
        ),
    ]


def categories() -> list[Choice]:
    def coded(name: str, cells: list, given: tuple[str, ...], hot: list[list[float]]) -> Choice:
        rows = [[HALF, *(HALF * h for h in row)] for row in hot]
        columns = {"x": [4] * len(cells), "c": pd.Series(cells, dtype=object)}
        return yes(f"categories: {name}", rows, columns, (X,), (Category("c", given),))

    one, other, none = [1.0, 0.0], [0.0, 1.0], [0.0, 0.0]
    return [
        coded("not listed", ["u", "w", None], ("u", "v"), [one, none, none]),
        coded("none of them occurs", ["w", "z"], ("u", "v"), [none, none]),
        coded("with spaces", [" u ", "\tv\n"], ("u", "v"), [one, other]),
        coded("numbers", [1, 2], ("1", "2"), [one, other]),
        coded("large and small letters", ["U", "u"], ("u", "U"), [other, one]),
        coded("patterns", [".*", "[u]"], (".*", "u"), [one, none]),
        coded("formulas", ["=1+1", "2"], ("=1+1", "2"), [one, other]),
        coded("markup", ["<b>", "**x**"], ("<b>", "**x**"), [one, other]),
        coded("two ways to write é", ["é", "e\u0301"], ("é", "e\u0301"), [one, other]),
        coded("a long one", ["u" * 10**5, "v"], ("u" * 10**5, "v"), [one, other]),
    ]
