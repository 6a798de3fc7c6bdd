"""How much memory there is, how much is free, and a refusal before more than that is taken."""

from contextlib import suppress
from pathlib import Path

from dpca_core.data.errors import TableError

_ROOT = Path("/")
_GIGABYTE = 1e9
_MANY = 2**60
"""A limit beyond this is none: version 1 of control groups writes a huge number for “no limit”."""


def require_memory(name: str, needed: float, root: Path = _ROOT) -> None:
    """Refuse work that needs more memory than there is, before it begins.

    Parameters
    ----------
    name
        What is to be read.
    needed
        Bytes.
    root
        Folder of ``proc`` and ``sys``, for tests.

    Raises
    ------
    TableError
        Where less is available; where nothing is known it passes.
    """
    there = available_memory(root)
    if there is None or needed <= there:
        return
    raise TableError(
        f"{name} needs about {needed / _GIGABYTE:.1f} GB of memory, and {there / _GIGABYTE:.1f} GB "
        "are free: use fewer columns or rows, or read it from a file on the server."
    )


def available_memory(root: Path = _ROOT) -> int | None:
    """Return the bytes this process may still take: of the machine and of its control groups.

    None where neither is known, as on systems other than Linux.
    """
    return _least([_of_machine(root, "MemAvailable:"), *_of_groups(root)])


def total_memory(root: Path = _ROOT) -> int | None:
    """Return the bytes there are for this process and all others: of the machine, or its limit.

    None where neither is known, as on systems other than Linux.
    """
    return _least([_of_machine(root, "MemTotal:"), *_limits(root)])


def _least(known: list[int | None]) -> int | None:
    found = [size for size in known if size is not None]
    return max(min(found), 0) if found else None


def _of_machine(root: Path, word: str) -> int | None:
    with suppress(OSError, ValueError, IndexError):
        for line in (root / "proc/meminfo").read_text().splitlines():
            if line.startswith(word):
                return int(line.split()[1]) * 1024
    return None


def _of_groups(root: Path) -> list[int | None]:
    """Room in each control group around this process; a container has them as limits."""
    found: list[int | None] = []
    for group in _groups(root, "sys/fs/cgroup", ""):
        found.append(_room(group, "memory.max", "memory.current", "inactive_file"))
    for group in _groups(root, "sys/fs/cgroup/memory", "memory"):
        names = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
        found.append(_room(group, *names))
    return found


def _limits(root: Path) -> list[int | None]:
    """Limits of the control groups around this process."""
    groups = [group / "memory.max" for group in _groups(root, "sys/fs/cgroup", "")]
    older = _groups(root, "sys/fs/cgroup/memory", "memory")
    return [_limit(path) for path in (*groups, *(g / "memory.limit_in_bytes" for g in older))]


def _limit(path: Path) -> int | None:
    """Return what a group may take; None for no limit."""
    with suppress(OSError, ValueError):
        most = int(path.read_text())
        return most if most < _MANY else None
    return None


def _groups(root: Path, mount: str, controller: str) -> list[Path]:
    """Folders of the groups this process is in, from its own to the outermost."""
    own = ""
    with suppress(OSError, ValueError):
        for line in (root / "proc/self/cgroup").read_text().splitlines():
            _, controllers, place = line.split(":", 2)
            if controller in controllers.split(","):
                own = place.strip("/")
    base = root / mount
    inner = base / own
    # A container often sees its own group as the root of the tree, whatever its path says.
    return [inner, *(p for p in inner.parents if p.is_relative_to(base))] if own else [base]


def _room(group: Path, limit: str, used: str, cache: str) -> int | None:
    """Limit less what is used, not counting cached files that may be dropped."""
    most = _limit(group / limit)
    if most is None:
        return None
    with suppress(OSError, ValueError):
        spare = 0
        with suppress(OSError, ValueError):
            for line in (group / "memory.stat").read_text().splitlines():
                word, _, size = line.partition(" ")
                if word == cache:
                    spare = int(size)
        return most - int((group / used).read_text()) + spare
    return None
