"""Codebooks in each format: what they say of a column, what is left empty, what is refused."""

import csv
import io
import json
from dataclasses import replace
from math import isfinite
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpca_core.codebooks import (
    Codebook,
    CodebookEntry,
    CodebookError,
    EntryUse,
    matching,
    read_codebook,
    split_list,
)
from dpca_core.data.recipe import Category, Number, Recipe, Scale, Source
from dpca_core.data.recipe_json import dumps
from dpca_core.data.text_file_format import TextFileFormat
from sample_data.made_up_clinic import codebook_csv, table_schema_json
from tests.hostile.one_sentence import bounded

NUMBER, SCALE, CATEGORY, OUT = EntryUse.NUMBER, EntryUse.SCALE, EntryUse.CATEGORY, EntryUse.OUT
COMMAS = TextFileFormat(";", ",")


def read(text: str, header: tuple[str, ...] = (), **how: Any) -> Codebook:
    return read_codebook("codebook.csv", text.encode(), header, **how)


def only(found: Codebook) -> CodebookEntry:
    (entry,) = found.entries
    return entry


def test_a_line_is_a_column():
    """Under every heading; in any order; from a sheet; with a true minus; a scale; a person."""
    bmi = ("bmi", NUMBER, "10", "26", "70", "kg/m²", ("999", "-1"))
    scale = CodebookEntry("pain", SCALE, values=("none", "mild", "severe"))
    for text, entry in (
        (
            "column,use,low,typical,high,unit,missing,values,source\n"
            "bmi,number,10,26,70,kg/m²,999;-1,,law or physics\n",
            CodebookEntry(*bmi, source=Source.LAW),
        ),
        ("HIGH ; Low ;Column\n 70;10; Body \n", CodebookEntry("Body", NUMBER, "10", high="70")),
        (
            "column\tlow\ttypical\thigh\nldl\t0\t3,5\t10\n",
            CodebookEntry("ldl", NUMBER, "0", "3.5", "10"),
        ),
        ("column,low,high\n\n , \nt,−40,+50,,,\n", CodebookEntry("t", NUMBER, "-40", high="50")),
        ("column,use,values\npain,scale,none; mild; severe\n", scale),
        ("column,use\nid,the patient\n", CodebookEntry("id", EntryUse.PERSON)),
    ):
        assert (only(read(text)), read(text).problems) == (entry, ())


def test_a_list_is_split_at_its_strongest_mark_outside_quotation_marks():
    for text, parts in (
        ("F, M", ("F", "M")),
        ("Smith, J; Doe, A", ("Smith, J", "Doe, A")),
        ('"a|b", "c"', ("a|b", "c")),
        ('"x""y"; z', ('x"y', "z")),
        ('6" pipe | 8" pipe', ('6" pipe', '8" pipe')),
        ('"never closed; b', ('"never closed', "b")),
        ("; ;a;", ("a",)),
    ):
        assert split_list(text) == parts
    assert split_list("0,5, 1,5", decimal_commas=True) == ("0,5", "1,5")


def test_a_source_that_reads_the_file_stays_one():
    for said, source in (
        ("Study protocol 3.1", Source.CODEBOOK),
        ("Law or Physics", Source.LAW),
        ("noticed in the file", Source.NOTICED),
        ("read from the file", Source.FILE),
        ("the data", Source.FILE),
        ("", None),
    ):
        assert only(read(f"column,low,high,source\nhr,30,220,{said}\n")).source is source


def test_what_is_wrong_is_left_empty_and_said():
    for line, problem in (
        ("hr,220,75,30", "hr: minimum above maximum, left empty"),
        ("hr,30,75,30", "hr: minimum equals maximum, left empty"),
        ("hr,30,300,220", "hr: typical value outside the range, left empty"),
        ("hr,30,75,1e400", "hr: 1e400 is no clear number, left empty"),
        ("hr,30,75,٢٢٠", "hr: ٢٢٠ is no clear number, left empty"),
        ('hr,0,,"1,234"', "hr: 1,234 is no clear number, left empty"),
        (",30,75,220", "a line without a column’s name, not used"),
        ("hr,30,75,220\nhr,0,75,300", "hr: described twice, the first is used"),
        ("hr,30,75,220,x,y", "not used: hihg, label"),
        ("hr,30,75,220,,,covariate", "hr: use “covariate” is not known"),
        ("hr,30,75,220,,,,komma", "hr: decimal “komma” is not known"),
    ):
        others = "hihg,label" if "hihg" in problem else ","
        header = f"column,low,typical,high,{others},use,decimal"
        found = read(f"{header}\n{line}\nsbp,60,125,260\nsbp,60,125,260\n")
        assert found.problems == (problem,)
        assert found.entries[-1] == CodebookEntry("sbp", NUMBER, "60", "125", "260")
        assert ("minimum" in problem) <= (found.entries[0] == CodebookEntry("hr", NUMBER))
    (problem,) = read("column,low,high\n" + "n\u202e" * 2000 + ",3,1\n").problems
    assert (len(problem) < 120, "\u202e" in problem) == (True, False)


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


