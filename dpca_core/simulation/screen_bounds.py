"""Where the proof for a screen's release is tried, and whether what is proved is enough."""

from typing import TypeVar

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.certificate import Certified, Frames
from dpca_core.linalg.single_precision import Tops
from dpca_core.simulation.precision import allowed_errors, expected_spreads

Arrays = TypeVar("Arrays", Frames, Tops)


def parts_of(found: Arrays, some: np.ndarray) -> Arrays:
    """Return of each array the parts of some matrices."""
    return type(found)(*(part[some] for part in found))


def judged(found: Certified, spectrum: Array, k: int) -> tuple[Array, np.ndarray]:
    """Bounds (2, G) on captured share and ‖sin Θ‖_F, and where they are expected to be enough."""
    total = float(spectrum[:k].sum())
    outside = found.weights[:, k:].sum(axis=1)
    errors = np.stack([found.captured_error / total, found.sine_error])
    spreads = expected_spreads(found.weights @ spectrum / total, outside, len(spectrum), k)
    return errors, np.asarray((errors <= allowed_errors(spreads)).all(axis=0))
