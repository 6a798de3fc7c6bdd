"""Every hostile file, of all kinds."""

import re
from collections.abc import Iterator

from tests.hostile import csv_files, packed_files, parquet_files
from tests.hostile.file_case import File


def all_files() -> list[File]:
    text = (csv_files.encodings, csv_files.separators, csv_files.lines, csv_files.ragged)
    text = (*text, csv_files.quotes, csv_files.blanks, csv_files.cells, csv_files.words)
    text = (*text, csv_files.names, csv_files.sizes)
    packed = (packed_files.packed, packed_files.foreign)
    parquet = (parquet_files.damaged_parquet, parquet_files.parquet_types)
    kinds = (*text, *packed, *parquet, parquet_files.parquet_shapes, file_names)
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
        says = rf"^{re.escape(shown)} is empty\.$"
        yield File(f"called {name[:40]!r}", bytes, says=says, file=name)
