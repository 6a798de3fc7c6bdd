"""Every builder of a download is on one of two lists: a release, or marked as not private.

There is one place in Python where a file can be made, and one in the browser where it can be saved;
both are searched for here, so that a new way out fails until it is on a list.
"""

import ast
import re
from functools import cache

from dpca_core.figures.bundle import CONFIG
from tests.paths import ROOT
from ui.server.static_files import SHEETS, STATIC

BUTTONS = {
    "ui/owner/step_columns.py": "an owner's own choices",
    "ui/owner/step_decide.py": "a table that is made up from public ranges",
    "ui/release/spend.py": "files of a stored release: functions of its row of the ledger",
    "ui/papers/page.py": "numbers and script of a card, which its export marks",
    "ui/papers/results.py": "the same",
    "ui/explore/all.py": "all mechanisms: ``export`` marks them",
    "ui/explore/sheet.py": "one page: ``saved_sheet`` marks it",
}
"""Where Streamlit's own button saves a file, and why it may."""
WAYS = (
    r"\bsave\(|createObjectURL|toBlob|\bdownload:|\.download\b|new Blob|showSaveFilePicker"
    r"|downloadImage|toImage"
)
"""How a browser can save a file."""


@cache
def sources():
    """Path, text without comments and names called of each file of the workbench."""
    found = []
    for path in (ROOT / "app.py", *ROOT.glob("pages/*.py"), *ROOT.glob("ui/**/*.py")):
        text = ast.unparse(ast.parse(path.read_text("utf-8")))
        found.append((path.relative_to(ROOT).as_posix(), text, {*re.findall(r"(\w+)\(", text)}))
    return found


def test_nothing_else_in_python_makes_a_file_for_the_browser():
    for path, _, names in sources():
        assert not {"to_csv", "to_excel", "to_parquet"} & names, path
        assert "download_button" not in names or path in BUTTONS, path


def test_nothing_else_in_the_browser_saves_a_file():
    saving = (STATIC / "page" / "files.js",)
    for path in STATIC.rglob("*.js"):
        # Plotly's bundle can save pictures: Python's settings leave out the buttons that would.
        if path.parent.name != "plotly" and path not in saving:
            assert not re.findall(WAYS, path.read_text("utf-8")), path.name


def test_no_toolbar_of_a_table_offers_its_rows():
    """Streamlit's and Plotly's own have download buttons, which know nothing of the mark."""
    sheet = (STATIC / "app" / "app.css").read_text("utf-8")
    hidden = re.search(r'\[data-testid="stElementToolbar"\] \{\s*display: none !important;', sheet)
    names = set().union(*(names for *_, names in sources()))
    assert hidden or not {"dataframe", "data_editor"} & names
    assert not {"altair_chart", "vega_lite_chart"} & names
    assert "toImage" in CONFIG["modeBarButtonsToRemove"]
    for path, text, _ in sources():
        # A lesson's settings are these, and still.
        text = text.replace("config=still", "config=CONFIG")
        assert text.count(".plotly_chart(") == text.count("config=CONFIG"), path
    assert "app/app.css" in SHEETS
