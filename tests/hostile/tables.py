"""Every hostile file, of all kinds."""

from collections.abc import Iterator

from tests.hostile.csv_files import (
    blanks,
    cells,
    encodings,
    lines,
    names,
    quotes,
    ragged,
    separators,
    sizes,
    words,
)
from tests.hostile.file_case import File
from tests.hostile.packed_files import foreign, packed
from tests.hostile.parquet_files import damaged_parquet, parquet_shapes, parquet_types


def all_files() -> list[File]:
    """Every hostile file, of all kinds."""
    kinds = (
        encodings,
        separators,
        lines,
        ragged,
        quotes,
        blanks,
        cells,
        words,
        names,
        sizes,
        packed,
        foreign,
        damaged_parquet,
        parquet_types,
        parquet_shapes,
        file_names,
    )
    return [file for kind in kinds for file in kind()]


def file_names() -> Iterator[File]:
    for name, shown in (
        ("../../etc/passwd", "passwd"),
        ("/etc/passwd", "passwd"),
        ("C:\\home\\a.csv", "a.csv"),
        ("", "The file"),
        (".", "The file"),
        ("..", ".."),
        ("/", "The file"),
        ("a\nb.csv", "a b.csv"),
        ("a\0b.csv", "a b.csv"),
        ("\u202evsc.exe", "vsc.exe"),
        ("x" * 5000 + ".csv", "x" * 56 + ".csv"),
        (".csv", ".csv"),
        ("~root", "~root"),
        ("<img src=x onerror=alert(1)>.csv", "<img src=x onerror=alert(1)>.csv"),
        ("**x**.csv", "**x**.csv"),
        ("=cmd.csv", "=cmd.csv"),
        ("{0}%s{x}.csv", "{0}%s{x}.csv"),
        ('"""+1.csv', '"""+1.csv'),
        ("a\\", "a"),
        ("\u200b", "The file"),
        ("con.parquet", "con.parquet"),
        ("$(id).csv", "$(id).csv"),
    ):
        yield File(
            f"called {name[:40]!r}", bytes, says="^" + _literal(shown) + r" is empty\.$", file=name
        )


def _literal(text: str) -> str:
    return "".join(f"\\{c}" if not c.isalnum() and c.isascii() else c for c in text)
