"""The documents of the folder docs, as the pages show and link them."""

import re
from functools import cache
from itertools import dropwhile, takewhile
from pathlib import Path

from ui.text.numbers import escape_markdown

FOLDER = Path(__file__).resolve().parents[2] / "docs"
FIRST = ("conventions",)
LAST = (
    "first-order", "order-statistics", "sample-size", "preparation", "pairs", "large-data",
    "codebooks", "sweep-precision", "errata", "deploy", "decisions", "architecture",
)  # fmt: skip
"""What is not about one mechanism stands around what is."""
_FOUND = {path.stem for path in FOLDER.glob("*.md")}
DOCUMENTS = (*FIRST, *sorted(_FOUND.difference(FIRST, LAST)), *LAST)
"""A mechanism's own is in the menu as soon as its file is there."""

_LINK = re.compile(r"\[([^\]]+)\.md\]\(\1\.md\)")
_PATH = re.compile(r"[,;]? ?\(?docs/[\w-]+\.md\)?")
_ROW = re.compile(r"\|")
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
    lines = _read(name).partition(after)[2].splitlines() if after else _read(name).splitlines()
    return "\n".join(takewhile(_ROW.match, dropwhile(lambda line: not _ROW.match(line), lines)))


def without_documents(source: str) -> str:
    """Leave the paths of documents out of a source; "" where it names nothing else."""
    return _PATH.sub("", source).strip()


def link_documents(source: str) -> str:
    """Replace the paths of documents in Markdown by links to them."""
    return re.sub(
        r"docs/([\w-]+)\.md",
        lambda m: f"[{escape_markdown(title_of(m[1]))}](proofs?document={m[1]})",
        source,
    )
