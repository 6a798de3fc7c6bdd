"""The page on codebooks: its examples are read as it says, its numbers are the program's."""

import re

from dpca_core.codebooks.codebook import MOST_ENTRIES, Codebook, EntryUse
from dpca_core.codebooks.read_codebook import read_codebook
from dpca_core.codebooks.text_of_file import LARGEST
from dpca_core.codebooks.tree import LARGEST_YAML
from dpca_core.data.recipe import Source
from tests.paths import ROOT
from ui.owner.wide_ranges import TIMES_TYPICAL

TEXT = (ROOT / "docs" / "codebooks.md").read_text("utf-8")


def examples() -> list[Codebook]:
    blocks = re.findall(r"^```\w+\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    return [read_codebook("example", block.encode()) for block in blocks]


def test_the_examples_are_read_without_a_problem():
    found = examples()
    assert [len(book.entries) for book in found] == [4, 4, 6]
    assert [book.problems for book in found] == [(), (), ()]


def test_the_examples_say_what_the_page_says():
    simple, schema, redcap = examples()
    assert [entry.use for entry in simple.entries] == [
        EntryUse.NUMBER, EntryUse.CATEGORY, EntryUse.OUT, EntryUse.NUMBER
    ]  # fmt: skip
    assert simple.entries[3].source is Source.LAW
    assert schema.person == ()
    assert schema.entries[1].decimal == ","
    assert schema.entries[3].use is EntryUse.OUT
    assert [entry.name for entry in redcap.entries[-2:]] == ["symptoms___1", "symptoms___2"]
    assert redcap.entries[3].values == ("0", "1", "2")


def test_the_numbers_are_the_programs():
    assert f"more than {LARGEST // 1_000_000} MB" in TEXT
    assert f"more than {MOST_ENTRIES:,} columns" in TEXT
    assert f"limited to {LARGEST_YAML // 1_000_000} MB" in TEXT
    assert f"more than {TIMES_TYPICAL} times the typical value" in TEXT
