"""Drafts of the made-up clinic as *Decide* gets them."""

from dataclasses import replace
from types import MappingProxyType
from typing import Any

from dpca_core.data.recipe import Source
from sample_data.made_up_clinic import clinic_csv
from tests.clinic_columns import COLUMNS
from ui.owner.draft import FOUND, Cell, Column, Draft, Use, Who

COLUMNS_AFTER_CODING = 19


def clinic_draft(**changes: Any) -> Draft:
    """Return the draft once the codebook is loaded and a patient is one patient_id."""
    header = clinic_csv().decode("utf-8").partition("\n")[0].split(",")
    described = {
        column.name: Column(
            column.name,
            Use.CATEGORY if column.values else Use.NUMBER,
            *(_public(text) for text in (column.low, column.typical, column.high)),
            values=_public("; ".join(column.values)),
            missing=column.missing,
        )
        for column in COLUMNS
        if column.name in header
    }
    described["visit_date"] = Column("visit_date", Use.OUT, use_origin=Source.NOTICED)
    who = Who(("patient_id",), FOUND, "patient", "patients")
    draft = Draft(tuple(header), MappingProxyType(described), who)
    return replace(draft, **changes)


def read_from_file(draft: Draft, name: str) -> Draft:
    """Return the draft with a column's high end read from the file, and kept."""
    column = replace(draft.column(name), high=Cell("200", Source.FILE), seen=True)
    return draft.with_columns([column.answered("keep", "keep")])


def _public(text: str) -> Cell:
    return Cell(text, Source.CODEBOOK if text else None)
