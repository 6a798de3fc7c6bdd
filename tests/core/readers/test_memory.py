"""How much memory there is."""

from pathlib import Path

import pytest

from dpca_core.data.errors import TableError
from dpca_core.readers.memory import available_memory, require_memory, total_memory


def written(path: Path, content: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def machine(root: Path, free: int, total: int = 2**33, group: str = "", **files: object) -> Path:
    """A made-up system with so many bytes; the files of its groups are named with __ for /."""
    told = b"MemTotal: %d kB\nMemAvailable: %d kB\n" % (total // 1024, free // 1024)
    written(root / "proc/meminfo", told)
    written(root / "proc/self/cgroup", group.encode())
    for name, size in files.items():
        written(root / "sys/fs/cgroup" / name.replace("__", "/"), f"{size}\n".encode())
    return root


def test_what_there_is_is_the_machines_or_the_least_limit_around(tmp_path):
    assert total_memory(tmp_path / "nothing is known") is None
    assert available_memory(tmp_path / "nothing is known") is None
    require_memory("t.csv", 1e18, tmp_path / "nothing is known")
    plain = machine(tmp_path / "a", 8 * 2**20)
    assert (total_memory(plain), available_memory(plain)) == (2**33, 8 * 2**20)
    require_memory("t.csv", 8e6, plain)
    with pytest.raises(TableError, match=r"about 0\.1 GB of memory, and 0\.0 GB are") as refused:
        require_memory("t.csv", 1e8, plain)
    assert not refused.value.readable_anyway
    inside = {"memory.max": "max", "docker__memory.max": 1_000_000, "docker__x__memory.max": "max"}
    used = {
        "docker__memory.current": 900_000,
        "docker__memory.stat": "anon 5\ninactive_file 300000",
    }
    two = machine(tmp_path / "b", 2**33, group="0::/docker/x\n", **inside, **used)
    assert (total_memory(two), available_memory(two)) == (1_000_000, 400_000)
    # In a container its own group is often the root of the tree.
    limits = {"memory.max": 5000, "memory.current": 9000}
    own = machine(tmp_path / "c", 2**33, group="0::/elsewhere\n", **limits)
    assert (total_memory(own), available_memory(own)) == (5000, 0)
    limits = {"memory__x__memory.limit_in_bytes": 7000, "memory__x__memory.usage_in_bytes": 1000}
    older = machine(tmp_path / "d", 2**33, group="4:memory:/x\n0::/\n", **limits)
    assert (total_memory(older), available_memory(older)) == (7000, 6000)
