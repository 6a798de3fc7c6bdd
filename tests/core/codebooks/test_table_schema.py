"""Table Schema in JSON and YAML: types, constraints, missing values, packages, both versions."""

import json
from typing import Any

import pytest

from dpca_core.codebooks.codebook import Codebook, CodebookEntry, CodebookError, EntryUse
from dpca_core.codebooks.read_codebook import read_codebook
from dpca_core.data.recipe import Source
from sample_data.made_up_clinic import codebook_csv, table_schema_json


def read(tree: Any, header: tuple[str, ...] = ()) -> Codebook:
    return read_codebook("schema.json", json.dumps(tree).encode(), header)


def only(**field: Any) -> CodebookEntry:
    (entry,) = read({"fields": [{"name": "x", **field}]}).entries
    return entry


def between(low: Any, high: Any) -> dict[str, Any]:
    return {"minimum": low, "maximum": high}


def test_a_number_with_limits_as_numbers_or_texts():
    expected = CodebookEntry("x", EntryUse.NUMBER, "0", high="2.50", source=Source.CODEBOOK)
    assert only(type="number", constraints=between("0", "2.50")) == expected
    text = '{"fields": [{"name": "x", "type": "number", "constraints": {"minimum": 0, '
    found = read_codebook("s", (text + '"maximum": 2.50}}]}').encode())
    assert found.entries == (expected,)
    # A limit that does not belong to the range bounds it too.
    entry = only(type="number", constraints={"exclusiveMinimum": 0, "exclusiveMaximum": "9"})
    assert (entry.low, entry.high) == ("0", "9")


def test_types_that_are_a_quantity_and_types_that_are_none():
    for kind in ("number", "integer", "year"):
        entry = only(type=kind)
        assert (entry.use, entry.low, entry.source) == (EntryUse.NUMBER, "", None)
    times = ("date", "datetime", "time", "yearmonth", "duration")
    for kind in (*times, "geopoint", "object", "array", "list"):
        found = only(type=kind, constraints=between("2020-01-01", "2021-01-01"))
        assert found == CodebookEntry("x", EntryUse.OUT)
    assert only() == only(type="string") == CodebookEntry("x")
    assert only(type="string", format="email").use is EntryUse.OUT


def test_enum_and_categories():
    assert only(type="string", constraints={"enum": ["F", "M"]}).values == ("F", "M")
    assert only(type="string", categories=["no", "yes"]).values == ("no", "yes")
    labelled = [{"value": 0, "label": "apple"}, {"value": 1, "label": "pear"}]
    assert only(type="integer", categories=labelled).values == ("0", "1")
    assert only(type="integer", categories=labelled).use is EntryUse.CATEGORY


def test_yes_and_no_only_where_the_schema_says_how_they_are_written():
    assert only(type="boolean", trueValues=["J"], falseValues=["N"]).values == ("N", "J")
    found = read({"fields": [{"name": "died", "type": "boolean"}]})
    assert found.entries[0] == CodebookEntry("died", EntryUse.CATEGORY)
    assert found.problems == ("died: how yes and no are written is not said",)


def test_missing_values_of_a_field_replace_those_of_the_table():
    fields = [
        {"name": "a", "type": "number"},
        {"name": "b", "type": "number", "missingValues": [{"value": "-99", "label": "refused"}]},
    ]
    found = read({"fields": fields, "missingValues": ["", "NA", "999"]})
    assert [e.missing for e in found.entries] == [("NA", "999"), ("-99",)]


def test_marks_in_numbers_and_units():
    marks = {"decimalChar": ",", "groupChar": ".", "unit": "mmol/L"}
    entry = only(type="number", **marks, constraints=between("0", "1.000,5"))
    assert (entry.decimal, entry.thousands, entry.unit) == (",", ".", "mmol/L")
    assert entry.high == "1000.5"
    exact = only(type="number", decimalChar=",", constraints=between(0, 2.125))
    assert exact.high == "2.125"


@pytest.mark.parametrize("key", ["id", ["id"], ["id", "visit"]])
def test_a_primary_key_names_the_row_and_is_no_person(key: Any):
    visit = {"name": "visit", "type": "integer", "constraints": between(1, 9)}
    found = read({"fields": [{"name": "id", "type": "integer"}, visit], "primaryKey": key})
    assert found.person == ()
    assert [entry.use for entry in found.entries] == [EntryUse.OUT, EntryUse.NUMBER]


def test_a_package_gives_the_schema_that_fits_the_table():
    visits = {"fields": [{"name": "hr", "type": "number", "constraints": between(30, 220)}]}
    people = {"fields": [{"name": "Age ", "type": "integer", "constraints": between(0, 110)}]}
    package = {"resources": [{"name": "v", "schema": visits}, {"name": "p", "schema": people}]}
    assert [e.name for e in read(package).entries] == ["hr"]
    assert [e.name for e in read(package, ("age", "sex")).entries] == ["Age"]
    assert [e.name for e in read({"schema": visits, "path": "x.csv"}).entries] == ["hr"]


def test_a_schema_in_another_file_is_asked_for():
    package = {"resources": [{"name": "v", "schema": "visits.json"}]}
    for tree in (package, {"resources": []}, {"resources": "x"}, {"schema": 3}, {"fields": {}}):
        with pytest.raises(CodebookError, match="load the file that holds the fields"):
            read(tree)


YAML = """
# a comment
fields:
  - name: hr
    type: number
    constraints: {minimum: 30, maximum: 220}
  - name: smoker
    type: string
    constraints:
      enum: [no, yes, off]
  - {name: sbp, type: integer, missingValues: ["", "999"]}
primaryKey: [patient_id]
"""


def test_yaml_keeps_texts_as_they_are_written():
    found = read_codebook("schema.yaml", YAML.encode())
    assert [e.name for e in found.entries] == ["hr", "smoker", "sbp"]
    assert found.entries[0].high == "220"
    assert found.entries[1].values == ("no", "yes", "off")
    assert found.entries[2].missing == ("999",)


def test_the_made_up_clinics_schema_says_what_its_csv_says():
    simple, schema = (read_codebook("c", f()) for f in (codebook_csv, table_schema_json))
    assert simple.problems == ()
    assert {e.use for e in simple.entries} == {EntryUse.NUMBER, EntryUse.CATEGORY}
    for one, other in zip(simple.entries, schema.entries, strict=True):
        assert (one.name, one.use, one.unit) == (other.name, other.use, other.unit)
        assert (one.low, one.high, one.missing) == (other.low, other.high, other.missing)
        assert one.values == other.values
