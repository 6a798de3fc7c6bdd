"""How much memory this machine, or the container it is in, has for the server."""

import os
from pathlib import Path

SHARE, LEAST = 8, 64 << 20
"""Of how much memory uploads may be one part; bytes that they may be anywhere."""
UPLOADS = "DPCA_UPLOADS"
LIMITS = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)
"""Where a container says how much it may have."""


def machine_memory() -> int:
    """Bytes of memory there are; 4 GB where the system does not say."""
    try:
        known = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    except (AttributeError, OSError, ValueError):
        known = [4 << 30]
    for path in LIMITS:
        try:
            known.append(int(path.read_text()))
        except (OSError, ValueError):
            continue
    return min(known)


def most_uploaded() -> int:
    """Bytes of uploads that all sessions may hold together: an eighth, or ``DPCA_UPLOADS`` MB."""
    told = os.environ.get(UPLOADS, "")
    if told.isdecimal():
        return int(told) * 1_000_000
    return max(machine_memory() // SHARE, LEAST)
