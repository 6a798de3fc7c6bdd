"""Hostile files and links through the real pages: one sentence is shown, nothing is lost."""

import re

import numpy as np
import pandas as pd
import pytest
import streamlit

from dpca_core.data.column_names import shown
from dpca_core.data.recipe import Category, Number, Recipe, Scaling
from dpca_core.tables.prepare import prepare
from tests.hostile import files
from tests.hostile.files import ODD_NAMES
from tests.opened_page import page_at
from tests.ui.owner.beginnings import opened
from ui.owner.column import ANSWER
from ui.owner.draft import EVERY_ROW
from ui.owner.fill_from_file import fill_from_file
from ui.text.numbers import escape_markdown

GOOD = b"who,age,height,sex\n" + b"".join(
    b"p%d,%d,%.2f,%s\n" % (i, 20 + i % 50, 1.5 + i % 7 / 20, b"fm"[i % 2 : i % 2 + 1])
    for i in range(60)
)
SPECIAL = r"`*_[]<>$~!|#:&@"
FILES = {file.name: file for file in files.FILES}


def as_shown(markdown):
    """Letters that a reader sees; nothing in the text may be markup."""
    bare = re.sub(r"\\.", "", markdown)
    assert not set(bare) & set(SPECIAL)
    return re.sub(r"\\(.)", r"\1", markdown)


WORST = (
    *("utf-16", "hint for Excel", "a quotation left open", "nothing", "only separators", "zip"),
    *("names twice", "2,001 columns", "gzip: cut", "a web page", "Parquet: only marks"),
    "Parquet: lists",
)


def test_a_hostile_file_is_one_sentence_and_the_page_keeps_what_it_had():
    app = opened(GOOD).answered(EVERY_ROW)
    app.keep(draft=app.draft.merge({"age": {"low": "1e", "high": "12,5"}}))
    for number, name in enumerate(WORST):
        file = FILES[name]
        ending = ".parquet" if file.file.endswith(("pq", "parquet")) else ".csv"
        called = f"![{number}](http://x) **{number}** :red[{number}]{ending}"
        before = app.draft
        app.upload(file.content, called)
        sentences = [as_shown(error.value) for error in app.error]
        assert len(sentences) == bool(file.says)
        if file.says:
            assert file.says in sentences[0]
            assert sentences[0].endswith(".")
            assert app.draft == before
        else:
            app.upload(GOOD)
        assert app.owner.source is not None
        low, high = app.draft.column("age")["low"], app.draft.column("age")["high"]
        assert (low.text, high.text) == ("1e", "12,5")


@pytest.mark.parametrize("name", ["dates", "64 bits", "flags", "codes of nothing"])
def test_an_odd_table_is_taken_filled_and_looked_at(name, monkeypatch):
    """Every question has its first answer."""
    monkeypatch.setattr(streamlit, "switch_page", lambda page: None)
    file = FILES[f"Parquet: {name}"]
    app = opened(file.content, file.file).answered(EVERY_ROW)
    table = app.owner.source.table
    draft = fill_from_file(app.draft, table)
    for proposal in app.owner.columns:
        first = {f"{ANSWER}{q.key}": q.answers[0] for q in proposal.questions}
        draft = draft.merge({proposal.name: first})
    app.keep(draft=fill_from_file(draft, table), step="decide")
    assert not app.error
    app.press("decide-look")
    assert not app.error
    assert app.session_state["datasets"]


RNG = np.random.default_rng(0)
FRAMES = {
    "odd names": ("gaussian", {name: RNG.normal(size=40) for name in ODD_NAMES}),
    "ties": ("gap_release", {"a": [1.0, -1, 0, 0] * 9, "b": [0.0, 0, 1, -1] * 9}),
    "markup": ("smooth_gaussian", {"a": RNG.normal(size=9), "<b>": list("<&>*_`[]$")}),
}


@pytest.mark.parametrize("name", FRAMES)
def test_explore_draws_any_data_without_a_number_missing_where_json_needs_one(name):
    mechanism, columns = FRAMES[name]
    table = pd.DataFrame({shown(column): values for column, values in columns.items()})
    texts = [column for column in table if table[column].dtype.kind != "f"]
    numbers = tuple(Number(column, -1, 1) for column in table if column not in texts)
    hot = tuple(Category(column, tuple(sorted(set(table[column])))) for column in texts)
    recipe = Recipe(numbers, hot, Scaling.NORM_ONLY, 1.0, bounds_are_public=True)
    data = prepare(table, recipe, f"{name} <script>alert(1)</script> **x**.csv")
    app = page_at("explore", data=data.key, mechanism=mechanism)
    app.session_state["datasets"] = {data.key: data}
    app.run()
    assert not app.exception
    content = app.session_state["explore.drawn"]
    assert data.name in content.says["footer"]
    content.packed()


def test_verbatim_text_is_shown_letter_for_letter():
    for text in (*ODD_NAMES, "a\\b", "\\", "1. <!-- x -->", "~~a~~ ||b||", "a@b.c &lt;"):
        seen = " ".join(text.split())
        # A word joiner, which nobody sees, keeps an address from becoming a link.
        assert as_shown(escape_markdown(text)).replace("\u2060", "") == seen
    assert escape_markdown("people_2020.csv") == r"people\_2020.csv"
    assert shown("a\u202eb\nc") == "a b c"
