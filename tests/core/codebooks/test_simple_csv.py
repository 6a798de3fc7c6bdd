"""The simple CSV and a saved recipe: headings, lists, sources, and what is wrong is said."""

import json

import pytest

from dpca_core.codebooks.codebook import CodebookEntry, CodebookError, EntryUse
from dpca_core.codebooks.read_codebook import read_codebook
from dpca_core.codebooks.simple_csv import split_list
from dpca_core.data.recipe import Category, Number, Recipe, Source
from dpca_core.data.recipe_json import dumps


def read(text: str):
    return read_codebook("codebook.csv", text.encode())


def only(text: str) -> CodebookEntry:
    (entry,) = read(text).entries
    return entry


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        (
            "column,use,low,typical,high,unit,missing,values,source\n"
            "bmi,number,10,26,70,kg/m²,999;-1,,law or physics\n",
            CodebookEntry(
                *("bmi", EntryUse.NUMBER, "10", "26", "70", "kg/m²", ("999", "-1")),
                source=Source.LAW,
            ),
        ),
        (
            "HIGH ; Low ;Column\n 70;10; Body Mass \n",
            CodebookEntry("Body Mass", EntryUse.NUMBER, "10", high="70"),
        ),
        (
            "column\tlow\ttypical\thigh\nldl\t0\t3,5\t10\n",
            CodebookEntry("ldl", EntryUse.NUMBER, "0", "3.5", "10"),
        ),
        (
            "column,low,high\n\n , \ntemp,−40,+50,,,\n",
            CodebookEntry("temp", EntryUse.NUMBER, "-40", high="50"),
        ),
    ],
    ids=["every heading", "any in any order", "pasted from a sheet", "a typographic minus"],
)
def test_a_line_is_a_column(text: str, entry: CodebookEntry):
    assert only(text) == entry
    assert read(text).problems == ()


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("F; M", ("F", "M")),
        ("F, M", ("F", "M")),
        ("Smith, J; Doe, A", ("Smith, J", "Doe, A")),
        ('"a; b"; c', ("a; b", "c")),
        ('"a|b", "c"', ("a|b", "c")),
        ('"x""y"; z', ('x"y', "z")),
        ('6" pipe | 8" pipe', ('6" pipe', '8" pipe')),
        ('"never closed; b', ('"never closed', "b")),
        ("; ;a;", ("a",)),
    ],
)
def test_a_list_is_split_at_its_strongest_mark_outside_quotation_marks(text, parts):
    assert split_list(text) == parts
    if '"' not in text:
        entry = only(f'column,values\nsex,"{text}"\n')
        assert (entry.values, entry.use) == (parts, EntryUse.CATEGORY)


SOURCES = {
    Source.CODEBOOK: ("codebook", "Study protocol 3.1"),
    Source.LAW: ("Law or Physics",),
    Source.GUESS: ("guess",),
    Source.DECLARED: ("declared by you",),
    Source.NOTICED: ("noticed in the file",),
    Source.FILE: ("read from the file", "file", "the data"),
    None: ("",),
}


@pytest.mark.parametrize("source", SOURCES)
def test_a_source_that_reads_the_file_stays_one(source: Source | None):
    for said in SOURCES[source]:
        assert only(f"column,low,high,source\nhr,30,220,{said}\n").source is source


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("hr,220,75,30", "hr: minimum above maximum, left empty"),
        ("hr,30,75,30", "hr: minimum equals maximum, left empty"),
        ("hr,30,300,220", "hr: typical value outside the range, left empty"),
        ("hr,30,75,1e400", "hr: 1e400 is not a number, left empty"),
        ("hr,0x1f,75,220", "hr: 0x1f is not a number, left empty"),
        ("hr,30,75,٢٢٠", "hr: ٢٢٠ is not a number, left empty"),
        ('hr,0,,"1,234"', "hr: 1,234 is not a number, left empty"),
        (",30,75,220", "a line without a column’s name, not used"),
        ("hr,30,75,220\nhr,0,75,300", "hr: described twice, the first is used"),
    ],
)
def test_what_is_wrong_is_left_empty_and_said(line: str, problem: str):
    found = read(f"column,low,typical,high\n{line}\nsbp,60,125,260\nsbp,60,125,260\n")
    assert found.problems == (problem,)
    assert found.entries[-1] == CodebookEntry("sbp", EntryUse.NUMBER, "60", "125", "260")
    if "above" in problem:
        assert (found.entries[0].low, found.entries[0].typical, found.entries[0].high) == ("",) * 3


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("column,low,hihg,label\nhr,30,220,Heart rate\n", "not used: hihg, label"),
        ("column,use,low,high\nhr,covariate,30,220\n", "hr: use “covariate” is not known"),
        ("column;low;high;decimal\nage;0;110;komma\n", "age: decimal “komma” is not known"),
    ],
)
def test_words_that_are_not_known_are_named(text: str, problem: str):
    assert read(text).problems == (problem,)
    assert read(text).entries[0].use is EntryUse.NUMBER


