"""Codebooks in each format: what they say of a column, what is left empty, what is refused."""

import csv
import io
import json
from math import isfinite
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpca_core.codebooks import (
    Codebook,
    CodebookEntry,
    CodebookError,
    matching,
    read_codebook,
    split_list,
)
from dpca_core.data.recipe import Category, Number, Recipe, Source
from dpca_core.data.recipe_json import dumps
from dpca_core.data.text_file_format import TextFileFormat
from tests.hostile.one_sentence import bounded

COMMAS = TextFileFormat(";", ",")


def read(text: str, header: tuple[str, ...] = (), **how: Any) -> Codebook:
    return read_codebook("codebook.csv", text.encode(), header, **how)


def told(entry: CodebookEntry) -> str:
    """Write all that an entry says: lists in parentheses, missing codes first."""
    ends = (f"{name} {end}" for name in ("low", "typical", "high") if (end := getattr(entry, name)))
    marks = entry.decimal, entry.thousands, entry.unit, f"({entry.title})" * bool(entry.title)
    lists = ("/".join(one) for one in (entry.missing, entry.values, map("=".join, entry.labels)))
    said = (entry.name, entry.use, *ends, *marks, *(f"({one})" for one in lists if one))
    return " ".join(filter(None, (*said, entry.source, "seen" * entry.seen)))


def only(found: Codebook) -> CodebookEntry:
    (entry,) = found.entries
    return entry


# --- A CSV file with a line a column ---


def test_a_line_is_a_column():
    """Under every heading; in any order; from a sheet; with a true minus; a scale; a person."""
    full = "column,use,low,typical,high,unit,missing,source"
    for text, said in (
        (
            f"{full}\nbmi,number,10,26,70,kg/m²,999;-1,law or physics",
            "bmi number low 10 typical 26 high 70 kg/m² (999/-1) law or physics",
        ),
        ("HIGH ; Low ;Column\n 70;10; Body ", "Body number low 10 high 70"),
        ("column\tlow\ttypical\nldl\t0\t3,5", "ldl number low 0 typical 3.5"),
        ("column,low,high\n\n , \nt,−40,+50,,,\n", "t number low -40 high 50"),
        ("column,use,values\npain,scale,none; mild; severe", "pain scale (none/mild/severe)"),
        ("column,use,values,missing\nq,scale,1|2|9,9", "q scale (9) (1/2)"),
        ("column,use\nid,the patient", "id person"),
        ("column,high,source\nhr,9,Study protocol 3.1", "hr number high 9 codebook"),
        ("column,high,source\nhr,9,noticed in the file", "hr number high 9 noticed in the file"),
        ("column,high,source\nhr,9,read from the file", "hr number high 9 file"),
        # A comma in a list: two codes, or one number; as 99 and 9 it would make every 9 missing.
        ("column;high;missing\nq;100;98, 99", "q number high 100 (98/99)"),
        ("column;high;missing;decimal\nq;100;98,99;point", "q number high 100 . (98/99)"),
        ("column;high;missing;decimal\nq;100;99,9;comma", "q number high 100 , (99.9)"),
    ):
        found = read(text)
        assert (told(only(found)), found.problems) == (said, ())


def test_a_list_is_split_at_its_strongest_mark_outside_quotation_marks():
    for text, parts in (
        ("Smith, J; Doe, A", ("Smith, J", "Doe, A")),
        ('"a|b", "x""y"', ("a|b", 'x"y')),
        ('6" pipe | 8" pipe', ('6" pipe', '8" pipe')),
        ("; ;a;\r\nb", ("a", "b")),
    ):
        assert split_list(text) == parts
    for text in ("0,5, 1,5", "0,5; 1,5"):
        assert split_list(text, decimal_commas=True) == ("0,5", "1,5")


