"""Every builder of a download is on one of two lists: a release, or marked as not private.

There is one place in Python where a file can be made, and one in the browser where it can be saved;
both are searched for here, so that a new way out fails until it is on a list.
"""

import ast
import io
import json
import re
from functools import cache
from pathlib import Path

import pandas as pd

from dpca_core import MECHANISMS
from dpca_core.figures.config import CONFIG
from sample_data import load_key
from tests.paths import ROOT
from tests.ui.compare import comparisons
from ui.compare.export import comparison_csv, comparison_html, comparison_script
from ui.figures.downloads import NOT_PRIVATE, Format, not_private_picture
from ui.server.static_files import STATIC

COMPARED = {"comparison_csv", "comparison_script", "comparison_html"}
MARKED = COMPARED | {"figure_file"}
"""Builders in Python: functions that return a ``Download``, outside ui/figures/downloads.py."""
BUTTONS = (
    # An owner's own choices.
    Path("ui/owner/step_codebook.py"),
    # A table that is made up from public ranges.
    Path("ui/owner/decide_side.py"),
    # Files of a stored release: functions of its row of the ledger.
    Path("ui/release/spend.py"),
    # Numbers and script of a card, which its export marks.
    Path("ui/papers/page.py"),
    # The ε needed and loadings: marked by ``marked_text``.
    Path("ui/explore/page.py"),
    Path("ui/explore/releases.py"),
    # One page: ``saved_sheet`` marks it.
    Path("ui/explore/sheet.py"),
)
"""Where Streamlit's own button saves a file, in which nothing is computed from a table."""
WAYS = (
    r"\bsave\(|createObjectURL|toBlob|\bdownload:|\.download\b|new Blob|showSaveFilePicker"
    r"|downloadImage|toImage"
)
"""How a browser can save a file."""
BROWSER = {"saveFile"}
"""Functions of downloads.js that save a file of Python's."""


def called(node):
    """Names of what is called in a piece of code."""
    calls = [call.func for call in ast.walk(node) if isinstance(call, ast.Call)]
    return [f.attr if isinstance(f, ast.Attribute) else getattr(f, "id", "") for f in calls]


@cache
def sources():
    """Path, tree and calls of each file of the workbench, but for the one that makes downloads."""
    found = []
    for path in (ROOT / "app.py", *ROOT.glob("pages/*.py"), *ROOT.glob("ui/**/*.py")):
        if path != ROOT / "ui" / "figures" / "downloads.py":
            tree = ast.parse(path.read_text("utf-8"))
            found.append((path.relative_to(ROOT), tree, set(called(tree))))
    return found


def test_every_builder_in_python_is_on_one_list():
    makers = ("not_private_download", "not_private_picture")
    found: dict[str, set[str]] = {maker: set() for maker in makers}
    for _, tree, _ in sources():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                for maker in {*called(node)} & {*makers}:
                    found[maker].add(node.name)
    assert found == {
        "not_private_download": MARKED,
        "not_private_picture": {"figure_file"},
    }


def test_nothing_else_in_python_makes_a_file_for_the_browser():
    for path, tree, names in sources():
        assert not {"Download", "to_message", "to_csv", "to_excel", "to_parquet"} & names, path
        assert "download_button" not in names or path in BUTTONS, path
        for node in ast.walk(tree):
            # The browser saves what it gets as "file": only Download.to_message makes that.
            if isinstance(node, ast.Dict):
                keys = {k.value for k in node.keys if isinstance(k, ast.Constant)}
                assert not {"text", "number"} <= keys, path


def test_only_what_is_in_an_outbox_reaches_the_browser():
    """It saves the ``files`` of a content, which ``component_of`` takes from there."""
    for path, tree, _ in sources():
        keys = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
        assert "files" not in keys or path == Path("ui/figures/component.py"), path
    text = (ROOT / "ui" / "figures" / "component.py").read_text("utf-8")
    assert text.count('sent(data) | {"files": outbox(key).take()}') == text.count('"files":') == 1


def test_every_picture_has_the_mark_above_it():
    drawn = {"data": [], "layout": {"width": 500, "height": 100}}
    for form in (Format.SVG, Format.PNG):
        file = not_private_picture("x.png", drawn, ("title", "sub"), form, "light")
        words = [each["text"] for each in json.loads(file.text)["layout"]["annotations"]]
        assert words == ["title", "sub", NOT_PRIVATE]


def test_every_file_in_the_browser_is_saved_by_one_function():
    text = (STATIC / "charts" / "downloads.js").read_text("utf-8")
    bodies = dict(
        re.findall(r"^(?:export )?(?:async )?function (\w+)\(.*?\) \{\n(.*?)^\}", text, re.M | re.S)
    )
    assert {name for name, body in bodies.items() if re.search(WAYS, body)} == BROWSER
    for name in BROWSER:
        first, _ = bodies[name].split("\n", maxsplit=1)
        assert first.strip().startswith("if (!text.includes(NOT_PRIVATE)) throw ")
    assert f'const NOT_PRIVATE = "{NOT_PRIVATE}";' in text


def test_a_page_saves_charts_by_one_function_which_writes_the_mark():
    text = (STATIC / "page" / "files.js").read_text("utf-8")
    before, _, body = text.partition("export function saveChart(")
    assert not re.search(WAYS, before)
    assert "`# ${[mark, ...rows]" in body
    assert 'pictureOf(node, { title: text("h2"), sub, mark }, view)' in body


def test_nothing_else_in_the_browser_saves_a_file():
    saving = (STATIC / "charts" / "downloads.js", STATIC / "page" / "files.js")
    for path in STATIC.rglob("*.js"):
        # Plotly's bundle can save pictures: Python's settings leave out the buttons that would.
        if path.parent.name != "plotly" and path not in saving:
            assert not re.findall(WAYS, path.read_text("utf-8")), path.name


def test_no_toolbar_of_a_table_offers_its_rows():
    """Streamlit's and Plotly's own have download buttons, which know nothing of the mark."""
    sheet = (STATIC / "app" / "app.css").read_text("utf-8")
    hidden = re.search(r'\[data-testid="stElementToolbar"\] \{\s*display: none !important;', sheet)
    names = {name for *_, called in sources() for name in called}
    assert hidden or not {"dataframe", "data_editor"} & names
    assert not {"altair_chart", "vega_lite_chart"} & names
    assert "toImage" in CONFIG["modeBarButtonsToRemove"]
    for path, tree, _ in sources():
        text = ast.unparse(tree)
        assert text.count(".plotly_chart(") == text.count("config=CONFIG"), path
    assert "apply_app_style()" in (ROOT / "app.py").read_text("utf-8")


def test_what_compare_gives_away_is_marked():
    mechanisms = (MECHANISMS["gaussian"], MECHANISMS["laplace"])
    asked = comparisons.asked(mechanisms=mechanisms, axis="k", epsilon=0.5)
    comparison = comparisons.finished(load_key("wine"), asked)
    content = comparisons.content(comparison)
    makers = (comparison_csv, comparison_script, comparison_html)
    files = {make.__name__: make(comparison, content) for make in makers}
    assert files.keys() == COMPARED
    for name in ("comparison_csv", "comparison_script"):
        assert files[name].text.startswith(f"# {NOT_PRIVATE}\n")
    assert f"<body><p><strong>{NOT_PRIVATE}</strong></p>" in files["comparison_html"].text
    table = pd.read_csv(io.StringIO(files["comparison_csv"].text), comment="#")
    assert list(table.columns[:3]) == ["mechanism", "k", "refused"]
    assert len(table) == 2 * 12
    ast.parse(files["comparison_script"].text)
