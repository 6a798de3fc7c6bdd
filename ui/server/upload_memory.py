"""How much memory the uploads of all sessions may take together."""

import os

from dpca_core.readers.memory import total_memory

SHARE, LEAST, UNKNOWN = 8, 64 << 20, 4 << 30
"""Of how much memory uploads may be one part; bytes that they may be anywhere; bytes of a machine
that does not say."""
UPLOADS = "DPCA_UPLOADS"


def most_uploaded() -> int:
    """Bytes of uploads that all sessions may hold together: an eighth, or ``DPCA_UPLOADS`` MB."""
    told = os.environ.get(UPLOADS, "")
    if told.isdecimal():
        return int(told) * 1_000_000
    return max((total_memory() or UNKNOWN) // SHARE, LEAST)