def test_what_is_wrong_is_left_empty_and_said():
    """A scale has 2 to 20 values that are not missing."""
    many = "|".join(map(str, range(10, 31)))
    for line, use, problem in (
        ("hr,220,75,30", "number", "hr: minimum above maximum, left empty"),
        ("hr,30,300,220", "number", "hr: typical value outside the range, left empty"),
        ("hr,30,75,1e400", "number", "hr: 1e400 is no clear number, left empty"),
        ("hr,30,75,٢٢٠", "number", "hr: ٢٢٠ is no clear number, left empty"),
        ('hr,0,,"1,234"', "number", "hr: 1,234 is no clear number, left empty"),
        (",30,75,220", "number", "a line without a column’s name, not used"),
        ("hr,30,75,220\nhr,0,75,300", "number", "hr: described twice, the first is used"),
        ("hr,30,75,220,covariate", "number", "hr: use “covariate” is not known"),
        ("hr,30,75,220,,komma", "number", "hr: decimal “komma” is not known"),
        ("q,,,,scale,,1|9,9", "category", "q: a scale has 2 to 20 values, used as a category"),
        (f"q,,,,scale,,{many}", "category", "q: a scale has 2 to 20 values, used as a category"),
        ("q,,,,,,a;a;b", "category", "q: a value is listed twice, once is used"),
    ):
        header = "column,low,typical,high,use,decimal,values,missing"
        found = read(f"{header}\n{line}\nsbp,60,125,260\nsbp,60,125,260\n")
        assert (found.problems, found.entries[0].use) == ((problem,), use)
        assert told(found.entries[-1]) == "sbp number low 60 typical 125 high 260"
        assert ("minimum" in problem) <= (told(found.entries[0]) == "hr number")
    (problem,) = read('column,high,missing\npain,100,"99,9"\n').problems
    assert "could be 99 and 9" in problem
    assert read("column,low,hihg,label\na,1,2,x\n").problems == ("not used: hihg, label",)


def test_a_point_beside_decimal_commas_may_stand_between_thousands():
    """Income up to 12.500 that is read as 12.5 would be cut, and nobody would see it."""
    for written, high in (("12.500", ""), ("12.500,50", "12500.5"), ("36,8", "36.8")):
        found = read(f"column;low;high;decimal\nincome;0;{written};comma\n")
        said = ("income: 12.500 is no clear number, left empty",) * (not high)
        assert (only(found).high, found.problems) == (high, said)
    # So are commas elsewhere in the codebook, or in the table.
    lines = "temperature;35,5;42\nincome;0;12.500\nweight;0;2.5\ncost;0;12.500,00\n"
    highs = [one.high for one in read(f"column;low;high\n{lines}").entries]
    assert highs == ["42", "", "2.5", "12500"]
    plain = "column;low;high\nincome;0;12.500\n"
    assert [only(one).high for one in (read(plain), read(plain, form=COMMAS))] == ["12.5", ""]


# --- Table Schema ---

LISTED = '"categories": [{"value": 0, "label": "no"}, {"value": 1, "label": "yes"}]'


def test_what_a_field_says():
    for field, said in (
        ('"type": "number", "constraints": {"minimum": "0"}', "number low 0 codebook"),
        ('"type": "number", "constraints": {"maximum": 2.50}', "number high 2.5 codebook"),
        (
            '"constraints": {"exclusiveMinimum": 0, "exclusiveMaximum": "9"}',
            "number low 0 high 9 codebook",
        ),
        (
            '"type": "number", "decimalChar": ",", "groupChar": ".", "unit": "mmol/L", '
            '"constraints": {"minimum": 0.5, "maximum": "1.000,5"}',
            "number low 0.5 high 1000.5 , . mmol/L codebook",
        ),
        ('"type": "number", "decimalChar": "]", "groupChar": "\\\\"', "number"),
        ('"type": "Integer"', "number"),
        ('"type": "year"', "number"),
        ('"type": "date", "constraints": {"minimum": "2020-01-01"}', "out"),
        ('"type": "string", "format": "email"', "out"),
        ('"type": "string"', ""),
        ('"title": "X"', ""),
        ('"type": "string", "constraints": {"enum": ["F", "M"]}', "category (F/M) codebook"),
        (f'"type": "integer", {LISTED}', "category (0/1) codebook"),
        (f'"type": "integer", {LISTED}, "categoriesOrdered": true', "scale (0/1) codebook"),
        # The standard allows four ways to write yes and no.
        (
            '"type": "boolean", "trueValues": ["J"], "falseValues": ["N"]',
            "category (N/J) codebook",
        ),
        ('"type": "boolean"', "category: how yes and no are written is not said"),
    ):
        found = read(f'{{"fields": [{{"name": "x", {field}}}]}}')
        problems = (problem.removeprefix("x") for problem in found.problems)
        assert told(only(found)) + "".join(problems) == f"x {said}".strip()


