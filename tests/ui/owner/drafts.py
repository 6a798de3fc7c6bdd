"""Drafts that tests begin with: the made-up clinic's, and after steps that no test takes."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from dpca_core.codebooks import read_codebook
from dpca_core.data.recipe import Source
from sample_data.made_up_clinic import CLINIC_HEADER, codebook_csv
from ui.owner.codebook_merge import merge_codebook
from ui.owner.column import Entry, Use
from ui.owner.draft import EVERY_ROW, FOUND, Draft, Who

CLINICS = read_codebook("codebook.csv", codebook_csv())
PATIENTS = Who(("patient_id",), FOUND, "patient", "patients")


def every_row(names: Iterable[str], **edits: dict[str, str]) -> Draft:
    """Return the draft of a table each row of which is another person's, with edits of columns."""
    return replace(Draft().for_header(names), who=Who(answer=EVERY_ROW)).merge(edits)


def having(draft: Draft, name: str, **known: Any) -> Draft:
    """Put entries by field, ``asked``, ``seen`` or ``note`` into one column, as they are."""
    beside = {key: known.pop(key) for key in ("asked", "seen", "note") if key in known}
    return draft.with_columns([replace(draft.column(name).with_entries(known), **beside)])


def clinic_draft(**changes: Any) -> Draft:
    """Return the draft once the codebook is loaded and a patient is one patient_id."""
    draft = merge_codebook(Draft(CLINIC_HEADER, who=PATIENTS), CLINICS)[0]
    return replace(having(draft, "visit_date", use=Entry(Use.OUT, Source.NOTICED)), **changes)


def read_from_file(draft: Draft, name: str) -> Draft:
    """Return the draft with a column's high end read from the file."""
    return having(draft, name, high=Entry("200", Source.FILE), seen=True)