def test_a_missing_code_that_may_be_two_is_left_empty():
    """As two codes 99,9 would make every 9 a missing value."""
    for written, decimal, codes in (
        ("99,9", "", ()),
        ("98,99", "point", ("98", "99")),
        ("99,9", "comma", ("99.9",)),
        ("98, 99", "", ("98", "99")),
    ):
        found = read(f"column;low;high;missing;decimal\npain;0;100;{written};{decimal}\n")
        assert found.entries[0].missing == codes
        assert ["could be 99 and 9" in said for said in found.problems] == [True] * (not codes)


def test_a_scale_has_values_that_are_not_missing_and_few():
    text = "column;use;values;missing\nq;scale;{};9\n"
    assert only(read(text.format("1|2|9"))).values == ("1", "2")
    for values in ("1|9", "|".join(map(str, range(10, 31)))):
        found = read(text.format(values))
        assert only(found).use is CATEGORY
        assert found.problems == ("q: a scale has 2 to 20 values, used as a category",)


def schema(**field: Any) -> CodebookEntry:
    return only(read(json.dumps({"fields": [{"name": "x", **field}]})))


def between(low: Any, high: Any) -> dict[str, Any]:
    return {"minimum": low, "maximum": high}


def test_a_number_with_limits_as_numbers_or_texts():
    expected = CodebookEntry("x", NUMBER, "0", high="2.5", source=Source.CODEBOOK)
    assert schema(type="number", constraints=between("0", "2.50")) == expected
    text = '{"fields": [{"name": "x", "type": "number", "constraints": {"minimum": 0, '
    assert only(read(text + '"maximum": 2.50}}]}')) == expected
    entry = schema(type="number", constraints={"exclusiveMinimum": 0, "exclusiveMaximum": "9"})
    assert (entry.low, entry.high) == ("0", "9")
    marks = {"decimalChar": ",", "groupChar": ".", "unit": "mmol/L"}
    entry = schema(type="number", **marks, constraints=between("0", "1.000,5"))
    assert (entry.decimal, entry.thousands, entry.unit) == (",", ".", "mmol/L")
    assert entry.high == "1000.5"
    assert schema(type="number", decimalChar=",", constraints=between(0, 2.5)).high == "2.5"
    assert schema(type="number", decimalChar="]", groupChar="\\").decimal == ""


def test_types_that_are_a_quantity_and_types_that_are_none():
    for kind in ("number", "integer", "year"):
        assert schema(type=kind) == CodebookEntry("x", NUMBER)
    for kind in ("date", "datetime", "yearmonth", "geopoint", "object", "list"):
        assert schema(type=kind, constraints=between("2020-01-01", "2021")).use is OUT
    assert schema() == schema(type="string") == CodebookEntry("x")
    assert schema(type="string", format="email").use is OUT


def test_lists_of_values_and_their_order():
    assert schema(type="string", constraints={"enum": ["F", "M"]}).values == ("F", "M")
    labelled = [{"value": 0, "label": "no"}, {"value": 1, "label": "yes"}]
    plain = schema(type="integer", categories=labelled)
    assert (plain.use, plain.values) == (CATEGORY, ("0", "1"))
    ordered = schema(type="integer", categories=labelled, categoriesOrdered=True)
    assert ordered == replace(plain, use=SCALE)
    # The standard allows four ways to write yes and no.
    assert schema(type="boolean", trueValues=["J"], falseValues=["N"]).values == ("N", "J")
    found = read(json.dumps({"fields": [{"name": "died", "type": "boolean"}]}))
    assert only(found) == CodebookEntry("died", CATEGORY)
    assert found.problems == ("died: how yes and no are written is not said",)


