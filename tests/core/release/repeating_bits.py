"""Random bits that repeat: the same for the same seed, however they are asked for."""

import numpy as np

from dpca_core.release.random_bits import Bits


def repeating_bits(seed: int) -> Bits:
    """Return bits of a generator that is seeded: for tests only."""
    rng = np.random.default_rng(seed)
    return Bits(rng.bytes)