def test_a_fields_missing_values_replace_the_tables_and_a_primary_key_names_the_row():
    own = {"missingValues": [{"value": "-99", "label": "no"}], "constraints": {"minimum": 1}}
    fields = [{"name": "id", "type": "integer"}, {"name": "visit", "type": "integer", **own}]
    for key in ("id", ["id"], ["id", "visit"]):
        tree = {"fields": fields, "missingValues": ["", "NA", "999"], "primaryKey": key}
        said = [told(entry) for entry in read(json.dumps(tree)).entries]
        assert said == ["id out (NA/999)", "visit number low 1 (-99) codebook"]


def test_a_package_gives_the_schema_that_fits_the_table():
    visits, people = ({"fields": [{"name": name, "type": "number"}]} for name in ("hr", "Age "))
    package = {"resources": [{"name": "v", "schema": visits}, {"name": "p", "schema": people}]}
    for tree, header, name in (
        (package, (), "hr"),
        (package, ("age", "sex"), "Age"),
        ({"schema": visits, "path": "x.csv"}, (), "hr"),
    ):
        assert only(read(json.dumps(tree), header)).name == name
    elsewhere = {"resources": [{"name": "v", "schema": "visits.json"}]}
    for tree in (elsewhere, {"resources": []}, {"resources": "x"}, {"schema": 3}, {"fields": {}}):
        with pytest.raises(CodebookError, match="load the file that holds the fields"):
            read(json.dumps(tree))


# --- REDCap's data dictionary ---

DOWNLOADED = (
    "Variable / Field Name|Field Type|Choices, Calculations, OR Slider Labels|"
    "Text Validation Type OR Show Slider Number|Text Validation Min|Text Validation Max|Identifier?"
)
CHECKS = ("date_ymd", "datetime_seconds_dmy", "time", "email", "phone", "zipcode", "ssn")


def dictionary(*told: str, empty: str = "") -> Codebook:
    """Return what is read of one field, by its first cells."""
    lines = [DOWNLOADED.split("|"), [cell or empty for cell in (*told, *[""] * 7)][:7]]
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(lines)
    return read_codebook("dictionary.csv", text.getvalue().encode("utf-8-sig"))


def test_what_a_field_of_redcap_is():
    """Choices have the order of a known scale; a limit that may be a thousand is left empty."""
    for field, said in (
        (("slider",), "number low 0 high 100 codebook"),
        (("slider", "some | much", "number", "-1", "101"), "number low -1 high 101 codebook"),
        (("text", "", "number", "0", "3"), "number low 0 high 3 codebook"),
        (
            ("text", "", "number_2dp_comma_decimal", "0,5", "2.5"),
            "number low 0.5 high 2.5 , codebook",
        ),
        (("text", "", "number_comma_decimal", "0", "10.000"), "number low 0 , codebook"),
        (("calc", "round([weight]/[height],1)"), "number"),
        (("text", "", "number", "[height]", "200"), "number high 200 codebook"),
        (
            ("radio", "0, A | 1, B, or C |-9,Refused"),
            "category (0/1/-9) (0=A/1=B, or C/-9=Refused) codebook",
        ),
        (
            ("dropdown", "1, Agree | 0, Disagree | 2, Strongly agree"),
            "scale (0/1/2) (1=Agree/0=Disagree/2=Strongly agree) codebook",
        ),
        (
            ("radio", "3, never | 1, sometimes | 2, often"),
            "scale (3/1/2) (3=never/1=sometimes/2=often) codebook",
        ),
        (("yesno",), "category (0/1) codebook"),
        *((("text", "", check, "2020-01-01", "today"), "out") for check in CHECKS),
        *(((kind,), "out") for kind in ("notes", "file", "sql")),
        (("text", "", "integer", "0", "99", "y"), "out"),
        (("text",), ""),
    ):
        entry = only(dictionary("h", *field, empty="NA"))
        assert told(entry) == f"h {said}".strip(), field


