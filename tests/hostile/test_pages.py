"""Hostile files and links through the real pages: one sentence is shown, nothing is lost."""

import re

from dpca_core.data.column_names import shown
from tests.hostile import files
from tests.hostile.files import ODD_NAMES
from tests.ui.owner.beginnings import opened
from ui.owner.draft import EVERY_ROW
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


def test_verbatim_text_is_shown_letter_for_letter():
    for text in (*ODD_NAMES, "a\\b", "\\", "1. <!-- x -->", "~~a~~ ||b||", "a@b.c &lt;"):
        seen = " ".join(text.split())
        # A word joiner, which nobody sees, keeps an address from becoming a link.
        assert as_shown(escape_markdown(text)).replace("\u2060", "") == seen
    assert escape_markdown("people_2020.csv") == r"people\_2020.csv"
    assert shown("a\u202eb\nc") == "a b c"
