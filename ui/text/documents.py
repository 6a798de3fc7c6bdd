"""The documents of the folder docs, as the pages show and link them."""

import re
from functools import cache
from pathlib import Path

from ui.text.numbers import escape_markdown

FOLDER = Path(__file__).resolve().parents[2] / "docs"
FIRST = "conventions"
DOCUMENTS = (FIRST, *sorted({path.stem for path in FOLDER.glob("*.md")} - {FIRST}))
_LINK = re.compile(r"\[([^\]]+)\.md\]\(\1\.md\)")
_PATH = re.compile(r"docs/([\w-]+)\.md")
_TABLE = re.compile(r"^\|.*(?:\n\|.*)*", re.MULTILINE)
_DISPLAY = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)


@cache
def _read(name: str) -> str:
    return (FOLDER / f"{name}.md").read_text("utf-8")


def title_of(name: str) -> str:
    """Return the heading of a document."""
    return _read(name).partition("\n")[0].removeprefix("# ")


def text_of(name: str) -> str:
    """Return a document for a page: links by title, formulas on lines of their own."""
    text = _LINK.sub(lambda m: f"[{title_of(m[1])}](proofs?document={m[1]})", _read(name))
    return _DISPLAY.sub(r"\n\n$$\n\1\n$$\n\n", text)


def table_of(name: str, after: str = "") -> str:
    """Return the first table of a document, or the first one after a text in it."""
    text = _read(name)
    found = _TABLE.search(text, text.index(after))
    return found[0] if found else ""


def without_documents(source: str) -> str:
    """Leave the paths of documents out of a source; "" where it names nothing else."""
    return re.sub(rf"[,;]? ?\(?{_PATH.pattern}\)?", "", source).strip()


def link_documents(source: str) -> str:
    """Replace the paths of documents in Markdown by links to them."""
    return _PATH.sub(
        lambda m: f"[{escape_markdown(title_of(m[1]))}](proofs?document={m[1]})", source
    )
