"""What the modules of ``static/`` are as files: imports that resolve, and no circle."""

import posixpath
import re
from graphlib import TopologicalSorter
from pathlib import Path

from ui.server.static_files import STATIC

SCRIPTS = sorted(
    path.relative_to(STATIC).as_posix()
    for path in STATIC.rglob("*.js")
    if path.parent.name != "plotly"
)
"""Our own."""
ENTRIES = {*(f"{of}/main.js" for of in ("owner", "history", "kept", "learn"))}
ENTRIES |= {"page/page.js", "page/present.js"}
IMPORT = re.compile(r'(?<= from ")(\.{1,2}/[^"]+)(?=";$)', re.M)
"""The address in an import statement of ours: relative, in double quotes, at the end of a line."""


def test_imports_are_found_in_the_own_folder_or_the_shared_one_and_make_no_circle() -> None:
    """As many as there are import statements: none is overlooked. Plotly is not ours."""
    every = {}
    for name in SCRIPTS:
        text = (STATIC / name).read_text("utf-8").replace("await import(BUNDLE)", "")
        found = [posixpath.normpath(f"{posixpath.dirname(name)}/{a}") for a in IMPORT.findall(text)]
        statements = re.findall(r'^import\b|\bimport\(|^export .* from "', text, re.M)
        assert len(found) == len(statements), name
        # "kept" is the line that stands where the table of columns will be.
        own = Path(name).parts[0]
        allowed = {"page", own, *(["owner"] if own == "kept" else [])}
        assert {Path(other).parts[0] for other in found} <= allowed, name
        every[name] = set(found)
    assert set().union(*every.values()) <= set(SCRIPTS)
    TopologicalSorter(every).prepare()  # Raises at a circle.
    assert set(SCRIPTS) - set().union(*every.values()) <= ENTRIES, "nobody imports it"
