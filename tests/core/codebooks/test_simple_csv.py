"""The simple CSV: any subset of headings in any order, lists, sources, what is wrong said."""

import pytest

from dpca_core.codebooks.codebook import CodebookEntry, CodebookError, EntryUse
from dpca_core.codebooks.read_codebook import read_codebook
from dpca_core.codebooks.simple_csv import split_list
from dpca_core.data.recipe import Source
from sample_data.made_up_clinic import codebook_csv


def read(text: str):
    return read_codebook("codebook.csv", text.encode())


def only(text: str) -> CodebookEntry:
    (entry,) = read(text).entries
    return entry


def test_every_heading():
    entry = only(
        "column,use,low,typical,high,unit,missing,values,source\n"
        "bmi,number,10,26,70,kg/m²,999;-1,,law or physics\n"
    )
    assert entry == CodebookEntry(
        "bmi", EntryUse.NUMBER, "10", "26", "70", "kg/m²", ("999", "-1"), source=Source.LAW
    )


def test_any_subset_in_any_order_without_case_and_spaces():
    entry = only("HIGH ; Low ;Column\n 70;10; Body Mass \n")
    assert (entry.name, entry.low, entry.high) == ("Body Mass", "10", "70")
    assert (entry.use, entry.source) == (EntryUse.NUMBER, None)


def test_a_block_pasted_from_a_sheet():
    block = "column\tlow\ttypical\thigh\nldl\t0\t3,5\t10\nhr\t30\t75\t220\n"
    found = read(block)
    assert [(e.name, e.low, e.typical, e.high) for e in found.entries] == [
        ("ldl", "0", "3.5", "10"),
        ("hr", "30", "75", "220"),
    ]
    assert found.problems == ()


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("F; M", ("F", "M")),
        ("F|M", ("F", "M")),
        ("F, M", ("F", "M")),
        ("Smith, J; Doe, A", ("Smith, J", "Doe, A")),
        ("only", ("only",)),
    ],
)
def test_a_list_is_split_at_its_strongest_mark(text: str, values: tuple[str, ...]):
    entry = only(f'column,values\nsex,"{text}"\n')
    assert entry.values == values
    assert entry.use is EntryUse.CATEGORY


@pytest.mark.parametrize(
    ("said", "source"),
    [
        ("", None),
        ("codebook", Source.CODEBOOK),
        ("Study protocol 3.1", Source.CODEBOOK),
        ("Law or Physics", Source.LAW),
        ("guess", Source.GUESS),
        ("declared by you", Source.DECLARED),
        ("noticed in the file", Source.NOTICED),
        ("read from the file", Source.FILE),
        ("file", Source.FILE),
        ("the data", Source.FILE),
    ],
)
def test_a_source_that_reads_the_file_stays_one(said: str, source: Source | None):
    assert only(f"column,low,high,source\nhr,30,220,{said}\n").source is source


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("hr,220,75,30", "hr: minimum above maximum, left empty"),
        ("hr,30,75,30", "hr: minimum equals maximum, left empty"),
        ("hr,30,300,220", "hr: typical value outside the range, left empty"),
        ("hr,NaN,75,220", "hr: NaN is not a number, left empty"),
        ("hr,30,75,1e400", "hr: 1e400 is not a number, left empty"),
        ("hr,30,75,inf", "hr: inf is not a number, left empty"),
        ("hr,0x1f,75,220", "hr: 0x1f is not a number, left empty"),
        ("hr,1_000,,", "hr: 1_000 is not a number, left empty"),
        ("hr,30,75,٢٢٠", "hr: ٢٢٠ is not a number, left empty"),
        ('hr,0,,"1,234"', "hr: 1,234 is not a number, left empty"),
        (",30,75,220", "a line without a column’s name, not used"),
    ],
)
def test_what_is_wrong_is_left_empty_and_said(line: str, problem: str):
    found = read(f"column,low,typical,high\n{line}\nsbp,60,125,260\n")
    assert found.problems == (problem,)
    assert found.entries[-1] == CodebookEntry("sbp", EntryUse.NUMBER, "60", "125", "260")


def test_a_range_that_falls_leaves_nothing_of_itself():
    entry = only("column,low,typical,high,unit\nhr,220,75,30,per min\n")
    assert (entry.low, entry.typical, entry.high, entry.unit) == ("", "", "", "per min")


def test_a_column_described_twice():
    found = read("column,low,high\nhr,30,220\nhr,0,300\nsbp,60,260\nsbp,60,260\n")
    assert [(e.name, e.high) for e in found.entries] == [("hr", "220"), ("sbp", "260")]
    assert found.problems == ("hr: described twice, the first is used",)


