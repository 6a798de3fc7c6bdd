"""What the modules of ``static/`` are as files: imports that resolve, and no circle."""

import posixpath
import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

from ui.server import static_files
from ui.server.static_files import STATIC

SCRIPTS = sorted(
    path.relative_to(STATIC).as_posix()
    for path in STATIC.rglob("*.js")
    if path.parent.name != "plotly"
)
"""Our own."""
ENTRIES = (
    *("owner/main.js", "page/page.js", "page/present.js", "history/main.js", "kept/main.js"),
    "learn/main.js",
)
SHARED = {"page"}
IMPORT = re.compile(r'(?<= from ")(\.{1,2}/[^"]+)(?=";$)', re.M)
"""The address in an import statement of ours: relative, in double quotes, at the end of a line."""


def script(name: str) -> str:
    """The text of a module, by its path below ``static/``."""
    return static_files.files()[name].decode()


def imported(name: str) -> Iterator[str]:
    """The modules that a module imports, by their paths below ``static/``."""
    for address in IMPORT.findall(script(name)):
        yield posixpath.normpath(posixpath.join(posixpath.dirname(name), address))


def test_every_import_is_relative_and_found_in_its_own_folder_or_the_shared_one() -> None:
    """As many as there are import statements: none is overlooked. Plotly is not ours."""
    for name in SCRIPTS:
        found, own = list(imported(name)), Path(name).parts[0]
        assert set(found) <= set(SCRIPTS), name
        text = script(name).replace("await import(BUNDLE)", "")
        statements = re.findall(r'^import\b|\bimport\(|^export .* from "', text, re.M)
        assert len(found) == len(statements), name
        # "kept" is the line that stands where the table of columns will be.
        allowed = SHARED | {own} | ({"owner"} if own == "kept" else set())
        assert {Path(other).parts[0] for other in found} <= allowed, name


def test_only_pages_are_imported_by_no_other_and_none_by_itself_through_others() -> None:
    found = {name: set(imported(name)) for name in SCRIPTS}
    TopologicalSorter(found).prepare()  # Raises at a circle.
    assert set(SCRIPTS) - set().union(*found.values()) <= set(ENTRIES)