def test_a_fields_missing_values_replace_the_tables_and_a_primary_key_names_the_row():
    own = {"missingValues": [{"value": "-99", "label": "no"}], "constraints": between(1, 9)}
    fields = [{"name": "id", "type": "integer"}, {"name": "visit", "type": "integer", **own}]
    for key in ("id", ["id"], ["id", "visit"]):
        tree = {"fields": fields, "missingValues": ["", "NA", "999"], "primaryKey": key}
        found = read(json.dumps(tree)).entries
        assert [entry.use for entry in found] == [OUT, NUMBER]
        assert [entry.missing for entry in found] == [("NA", "999"), ("-99",)]


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


def test_yaml_keeps_texts_as_they_are_written_and_makes_nothing():
    text = "# a comment\nfields:\n  - name: hr\n    constraints: {minimum: 030, maximum: 2.20e2}\n"
    hr, smoker = read(text + "  - {name: smoker, constraints: {enum: [no, yes, off]}}\n").entries
    assert (hr.low, hr.high, smoker.values) == ("30", "220", ("no", "yes", "off"))
    assert read("fields: !!python/object/apply:os.system [ls]\n").entries == ()


def test_the_made_up_clinics_schema_says_what_its_csv_says():
    simple, tree = (read_codebook("c", f()) for f in (codebook_csv, table_schema_json))
    assert simple.problems == ()
    for one, other in zip(simple.entries, tree.entries, strict=True):
        assert replace(one, source=None, decimal="", typical="") == replace(
            other, source=None, decimal="", typical=""
        )


DOWNLOADED = (
    "Variable / Field Name|Field Type|Choices, Calculations, OR Slider Labels|"
    "Text Validation Type OR Show Slider Number|Text Validation Min|Text Validation Max|"
    "Identifier?|Form Name|Section Header|Field Label|Field Note"
)
OF_PROGRAMS = (
    "field_name|field_type|select_choices_or_calculations|"
    "text_validation_type_or_show_slider_number|text_validation_min|text_validation_max|"
    "identifier|form_name|section_header|field_label|field_note"
)


def dictionary(*told: str, header: str = DOWNLOADED, empty: str = "", **how: Any) -> Codebook:
    """Return what is read of one field, by its first cells."""
    lines = [header.split("|"), [cell or empty for cell in (*told, *[""] * 11)][:11]]
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(lines)
    return read_codebook("dictionary.csv", text.getvalue().encode("utf-8-sig"), **how)


def test_choices_are_their_codes_in_the_order_of_a_scale_that_is_known():
    for kind, choices, use, values in (
        ("radio", "0, A | 1, B, or C |-9,Refused", CATEGORY, ("0", "1", "-9")),
        ("dropdown", "1, Agree | 0, Disagree | 2, Strongly agree", SCALE, ("0", "1", "2")),
        ("radio", "3, never | 1, sometimes | 2, often", SCALE, ("3", "1", "2")),
        ("yesno", "", CATEGORY, ("0", "1")),
    ):
        entry = only(dictionary("q", kind, choices))
        assert (entry.use, entry.values) == (use, values)
    # A checkbox is a column for each choice.
    found = dictionary("race", "checkbox", "1, A | B2, B | -1, C").entries
    assert [e.name for e in found] == ["race___1", "race___b2", "race____1"]
    assert {(e.use, e.values) for e in found} == {(CATEGORY, ("0", "1"))}


@pytest.mark.parametrize("header", [DOWNLOADED, OF_PROGRAMS])
def test_numbers_and_their_limits_in_either_notation(header):
    """A limit that could be one of thousands is left empty; so is a formula."""
    for told, low, high, decimal in (
        (("slider",), "0", "100", ""),
        (("slider", "none | some | much", "number", "-1", "101"), "-1", "101", ""),
        (("text", "", "number", "0", "3"), "0", "3", ""),
        (("text", "", "number_2dp_comma_decimal", "0,5", "2.5"), "0.5", "2.5", ","),
        (("text", "", "number_comma_decimal", "0", "10.000"), "0", "", ","),
        (("calc", "round([weight]/[height],1)"), "", "", ""),
        (("text", "", "number", "[height]", "200"), "", "200", ""),
    ):
        entry = only(dictionary("h", *told, header=header, empty="NA"))
        assert (entry.use, entry.low, entry.high, entry.decimal) == (NUMBER, low, high, decimal)
    doubtful = dictionary("h", "text", "", "number", "0", "10.000", form=COMMAS)
    assert (only(doubtful).high, len(doubtful.problems)) == ("", 1)


