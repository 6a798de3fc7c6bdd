"""Random bits of the operating system, the only randomness of a release: there is no seed."""

import os
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]

WORD = 64
"""Bits of a word."""


class Bits:
    """Independent fair bits, by words or as whole numbers.

    Parameters
    ----------
    source
        Returns as many random bytes as it is asked for. Another than the operating system's is for
        tests only.
    """

    def __init__(self, source: Callable[[int], bytes] = os.urandom) -> None:
        self._source = source

    def words(self, n: int) -> Words:
        """Return n words of 64 bits, (n,)."""
        return np.frombuffer(self._source(n * WORD // 8), dtype="<u8").astype(np.uint64)

    def integer(self, bits: int) -> int:
        """Return a whole number of so many bits."""
        size = -(-bits // 8)
        return int.from_bytes(self._source(size), "little") & ((1 << bits) - 1)

    def integers(self, n: int, bits: int) -> list[int]:
        """Return n whole numbers of so many bits, a multiple of 8."""
        size = bits // 8
        raw = self._source(n * size)
        return [int.from_bytes(raw[i * size : (i + 1) * size], "little") for i in range(n)]
