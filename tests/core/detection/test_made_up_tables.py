"""Proposals for ten made-up tables: a use that is wrong must come with a question."""

import pytest

from dpca_core.detection.kinds import propose_columns
from dpca_core.detection.sampled_texts import sampled_texts
from dpca_core.readers.file_access import Upload
from dpca_core.readers.table import proposed_format, read_table
from tests.made_up_tables import ASK, MADE_UP


@pytest.mark.parametrize("make", MADE_UP, ids=lambda make: make.__name__.strip("_"))
def test_columns_are_proposed_rightly_or_asked(make):
    made = make()
    upload = Upload(f"{made.name}.csv", made.content)
    form = proposed_format(upload)
    table = read_table(upload.name, upload.content, form)
    proposals = propose_columns(table, form, sampled_texts(upload, form, len(table)))
    found = {proposal.name: proposal for proposal in proposals}
    assert found.keys() == made.right.keys()
    for name, right in made.right.items():
        uses = right.removeprefix(ASK)
        assert bool(found[name].questions) == right.startswith(ASK), (name, found[name])
        assert not uses or found[name].use in uses.split("|"), (name, found[name])
