"""Drafts that tests begin with: the made-up clinic's, and after steps that no test takes."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dpca_core.data.recipe import Source
from sample_data.made_up_clinic import clinic_csv
from tests.clinic_columns import COLUMNS
from ui.owner.column import TYPED, Entry, Use
from ui.owner.draft import FOUND, Draft, Who


def having(
    draft: Draft,
    name: str,
    *,
    seen: bool = False,
    asked: Mapping[str, str] | None = None,
    note: str = "",
    **entries: Entry,
) -> Draft:
    """Put entries, questions or a note beside what a draft has of one column, as they are."""
    column = draft.column(name).with_entries(entries)
    asked = column.asked if asked is None else asked
    column = replace(column, seen=seen or column.seen, asked=asked, note=note or column.note)
    return draft.with_columns([column])


def clinic_draft(**changes: Any) -> Draft:
    """Return the draft once the codebook is loaded and a patient is one patient_id."""
    header = tuple(clinic_csv().decode("utf-8").partition("\n")[0].split(","))
    draft = Draft(header, who=Who(("patient_id",), FOUND, "patient", "patients"))
    for known in COLUMNS:
        if known.name in header:
            texts = (known.low, known.typical, known.high, "; ".join(known.values))
            cells = dict(zip(TYPED, (Entry(text, Source.CODEBOOK) for text in texts), strict=True))
            given = {name: cell for name, cell in cells.items() if cell.text}
            use = Entry(Use.CATEGORY if known.values else Use.NUMBER)
            draft = having(draft, known.name, use=use, missing=Entry(known.missing), **given)
    return replace(having(draft, "visit_date", use=Entry(Use.OUT, Source.NOTICED)), **changes)


def read_from_file(draft: Draft, name: str) -> Draft:
    """Return the draft with a column's high end read from the file."""
    return having(draft, name, high=Entry("200", Source.FILE), seen=True)
