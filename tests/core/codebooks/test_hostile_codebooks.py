"""Codebooks that are huge, deep, broken or meant to harm: read as far as sound, or refused."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpca_core.codebooks.codebook import CodebookError, matching
from dpca_core.codebooks.number_text import number_text
from dpca_core.codebooks.read_codebook import read_codebook
from tests.hostile.one_sentence import bounded

MANY_LINES = b"column,low\n" + b"a,1\n" * 1_000_000
ALIASES = ["fields: &a0 [x]"] + [f"b{i}: &a{i} [*a{i - 1}, *a{i - 1}]" for i in range(1, 60)]


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (b"", "is empty"),
        (b"PK\x03\x04rest", "save the sheet as CSV UTF-8"),
        (b"column,low\0,high\n", "is not text"),
        (b'{"fields": [', "look at line 1"),
        (b"[" * 100_000, "nested too deeply"),
        (b"fields: " + b"[" * 100_000, "nested too deeply"),
        (b"fields:\n  - &a {name: x}\n  - *a\n", "anchors or aliases"),
        ("\n".join(ALIASES).encode(), "anchors or aliases"),
        (b"fields: !!python/object/apply:os.system [ls]\n", "tags"),
        (b"fields:\n\t- name: x\n", "look at line"),
        (b"fields:\n# " + b"x" * 1_100_000, "longer than 1 MB"),
        (MANY_LINES, "more than 10,000 columns"),
        (MANY_LINES * 2, "longer than 5 MB"),
    ],
    ids=range(13),
)
def test_what_cannot_be_read_is_refused(content: bytes, part: str):
    """Arrays that are deep or grow by aliases, tags, a million lines: at once, and none is run."""
    with bounded(), pytest.raises(CodebookError, match=part) as refused:
        read_codebook("codebook", content)
    assert str(refused.value).endswith(".")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("head", "line", "many", "problems"),
    [
        ("column,low,high\n", "c{},0,1\n", 10_000, 0),
        ("column,low,high\n", "c{},9,1\n", 10_000, 10_000),
        ("fields:\n", "  - {{name: c{}, type: number}}\n", 9_000, 0),
    ],
)
def test_the_largest_codebooks_are_read(head: str, line: str, many: int, problems: int):
    lines = "".join(line.format(i) for i in range(many))
    with bounded():
        found = read_codebook("c", (head + lines).encode())
    assert (len(found.entries), len(found.problems)) == (many, problems)


def test_names_are_only_names():
    names = ["__proto__", "constructor", "<img src=x onerror=1>", "=cmd|'x'", "a" * 4000, "\u202ea"]
    fields = [{"name": name, "type": "number"} for name in names]
    found = read_codebook("c", json.dumps({"fields": fields, "__proto__": {"x": 1}}).encode())
    assert [entry.name for entry in found.entries] == names
    assert set(matching(found.entries, names)) == set(names)
    long = "n\u202e" * 2000
    (problem,) = read_codebook("c", f"column,low,high\n{long},3,1\n".encode()).problems
    assert len(problem) < 120
    assert "\u202e" not in problem


def test_names_match_without_case_and_spaces_but_never_two_at_once():
    text = "column,low,high\nAge ,0,110\nHEART rate,30,220\nSBP,60,260\nsbp,50,250\nX,0,1\n"
    entries = read_codebook("c", text.encode()).entries
    found = matching(entries, ["age", "heartrate", "sbp", "x", "x "])
    names = {"age": "Age", "heartrate": "HEART rate", "sbp": "sbp"}
    assert {name: entry.name for name, entry in found.items()} == names


@given(st.text())
def test_a_number_is_finite_and_read_as_written_or_none(text: str):
    number = number_text(text)
    assert number is None or abs(float(number)) < float("inf")


@given(st.binary(max_size=300), st.sampled_from([b"", b"column,low,high\n", b"{", b"fields:\n"]))
def test_any_bytes_are_a_codebook_or_refused(content: bytes, begin: bytes):
    try:
        found = read_codebook("c", begin + content)
    except CodebookError:
        return
    names = [entry.name for entry in found.entries]
    assert len(set(names)) == len(names)
