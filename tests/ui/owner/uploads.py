"""The page "Your data" with a file uploaded, and its controls by name."""

from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from dpca_core.tables.files import Upload, name_of
from tests.paths import ROOT
from ui.owner.draft import Draft
from ui.owner.session import OWNER
from ui.owner.table_source import Owner, SourceTable, first_table

PAGE = ROOT / "pages" / "data.py"
PEOPLE = b"age,height,sex\n" + b"".join(
    b"%d,%.2f,%s\n" % (20 + i, 1.5 + i % 7 / 20, b"fm"[i % 2 : i % 2 + 1]) for i in range(60)
)
VISITS = b"patient_id,age,sbp\n" + b"".join(
    b"%d,%d,%d\n" % (1000 + i // 3, 20 + i // 3 * 7 % 60, 100 + i * 13 % 50) for i in range(90)
)


def read_table(place: Upload | Path | bytes) -> SourceTable:
    """Return a table as the page reads it at first."""
    place = Upload("t.csv", place) if isinstance(place, bytes) else place
    return first_table(name_of(place), place)


def begun() -> AppTest:
    return AppTest.from_file(PAGE, default_timeout=60).run()


def opened(content: bytes, name: str = "people.csv") -> AppTest:
    return again(begun(), content, name)


def again(app: AppTest, content: bytes, name: str = "people.csv") -> AppTest:
    """Upload a file, another one where there is a table already."""
    if not app.file_uploader:
        app.button(key="another").click().run()
    app.file_uploader[0].set_value((name, content, "text/csv")).run()
    assert not app.exception
    return app


def answered(app: AppTest, option: str | tuple[str, ...]) -> AppTest:
    """Say whose rows they are: by columns, or by another answer."""
    named(app.radio, "who.answer").set_value(option).run()
    assert not app.exception
    return app


def named(controls: Any, name: str) -> Any:
    """Return the control of a name, whatever version of it is drawn."""
    (found,) = [c for c in controls if str(c.key) == name or str(c.key).startswith(f"{name}-")]
    return found


def owner_of(app: AppTest) -> Owner:
    return app.session_state[OWNER]


def draft_of(app: AppTest) -> Draft:
    return owner_of(app).draft


def html(app: AppTest) -> str:
    return " ".join(element.proto.body for element in app.main if element.type == "html")
