"""Cells that programs, people or attackers write, for tests of what one of them may change."""

import random

from dpca_core.data.recipe import Category, Number, Recipe, Scale

HEAD = ("who", "a", "b", "c", "s", "text")
HOSTILE = Recipe(
    (Number("a", -10, 10), Number("b", 0, 2000)),
    (Category("c", ("x", "1", "01", "ü", "y", "z", "é")),),
    radius=1.2,
    bounds_are_public=True,
    scales=(Scale("s", ("1", "2", "x")),),
)
CELLS = [
    *("1", "2.5", "-1e1", "+3.", ".5", "", " ", "NA", " NA ", " 2 ", '"3"', "1,5", "1.234", "x,y"),
    *("1.234,5", "12,345,678", "two", "-", "inf", "-inf", "+Infinity", "nan", "-nan", "nan(1)"),
    *("1e400", "-1e999", "9" * 400, "1e-400", "0x1F", "1_000", "1e", "--5", "007", "01", "1.0"),
    *(" 01", "x", " x", "x ", 'x"y', '5" x', '"x"y', '"', '""', '"""', "x;y", "\t", "\v", "\0"),
    *("1\0", "\ufeff", "\ufeff1", "\u2028", "1\u2028", "\u00a01", "1\u00a0", "\u2003x", "ü"),
    *("u\u0308", "٣", "１", "½", "1'234", "1 234", "\x1f", "\x1a", "\x85", "999", "999.0", "-1"),
    *("1e5", "1E+05", "5%", "$5", "true", "2020-01-01", "=1+1", "a\\", "\\", "'", "null", "?"),
    *("1e99999999999999999999", "1" * 5000, "0" * 400 + "7", "a\nb", "\n", "\r\n", "\r", "1\r2"),
    *("\n1,2,x\n", '"\n"', '",\n"', "p1,1,2,x,1,t\n" * 50, '\n"', '"\r\n,', "\udcff", "\udcc3x"),
    *("\\n", '\\"', '\\",\n', "PAR1", "\x1f\udc8b", "x" * 70_000),
]
LARGE = ["x" * 3 * 2**20, "9" * 3 * 2**20, "\n" * 2**20, '"' * 2**20]
_PIECES = [
    *(",", ";", "\t", "\n", "\r\n", "\r", '"', '""', "\\", "'", " ", "\0", "\ufeff", "\u2028", "1"),
    *("-9", "1e5", ".", "e", "+", "inf", "nan", "NA", "x", "ü", "１", "\udcff", "\udcc3", "😀"),
]


def hostile_cells(count: int) -> list[str]:
    """Those above, and made-up ones."""
    rng = random.Random("cells")
    more = ("".join(rng.choices(_PIECES, k=rng.randint(2, 8))) for _ in range(count))
    return [*CELLS, *more][: count - len(LARGE)] + LARGE
