"""Every hostile file, of all kinds."""

import re
from collections.abc import Iterator

from tests.hostile import binary_files, csv_files
from tests.hostile.file_case import File


def all_files() -> list[File]:
    text = (csv_files.encodings, csv_files.separators, csv_files.lines, csv_files.ragged)
    text = (*text, csv_files.quotes, csv_files.blanks, csv_files.cells, csv_files.words)
    text = (*text, csv_files.names, csv_files.sizes)
    binary = (binary_files.packed, binary_files.foreign, binary_files.damaged_parquet)
    binary = (*binary, binary_files.parquet_types, binary_files.parquet_shapes)
    kinds = (*text, *binary, file_names)
    return [file for kind in kinds for file in kind()]


def file_names() -> Iterator[File]:
    for name, shown in (
        ("../../etc/passwd", "passwd"),
        ("C:\\home\\a.csv", "a.csv"),
        ("", "The file"),
        (".", "The file"),
        ("/", "The file"),
        ("a\nb.csv", "a b.csv"),
        ("\u202evsc.exe", "vsc.exe"),
        ("x" * 5000 + ".csv", "x" * 56 + ".csv"),
        ("<img src=x onerror=alert(1)>.csv", "<img src=x onerror=alert(1)>.csv"),
        ("**x**.csv", "**x**.csv"),
        ("{0}%s{x}.csv", "{0}%s{x}.csv"),
        ('"""+1.csv', '"""+1.csv'),
        ("\u200b", "The file"),
    ):
        says = rf"^{re.escape(shown)} is empty\.$"
        yield File(f"called {name[:40]!r}", bytes, says=says, file=name)