def test_headings_that_are_not_used_are_named():
    found = read("column,low,hihg,label\nhr,30,220,Heart rate\n")
    assert found.problems == ("not used: hihg, label",)


def test_an_unknown_use_is_said():
    found = read("column,use,low,high\nhr,covariate,30,220\n")
    assert found.problems == ("hr: use “covariate” is not known",)
    assert found.entries[0].use is EntryUse.NUMBER


@pytest.mark.parametrize(("said", "mark"), [("comma", ","), ('","', ","), ("point", ""), ("", "")])
def test_a_decimal_comma_in_the_table(said: str, mark: str):
    entry = only(f"column,low,high,decimal\nldl,0.5,10,{said}\n")
    assert (entry.decimal, entry.low) == (mark, "0.5")


@pytest.mark.parametrize(
    ("written", "number", "problems"),
    [
        ("12.500", "", ("income: 12.500 could be 12500 or 12.5, left empty",)),
        ("12.500,50", "12500.50", ()),
        ("1.250.000", "1250000", ()),
        ("36,8", "36.8", ()),
        ("12500.5", "12500.5", ()),
        ("0.125", "0.125", ()),
    ],
)
def test_a_point_beside_decimal_commas(written: str, number: str, problems: tuple[str, ...]):
    """Income up to 12.500 that is read as 12.5 would be cut, and nobody would see it."""
    found = read(f"column;low;high;decimal\nincome;0;{written};comma\n")
    assert (found.entries[0].high, found.problems) == (number, problems)


@pytest.mark.parametrize(
    ("written", "decimal", "codes", "problem"),
    [
        ("99,9", "", (), "99,9 could be 99 and 9, or one number, left empty"),
        ("98,99", "point", ("98", "99"), ""),
        ("99,9", "comma", ("99.9",), ""),
        ("98, 99", "", ("98", "99"), ""),
        ("-8,-9", "", ("-8", "-9"), ""),
        ("97,98,99", "", ("97", "98", "99"), ""),
        ('"98; 99"', "", ("98", "99"), ""),
    ],
)
def test_a_missing_code_that_may_be_two(
    written: str, decimal: str, codes: tuple[str, ...], problem: str
):
    """As two codes 99,9 would make every 9 a missing value."""
    found = read(f"column;low;high;missing;decimal\npain;0;100;{written};{decimal}\n")
    assert found.entries[0].missing == codes
    assert all(problem in said for said in found.problems)
    assert bool(found.problems) == bool(problem)


def test_a_point_in_a_codebook_that_has_commas_elsewhere():
    found = read("column;low;high\ntemperature;35,5;42\nincome;0;12.500\nweight;0;2.5\n")
    assert [entry.high for entry in found.entries] == ["42", "", "2.5"]
    assert "income: 12.500 could be 12500 or 12.5, left empty" in found.problems


def test_a_decimal_mark_that_is_not_known():
    found = read("column;low;high;decimal\nage;0;110;komma\n")
    assert found.problems == ("age: decimal “komma” is not known",)


def test_the_person_is_known():
    found = read("column,use\npatient_id,the patient\nvisit,leave out\n")
    assert found.person == ("patient_id",)
    assert [e.use for e in found.entries] == [EntryUse.PERSON, EntryUse.OUT]


def test_short_lines_and_long_ones():
    found = read("column,low,high\nhr\nsbp,60,260,,,\n\n , \n")
    assert [(e.name, e.low, e.high) for e in found.entries] == [
        ("hr", "", ""),
        ("sbp", "60", "260"),
    ]


def test_a_typographic_minus_is_one():
    entry = only("column,low,high\ntemp,−40,+50\n")
    assert (entry.low, entry.high) == ("-40", "50")


def test_the_made_up_clinics_codebook():
    found = read_codebook("codebook.csv", codebook_csv())
    assert len(found.entries) == 15
    assert found.problems == ()
    assert {e.use for e in found.entries} == {EntryUse.NUMBER, EntryUse.CATEGORY}


@pytest.mark.parametrize("text", ["a,b,c\n1,2,3\n", "column\nhr\n", "low,high\n1,2\n", "hr"])
def test_a_table_is_no_codebook(text: str):
    with pytest.raises(CodebookError, match=r"codebook\.csv is not a codebook that can be read"):
        read(text)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ('"a; b"; c', ("a; b", "c")),
        ('"a, <=50K"; "b, x"', ("a, <=50K", "b, x")),
        ('"a|b", "c"', ("a|b", "c")),
        ('"x""y"; z', ('x"y', "z")),
        ('6" pipe | 8" pipe', ('6" pipe', '8" pipe')),
        ('"never closed; b', ('"never closed', "b")),
        ("; ;a;", ("a",)),
    ],
)
def test_a_part_in_quotation_marks_is_one_part(text, parts):
    assert split_list(text) == parts
