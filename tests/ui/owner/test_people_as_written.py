"""The people that *Who* shows are those that a release tells apart."""

import pandas as pd
import pytest

from dpca_core.data.recipe import Number, Reading, Recipe
from dpca_core.detection.person_candidate import chosen_candidate
from dpca_core.preparation import prepare
from dpca_core.readers.file_access import Upload
from ui.owner.session import Owner
from ui.owner.source_table import SourceTable
from ui.owner.table_intake import with_table


@pytest.mark.parametrize("written", ["{:03d}", "{}.0", "{}"])
def test_people_are_counted_by_the_texts_of_their_ids(written):
    rows = [f"{written.format(i % 90)},{i % 7},{i % 90 % 2}" for i in range(300)]
    rows += [f"{i % 90},{i % 5},{i % 90 % 2}" for i in range(200)]
    upload = Upload("t.csv", "\n".join(["patient_id,b,sex", *rows]).encode())
    owner = with_table(Owner(), SourceTable.read("t", upload))
    recipe = Recipe((Number("b", 0, 10), Number("sex", 0, 1)), person=("patient_id",))
    shown = owner.person.candidates[0]
    assert shown.columns == ("patient_id",)
    assert shown.people == prepare(upload, recipe, "t", Reading.TOTAL).people


def test_zeros_before_a_number_are_asked_about_where_both_forms_occur() -> None:
    both = pd.DataFrame({"id": ["001", "1", "02", "3", "x1", "0x1"]})
    assert chosen_candidate(both, ["id"]).zeros == 1
    assert chosen_candidate(pd.DataFrame({"id": ["001", "002"]}), ["id"]).zeros == 0
    assert chosen_candidate(pd.DataFrame({"id": [1, 2, 1]}), ["id"]).zeros == 0
