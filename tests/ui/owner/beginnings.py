"""What tests of "Your data" begin with: drafts, and the page with a file uploaded, its controls
by name.
"""

import re
from dataclasses import replace

from streamlit.testing.v1 import AppTest

from dpca_core.codebooks import read_codebook
from dpca_core.data.recipe import Source
from dpca_core.detection.columns import ColumnProposal
from dpca_core.detection.questions import question
from dpca_core.tables.files import Upload, name_of
from sample_data.made_up_clinic import CLINIC_HEADER, codebook_csv
from tests.paths import ROOT
from ui.owner.codebook_merge import merge_codebook
from ui.owner.column import Entry, Use
from ui.owner.draft import EVERY_ROW, FOUND, Draft, Who
from ui.owner.session import OWNER
from ui.owner.table_source import Owner, first_table

CLINICS = read_codebook("codebook.csv", codebook_csv())
PATIENTS = Who(("patient_id",), FOUND, "patient", "patients")
PEOPLE = b"age,height,sex\n" + b"".join(
    b"%d,%.2f,%s\n" % (20 + i, 1.5 + i % 7 / 20, b"fm"[i % 2 : i % 2 + 1]) for i in range(60)
)
VISITS = b"patient_id,age,sbp\n" + b"".join(
    b"%d,%d,%d\n" % (1000 + i // 3, 20 + i // 3 * 7 % 60, 100 + i * 13 % 50) for i in range(90)
)


def every_row(names, **edits):
    """Return the draft of a table each row of which is another person's, with edits of columns."""
    return replace(Draft().for_header(names), who=Who(answer=EVERY_ROW)).merge(edits)


def having(draft, name, **known):
    """Put entries by field, ``asked``, ``seen`` or ``note`` into one column, as they are."""
    beside = {key: known.pop(key) for key in ("asked", "seen", "note") if key in known}
    return draft.with_columns([replace(draft.column(name).with_entries(known), **beside)])


def codebook(*lines):
    """Read a codebook of these lines."""
    head = "column,use,low,typical,high,unit,missing,values,source"
    return read_codebook("c.csv", "\n".join([head, *lines]).encode())


def number(name, *asked, unit="", missing_code=""):
    """Propose a number, with questions, or their keys."""
    questions = tuple(question(one) if isinstance(one, str) else one for one in asked)
    return ColumnProposal(name, Use.NUMBER, "", questions, unit, missing_code)


def left_out(name):
    """Propose that a column is left out, which may be a date."""
    return ColumnProposal(name, Use.OUT, "a date")


def clinic_draft(**changes):
    """Return the draft once the codebook is loaded and a patient is one patient_id."""
    draft = merge_codebook(Draft(CLINIC_HEADER, who=PATIENTS), CLINICS)[0]
    return replace(having(draft, "visit_date", use=Entry(Use.OUT, Source.NOTICED)), **changes)


def read_from_file(draft, name):
    """Return the draft with a column's high end read from the file."""
    return having(draft, name, high=Entry("200", Source.FILE), seen=True)


def read_table(place):
    """Return a table, or the content of one, as the page reads it at first."""
    place = Upload("t.csv", place) if isinstance(place, bytes) else place
    return first_table(name_of(place), place)


class OwnerPage(AppTest):
    """The page "Your data", run without a browser; whatever is done on it raises nothing."""

    KINDS = ("button", "radio", "checkbox", "selectbox", "multiselect", "segmented_control")
    KINDS += ("number_input", "text_input")

    def __init__(self):
        super().__init__(ROOT / "pages" / "data.py", default_timeout=60)

    @property
    def owner(self):
        return self.session_state[OWNER] if OWNER in self.session_state else Owner()

    @property
    def draft(self):
        return self.owner.draft

    @property
    def html(self):
        return " ".join(element.proto.body for element in self.main if element.type == "html")

    def keep(self, **changes):
        """Change what the session knows, and run."""
        self.session_state[OWNER] = replace(self.owner, **changes)
        return self._after(self)

    def named(self, name):
        """Return the control of a name, whatever version of it is drawn."""
        controls = [control for kind in self.KINDS for control in getattr(self, kind)]
        pattern = re.compile(rf"{re.escape(name)}(-\d+)?")
        (found,) = [one for one in controls if pattern.fullmatch(str(one.key))]
        return found

    def put(self, name, value):
        """Set the control of a name to a value."""
        return self._after(self.named(name).set_value(value))

    def press(self, name):
        """Press the button of a name."""
        return self._after(self.named(name).click())

    def answered(self, option):
        """Say whose rows they are: by columns, or by another answer."""
        return self.put("who.answer", option)

    def upload(self, content, name="people.csv"):
        """Upload a file; where no place for one is open, a button opens it."""
        if not self.file_uploader:
            self.press("another")
        return self._after(self.file_uploader[0].set_value((name, content, "text/csv")))

    def _after(self, changed):
        changed.run()
        assert not self.exception, self.exception[0].stack_trace
        return self


def opened(content, name="people.csv"):
    return OwnerPage().run().upload(content, name)
