"""Browser code inside one HTML file, which then draws without a server or a network."""

import posixpath
import re
from base64 import b64encode
from collections.abc import Iterator

from ui.server import static_files

_IMPORT = re.compile(r'(?<= from ")(\.{1,2}/[^"]+)(?=";$)', re.M)
"""The address in an import statement of ours: relative, in double quotes, at the end of a line."""


def script(name: str) -> str:
    """Return the text of a module, by its path below ``static/``."""
    return static_files.files()[name].decode()


def imported(name: str) -> Iterator[str]:
    """Return the modules that a module imports, by their paths below ``static/``."""
    for address in _IMPORT.findall(script(name)):
        yield posixpath.normpath(posixpath.join(posixpath.dirname(name), address))


def modules(entry: str) -> list[str]:
    """Return a module and all that it imports, directly and through others; each once."""
    found, left = [entry], [entry]
    while left:
        new = [name for name in imported(left.pop()) if name not in found]
        found += dict.fromkeys(new)
        left += new
    return found


def import_map(entry: str) -> dict[str, dict[str, str]]:
    """Return an import map that holds a module and all that it imports as ``data:`` addresses.

    A module in a ``data:`` address has no folder, so that relative imports mean nothing in it: its
    imports name the other modules by their paths, ``dpca/charts/dom.js``.
    """

    def named(name: str) -> str:
        here = posixpath.dirname(name)
        text = _IMPORT.sub(
            lambda m: f"dpca/{posixpath.normpath(posixpath.join(here, m[1]))}", script(name)
        )
        return f"data:text/javascript;base64,{b64encode(text.encode()).decode('ascii')}"

    return {"imports": {f"dpca/{name}": named(name) for name in modules(entry)}}


def style_text(*names: str) -> str:
    """Return style sheets as one text, by their paths below ``static/``."""
    return "\n".join(static_files.files()[name].decode() for name in names)
