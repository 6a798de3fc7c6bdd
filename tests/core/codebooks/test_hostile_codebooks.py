"""Codebooks that are huge, deep, broken or meant to harm: read as far as sound, or refused."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpca_core.codebooks.codebook import CodebookError, matching
from dpca_core.codebooks.number_text import number_text
from dpca_core.codebooks.read_codebook import read_codebook


def refusal(content: bytes) -> str:
    with pytest.raises(CodebookError) as caught:
        read_codebook("codebook", content)
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert sentence.endswith(".")
    return sentence


def test_a_million_lines_are_refused_in_a_second():
    begin = time.perf_counter()
    short = b"column,low\n" + b"a,1\n" * 1_000_000
    assert "more than 10,000 columns" in refusal(short)
    assert "longer than 5 MB" in refusal(short * 2)
    assert time.perf_counter() - begin < 2


def test_ten_thousand_columns_are_read():
    lines = "".join(f"c{i},0,{i + 1}\n" for i in range(10_000))
    assert len(read_codebook("c", f"column,low,high\n{lines}".encode()).entries) == 10_000


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (b"", "is empty"),
        (b" \n\t\n", "is empty"),
        (b"PK\x03\x04rest", "save the sheet as CSV UTF-8"),
        (b"\xd0\xcf\x11\xe0rest", "save the sheet as CSV UTF-8"),
        (b"%PDF-1.7", "is not text"),
        (b"column,low\0,high\n", "is not text"),
        (b'{"fields": [', "look at line 1"),
        (b"[1, 2]", "no “fields”"),
        (b"{}", "no “fields”"),
        (b"[" * 100_000, "nested too deeply"),
        (b"fields: " + b"[" * 100_000, "nested too deeply"),
        (b"fields:\n  - &a {name: x}\n  - *a\n", "anchors or aliases"),
        (b"fields: [*a]\n", "anchors or aliases"),
        (b"fields: !!python/object/apply:os.system [ls]\n", "tags"),
        (b"fields:\n\t- name: x\n", "look at line"),
        (b"fields:\n# " + b"x" * 1_100_000, "longer than 1 MB"),
        (b'column,low\n"' + b"x" * 200_000, "cannot be read as CSV"),
        (b'{"format": "dpca-draft/1"}', "no “fields”"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_sentence(content: bytes, part: str):
    assert part in refusal(content)


def test_a_bomb_of_aliases_costs_nothing():
    lines = ["fields: &a0 [x]"] + [f"b{i}: &a{i} [*a{i - 1}, *a{i - 1}]" for i in range(1, 60)]
    begin = time.perf_counter()
    assert "anchors or aliases" in refusal("\n".join(lines).encode())
    assert time.perf_counter() - begin < 0.5


def test_a_million_characters_of_yaml_are_read_in_time():
    lines = "".join(f"  - {{name: c{i}, type: number}}\n" for i in range(9_000))
    begin = time.perf_counter()
    assert len(read_codebook("c", f"fields:\n{lines}".encode()).entries) == 9_000
    assert time.perf_counter() - begin < 5


NAMES = ["__proto__", "constructor", "<img src=x onerror=1>", "=cmd|'x'", "a" * 4000, "\u202eabc"]


def test_a_problem_in_every_line_is_said_in_time():
    lines = "".join(f"c{i},9,1\n" for i in range(10_000))
    begin = time.perf_counter()
    found = read_codebook("c", f"column,low,high\n{lines}".encode())
    assert len(found.problems) == 10_000
    assert time.perf_counter() - begin < 2


def test_names_are_only_names():
    fields = [{"name": name, "type": "number"} for name in NAMES]
    found = read_codebook("c", json.dumps({"fields": fields, "__proto__": {"x": 1}}).encode())
    assert [entry.name for entry in found.entries] == NAMES
    assert set(matching(found.entries, NAMES)) == set(NAMES)


def test_a_long_name_is_short_in_a_problem():
    name = "n\u202e" * 2000
    found = read_codebook("c", f"column,low,high\n{name},3,1\n".encode())
    assert len(found.problems[0]) < 120
    assert "\u202e" not in found.problems[0]


def test_names_match_without_case_and_spaces_but_never_two_at_once():
    text = "column,low,high\nAge ,0,110\nHEART rate,30,220\nSBP,60,260\nsbp,50,250\nX,0,1\n"
    entries = read_codebook("c", text.encode()).entries
    found = matching(entries, ["age", "heartrate", "sbp", "x", "x "])
    assert {name: entry.name for name, entry in found.items()} == {
        "age": "Age",
        "heartrate": "HEART rate",
        "sbp": "sbp",
    }


@given(st.text())
def test_a_number_is_finite_and_read_as_written_or_none(text: str):
    number = number_text(text)
    assert number is None or abs(float(number)) < float("inf")


@given(st.binary(max_size=300), st.sampled_from([b"", b"column,low,high\n", b"{", b"fields:\n"]))
def test_any_bytes_are_a_codebook_or_refused(content: bytes, begin: bytes):
    try:
        found = read_codebook("c", begin + content)
    except CodebookError:
        found = None
    names = [entry.name for entry in found.entries] if found else []
    assert len(set(names)) == len(names)