NUMBERS = {"12.500": "", "12.500,50": "12500.50", "1.250.000": "1250000", "36,8": "36.8"}
NUMBERS |= {"12500.5": "12500.5", "0.125": "0.125"}


@pytest.mark.parametrize("written", NUMBERS)
def test_a_point_beside_decimal_commas(written: str):
    """Income up to 12.500 that is read as 12.5 would be cut, and nobody would see it."""
    found = read(f"column;low;high;decimal\nincome;0;{written};comma\n")
    assert (found.entries[0].high, found.entries[0].decimal) == (NUMBERS[written], ",")
    problems = ("income: 12.500 could be 12500 or 12.5, left empty",)
    assert found.problems == (() if NUMBERS[written] else problems)
    # A codebook that has commas elsewhere is one of decimal commas, too.
    found = read("column;low;high\ntemperature;35,5;42\nincome;0;12.500\nweight;0;2.5\n")
    assert [entry.high for entry in found.entries] == ["42", "", "2.5"]
    assert problems[0] in found.problems


@pytest.mark.parametrize(
    ("written", "decimal", "codes"),
    [
        ("99,9", "", ()),
        ("98,99", "point", ("98", "99")),
        ("99,9", "comma", ("99.9",)),
        ("98, 99", "", ("98", "99")),
        ('"98; 99"', "", ("98", "99")),
    ],
)
def test_a_missing_code_that_may_be_two(written: str, decimal: str, codes: tuple[str, ...]):
    """As two codes 99,9 would make every 9 a missing value."""
    found = read(f"column;low;high;missing;decimal\npain;0;100;{written};{decimal}\n")
    assert found.entries[0].missing == codes
    assert ["could be 99 and 9" in said for said in found.problems] == [True] * (not codes)


def test_the_person_is_known():
    found = read("column,use\npatient_id,the patient\nvisit,leave out\n")
    assert found.person == ("patient_id",)
    assert [e.use for e in found.entries] == [EntryUse.PERSON, EntryUse.OUT]


@pytest.mark.parametrize("text", ["a,b,c\n1,2,3\n", "column\nhr\n", "low,high\n1,2\n", "hr"])
def test_a_table_is_no_codebook(text: str):
    with pytest.raises(CodebookError, match=r"codebook\.csv is not a codebook that can be read"):
        read(text)


# --- A saved recipe: where its ranges come from stays what it was ---

RECIPE = Recipe(
    (
        Number("age", 0.0, 110.0, 55.0, "years", ("-1",), Source.CODEBOOK),
        Number("creatinine", 27.5, 1e22, None, "", (), Source.FILE, seen=True),
    ),
    (Category("ward", ("A;1", "B1"), (), Source.NOTICED),),
    person=("patient_id",),
)


def test_a_saved_recipe_is_a_codebook():
    found = read_codebook("recipe.json", dumps(RECIPE).encode())
    assert found.recipe == RECIPE
    assert (found.person, found.number_format) == (("patient_id",), RECIPE.number_format)
    age, creatinine, ward = found.entries
    ends = ("age", EntryUse.NUMBER, "0", "55", "110", "years", ("-1",))
    assert age == CodebookEntry(*ends, source=Source.CODEBOOK)
    ends = ("creatinine", EntryUse.NUMBER, "27.5", "", "1e+22")
    assert creatinine == CodebookEntry(*ends, source=Source.FILE, seen=True)
    assert (ward.use, ward.values) == (EntryUse.CATEGORY, ("A;1", "B1"))
    assert ward.source is Source.NOTICED


@pytest.mark.parametrize("change", [{"format": "dpca-recipe/9"}, {"surprise": 1}, {"most": "x"}])
def test_a_recipe_that_is_not_sound_is_refused_by_name(change: dict[str, object]):
    tree = json.loads(dumps(RECIPE)) | change
    with pytest.raises(CodebookError, match=next(iter(change))):
        read_codebook("recipe.json", json.dumps(tree).encode())
