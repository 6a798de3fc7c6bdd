"""Tables on the server's own disk, in the folders that its operator has allowed."""

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from pathlib import Path
from time import monotonic

from dpca_core.data.column_names import shown
from dpca_core.tables.files import ENDINGS as ENDINGS_BY_KIND

FOLDERS_VARIABLE = "DPCA_FOLDERS"
"""Environment variable with the allowed folders, separated as in PATH."""
MOST_TABLES, MOST_NAMES, LISTING_SECONDS = 1000, 50_000, 10.0
"""Tables that the menu lists; names that are looked at in a folder; how long a listing is kept."""
_HIDDEN = ("_", ".")
ENDINGS = tuple(ending for endings in ENDINGS_BY_KIND.values() for ending in endings)


def folders() -> list[Path]:
    """Return the folders that the environment allows; none by default."""
    found = []
    for name in filter(None, os.environ.get(FOLDERS_VARIABLE, "").split(os.pathsep)):
        with suppress(OSError, RuntimeError, ValueError):
            found.append(Path(name).resolve(strict=True))
    return [root for root in found if root.is_dir()]


def tables() -> dict[str, Path]:
    """Return files, and folders that hold several, by the name that the menu shows."""
    return _listing(tuple(folders()), int(monotonic() / LISTING_SECONDS))


@lru_cache(maxsize=1)
def _listing(roots: tuple[Path, ...], _period: int) -> dict[str, Path]:
    """List the tables under the roots; every user of the server may see their names."""
    found: dict[str, Path] = {}
    ambiguous = len({root.name for root in roots}) < len(roots)
    for root in roots:
        name = str(root) if ambiguous else root.name
        for path in islice(_tables_under(root), MOST_TABLES - len(found)):
            found[shown(f"{name}/{path.relative_to(root).as_posix()}")] = path
    return dict(sorted(found.items()))


def _tables_under(root: Path) -> Iterator[Path]:
    """Yield the tables under a folder: plain files, nothing hidden, and no links.

    Nothing is opened, and whoever may write into a folder can neither stop the listing nor make it
    long: pipes, circular links, unreadable folders and names that vanish are left out.
    """
    files_in: dict[Path, int] = {}
    not_plain, names_seen = set[Path](), 0
    for place, subfolders, names in os.walk(root, followlinks=False):
        folder = Path(place)
        names_seen += len(names) + len(subfolders)
        shown_here = [name for name in subfolders if not name.startswith(_HIDDEN)]
        subfolders[:] = [n for n in sorted(shown_here) if _file_type(folder / n) == stat.S_IFDIR]
        for name in sorted(names):
            if _file_type(folder / name) != stat.S_IFREG:
                not_plain.add(folder)
            elif not name.startswith(_HIDDEN) and name.lower().endswith(ENDINGS):
                files_in[folder] = files_in.get(folder, 0) + 1
                yield folder / name
        if names_seen > MOST_NAMES:
            return
    for folder, files in files_in.items():
        if files > 1 and folder != root and not any(p.is_relative_to(folder) for p in not_plain):
            yield folder


def _file_type(path: Path) -> int | None:
    """Return the type of a file, of a link itself; None where it has vanished."""
    try:
        return stat.S_IFMT(path.lstat().st_mode)
    except OSError:
        return None
