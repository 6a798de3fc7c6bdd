"""How much memory this process may still take, so that it stops before the system ends it."""

from contextlib import suppress
from pathlib import Path


def free_memory(root: Path = Path("/")) -> int | None:
    """Return the bytes that are free, of the machine or its container; None where not Linux."""
    found = []
    with suppress(OSError, ValueError, KeyError):
        machine = (root / "proc/meminfo").read_text()
        found.append(1024 * _numbers(machine)["MemAvailable:"])
    with suppress(OSError, ValueError, KeyError):
        group = root / "sys/fs/cgroup"
        most, used = (int((group / f"memory.{name}").read_text()) for name in ("max", "current"))
        kept = _numbers((group / "memory.stat").read_text())["inactive_file"]
        found.append(most - used + kept)
    return max(min(found), 0) if found else None


def _numbers(text: str) -> dict[str, int]:
    """Return the number behind the first word of each line."""
    return {words[0]: int(words[1]) for words in map(str.split, text.splitlines())}
