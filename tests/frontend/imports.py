"""Which modules of ``static/`` import which."""

import posixpath
import re
from collections.abc import Iterator

from ui.server import static_files

_IMPORT = re.compile(r'(?<= from ")(\.{1,2}/[^"]+)(?=";$)', re.M)
"""The address in an import statement of ours: relative, in double quotes, at the end of a line."""


def script(name: str) -> str:
    """The text of a module, by its path below ``static/``."""
    return static_files.files()[name].decode()


def imported(name: str) -> Iterator[str]:
    """The modules that a module imports, by their paths below ``static/``."""
    for address in _IMPORT.findall(script(name)):
        yield posixpath.normpath(posixpath.join(posixpath.dirname(name), address))


def modules(entry: str) -> list[str]:
    """A module and all that it imports, directly and through others; each once."""
    found, left = [entry], [entry]
    while left:
        new = [name for name in imported(left.pop()) if name not in found]
        found += dict.fromkeys(new)
        left += new
    return found
