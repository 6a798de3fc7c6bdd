"""Units and codes that the program read from the file are never passed off as the owner's own."""

import pytest

from dpca_core.codebooks.read_codebook import read_codebook
from dpca_core.data.recipe import Source
from dpca_core.detection import column_questions as ask
from dpca_core.detection.column_proposal import NUMBER, ColumnProposal, Recognised
from ui.owner.codebook_merge import merge_codebook
from ui.owner.column import Cell, Column
from ui.owner.draft import EVERY_ROW, Draft, Who
from ui.owner.draft_json import of_json, to_json
from ui.owner.proposals import with_proposals

RANGE = {"source": Source.LAW, "low": "50", "high": "200"}


def proposed(*questions, unit="", missing_code=""):
    """Return a draft of one column with this proposal, whose range is given by law."""
    found = ColumnProposal("bp", NUMBER, Recognised.NUMBERS, "", questions, unit, missing_code)
    draft = Draft(header=("bp",), who=Who(answer=EVERY_ROW))
    return with_proposals(draft, [found]).merge({"bp": RANGE})


def test_a_unit_read_from_the_cells_counts_as_noticed():
    draft = proposed(unit="mmHg")
    assert draft.column("bp").origin is Source.NOTICED
    assert of_json(to_json(draft)) == draft
    retyped = draft.merge({"bp": {"unit": ""}}).merge({"bp": {"unit": "mmHg"}})
    assert retyped.column("bp").origin is Source.NOTICED
    assert draft.merge({"bp": {"unit": ""}}).column("bp").origin is Source.LAW


def test_a_unit_that_was_typed_first_is_the_owners():
    draft = Draft(header=("bp",)).merge({"bp": {"use": "number", "unit": "mmHg", **RANGE}})
    assert draft.column("bp").origin is Source.LAW


def test_a_unit_chosen_among_the_files_counts_as_noticed():
    draft = proposed(ask.units(["mmHg", "kPa"])).merge({"bp": {"asked.units": "kPa"}})
    assert draft.column("bp").unit == "kPa"
    assert draft.column("bp").origin is Source.NOTICED


def test_a_codebook_that_names_the_unit_makes_it_public():
    lines = b"column,low,high,unit\nbp,50,200,mmHg\n"
    draft = proposed(unit="mmHg")
    loaded = merge_codebook(draft, read_codebook("c.csv", lines, draft.header))
    assert loaded.draft.column("bp").origin is Source.CODEBOOK
    pasted = merge_codebook(draft, read_codebook("c.csv", lines, draft.header), pasted=True)
    assert pasted.draft.column("bp").origin is Source.NOTICED


def test_a_noticed_unit_does_not_pass_to_another_file():
    assert proposed(unit="mmHg").for_header(("bp",)).column("bp").unit == ""


@pytest.mark.parametrize("keys", [["99", "999"], ["999 "], ["", "999"]])
def test_codes_typed_after_the_question_showed_them_count_as_noticed(keys):
    draft = proposed(ask.missing(["999"]), missing_code="999")
    for text in keys:
        draft = draft.merge({"bp": {"missing": text}})
    assert not draft.column("bp").open_questions
    assert draft.column("bp").origin is Source.NOTICED


def test_what_a_codebook_noticed_cannot_be_named_otherwise():
    column = Column("bp", low=Cell("1", Source.NOTICED), high=Cell("2", Source.GUESS))
    named = column.edited("source", Source.LAW)
    assert (named.low.origin, named.high.origin) == (Source.NOTICED, Source.LAW)