def test_what_holds_no_numbers_or_names_a_person_is_left_out():
    checks = ("date_ymd", "datetime_seconds_dmy", "time", "email", "phone", "zipcode", "ssn")
    fields = [("text", "", check, "2020-01-01", "today") for check in checks]
    fields += [("notes",), ("file",), ("sql",), ("text", "", "integer", "0", "99", "y")]
    for field in fields:
        assert only(dictionary("x", *field)).use is OUT
    assert only(dictionary("free", "text")) == CodebookEntry("free")
    assert dictionary("intro", "descriptive").entries == ()


RECIPE = Recipe(
    (
        Number("age", 0.0, 110.0, 55.0, "years", ("-1",), Source.CODEBOOK),
        Number("creatinine", 27.5, 1e22, None, "", (), Source.FILE, seen=True),
    ),
    (Category("ward", ("A;1", "B1"), (), Source.NOTICED),),
    person=("patient_id",),
    scales=(Scale("pain", ("none", "some"), ("?",), Source.LAW),),
)


def test_a_saved_recipe_is_a_codebook():
    found = read(dumps(RECIPE))
    assert found.recipe == RECIPE
    ends, other = ("0", "55", "110"), ("27.5", "", "1e+22")
    assert found.entries == (
        CodebookEntry("age", NUMBER, *ends, "years", ("-1",), source=Source.CODEBOOK),
        CodebookEntry("creatinine", NUMBER, *other, source=Source.FILE, seen=True),
        CodebookEntry("pain", SCALE, missing=("?",), values=("none", "some"), source=Source.LAW),
        CodebookEntry("ward", CATEGORY, values=("A;1", "B1"), source=Source.NOTICED),
    )
    for change in ({"format": "dpca-recipe/9"}, {"surprise": 1}, {"most": "x"}):
        with pytest.raises(CodebookError, match=next(iter(change))):
            read(json.dumps(json.loads(dumps(RECIPE)) | change))


def test_names_match_without_case_and_spaces_but_never_two_at_once():
    text = "column,low,high\nAge ,0,110\nHEART rate,30,220\nSBP,60,260\nsbp,50,250\nX,0,1\n"
    found = matching(read(text).entries, ["age", "heartrate", "sbp", "x", "x "])
    names = {"age": "Age", "heartrate": "HEART rate", "sbp": "sbp"}
    assert {name: entry.name for name, entry in found.items()} == names


MANY_LINES = b"column,low\n" + b"a,1\n" * 1_000_000
ALIASES = ["fields: &a0 [x]"] + [f"b{i}: &a{i} [*a{i - 1}, *a{i - 1}]" for i in range(1, 60)]


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (b"", "is empty"),
        (b"a,b,c\n1,2,3\n", "is not a codebook that can be read"),
        (b"low,high\n1,2\n", "is not a codebook that can be read"),
        (b",,,\n;\n", "is not a codebook that can be read"),
        (b"PK\x03\x04rest", "save the codebook as CSV UTF-8"),
        (b"column,low\0,high\n", "is not text"),
        (b'{"fields": [', "look at line 1"),
        (b"[" * 100_000, "nested too deeply"),
        (b"fields: " + b"[" * 100_000, "nested too deeply"),
        ("\n".join(ALIASES).encode(), "anchors or aliases"),
        (b"fields:\n\t- name: x\n", "look at line"),
        (b"fields:\n# " + b"x" * 1_100_000, "longer than 1 MB"),
        (MANY_LINES, "more than 10,000 columns"),
        (MANY_LINES * 2, "longer than 5 MB"),
    ],
    ids=range(14),
)
def test_what_cannot_be_read_is_refused_at_once(content: bytes, part: str):
    with bounded(), pytest.raises(CodebookError, match=part) as refused:
        read_codebook("codebook", content)
    assert str(refused.value).endswith(".")
    assert "\n" not in str(refused.value)


@given(st.binary(max_size=300), st.sampled_from([b"", b"column,low,high\n", b"{", b"fields:\n"]))
def test_any_bytes_are_a_codebook_or_refused(content: bytes, begin: bytes):
    try:
        found = read_codebook("c", begin + content)
    except CodebookError:
        return
    names = [entry.name for entry in found.entries]
    assert len(set(names)) == len(names)
    ends = [end for entry in found.entries for end in (entry.low, entry.typical, entry.high) if end]
    assert all(isfinite(float(end)) for end in ends)