def test_a_checkbox_is_a_column_for_each_choice_and_a_heading_none():
    found = dictionary("race", "checkbox", "1, A | B2, B | -1, C").entries
    names = ["race___1", "race___b2", "race____1"]
    assert [told(entry) for entry in found] == [f"{n} category (0/1) codebook" for n in names]
    assert dictionary("intro", "descriptive").entries == ()


# --- Our own recipes, names, and what is none ---


def test_a_saved_recipe_is_a_codebook():
    creatinine = Number("creatinine", 27.5, 1e22, None, "", ("-1",), Source.FILE, seen=True)
    recipe = Recipe((creatinine,), (Category("ward", ("A;1", "B1"), ("?",), Source.NOTICED),))
    found = read(dumps(recipe))
    assert [told(entry) for entry in found.entries] == [
        "creatinine number low 27.5 high 1e+22 (-1) file seen",
        "ward category (?) (A;1/B1) noticed in the file",
    ]
    for change in ({"format": "dpca-recipe/9"}, {"surprise": 1}, {"most": "x"}):
        with pytest.raises(CodebookError, match=next(iter(change))):
            read(json.dumps(json.loads(dumps(recipe)) | change))


def test_names_match_without_case_and_spaces_but_never_two_at_once():
    text = "column,low,high\nAge ,0,110\nHEART rate,30,220\nSBP,60,260\nsbp,50,250\nX,0,1\n"
    found = matching(read(text).entries, ["age", "heartrate", "sbp", "x", "x "])
    names = {"age": "Age", "heartrate": "HEART rate", "sbp": "sbp"}
    assert {name: entry.name for name, entry in found.items()} == names


MANY_LINES = b"column,low\n" + b"a,1\n" * 1_000_000


def test_what_cannot_be_read_is_refused_at_once():
    for content, part in (
        (b"", "is empty"),
        (b"a,b,c\n1,2,3\n", "is not a codebook that can be read"),
        (b"low,high\n1,2\n", "is not a codebook that can be read"),
        (b",,,\n;\n", "is not a codebook that can be read"),
        (b"PK\x03\x04rest", "save the codebook as CSV UTF-8"),
        (b"column,low\0,high\n", "is not text"),
        (b'column,low\na,"' + b"x" * 200_000, "a quotation mark that is not closed"),
        (b'{"fields": [', "look at line 1"),
        (b"[" * 100_000, "nested too deeply"),
        (b"# of the clinic\nfields:\n  - name: hr\n", "YAML are not read: save it as JSON"),
        (MANY_LINES, "more than 10,000 columns"),
        (MANY_LINES * 2, "longer than 5 MB"),
    ):
        with bounded(), pytest.raises(CodebookError, match=part) as refused:
            read_codebook("codebook", content)
        assert str(refused.value).endswith(".")
        assert "\n" not in str(refused.value)


@given(st.binary(max_size=300), st.sampled_from([b"", b"column,low,high\n", b"{"]))
def test_any_bytes_are_a_codebook_or_refused(content: bytes, begin: bytes):
    try:
        found = read_codebook("c", begin + content)
    except CodebookError:
        return
    names = [entry.name for entry in found.entries]
    assert len(set(names)) == len(names)
    ends = [end for entry in found.entries for end in (entry.low, entry.typical, entry.high) if end]
    assert all(isfinite(float(end)) for end in ends)
