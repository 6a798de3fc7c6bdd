"""The page "Your data" with a file uploaded, and its controls by name."""

import warnings
from typing import Any

import pandas as pd
from streamlit.testing.v1 import AppTest

from dpca_core.data.dataset import Dataset
from tests.paths import ROOT
from ui.data.recipe_draft import RecipeDraft

PAGE = ROOT / "pages" / "data.py"
ELSEWHERE = f"""
from pathlib import Path
import streamlit as st
if st.session_state.get("away"):
    st.write("another page")
else:
    exec(compile(Path({str(PAGE)!r}).read_text(), "data.py", "exec"))
"""

PEOPLE = b"age,height,sex\n" + b"".join(
    b"%d,%.2f,%s\n" % (20 + i, 1.5 + i % 7 / 20, b"fm"[i % 2 : i % 2 + 1]) for i in range(60)
)


def opened(content: bytes, name: str = "people.csv", draft: RecipeDraft | None = None) -> AppTest:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        app = AppTest.from_string(ELSEWHERE, default_timeout=60)
    if draft is not None:
        app.session_state["draft"] = draft
    return again(app.run(), content, name)


def again(app: AppTest, content: bytes, name: str = "people.csv") -> AppTest:
    app.file_uploader[0].set_value((name, content, "text/csv")).run()
    assert not app.exception
    return app


def named(controls: Any, name: str) -> Any:
    """The control of a name, whatever version of it is drawn."""
    (found,) = [control for control in controls if str(control.key).rpartition(".")[0] == name]
    return found


def draft_of(app: AppTest) -> RecipeDraft:
    found: RecipeDraft = app.session_state["draft"]
    return found


def edit(app: AppTest, which: str, cells: dict[int, dict[str, Any]]) -> AppTest:
    """Type into cells of an editor, as the browser reports it."""
    (editor,) = [one for one in app.data_editor if one.key.startswith(f"{which}-")]
    old = app.session_state[editor.key]["edited_rows"]
    rows = {row: {**old.get(row, {}), **cells.get(row, {})} for row in {*old, *cells}}
    app.session_state[editor.key] = {"edited_rows": rows, "added_rows": [], "deleted_rows": []}
    app.run()
    assert not app.exception
    return app


def editor(app: AppTest, which: str) -> pd.DataFrame:
    """What an editor was given."""
    (found,) = [one.value for one in app.data_editor if one.key.startswith(f"{which}-")]
    return found


def used(app: AppTest) -> Dataset:
    app.button(key="use").click().run()
    assert not app.exception
    assert not app.error
    return list(app.session_state["datasets"].values())[-1]


def ranges(app: AppTest) -> dict[str, tuple[float, float]]:
    return {n.name: (n.low, n.high) for n in draft_of(app).recipe().numbers}
