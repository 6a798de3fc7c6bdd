"""What a mechanism adds (Noise) and what it publishes (Release)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from dpca_core.linalg.arrays import Array

Keep = Literal["moment"] | None
"""What a release keeps besides the bases: the published matrix, or nothing."""


@dataclass(frozen=True)
class Noise:
    """How much noise a mechanism adds, in the paper's own symbol.

    ``unit`` is "people" for noise on S and "per entry" for noise on the basis.
    """

    scale: float
    unit: str
    symbol: str


@dataclass(frozen=True)
class Release:
    """The outcome of a number of independent trials.

    Attributes
    ----------
    bases
        (trials, d, k), orthonormal columns; NaN where the mechanism refused.
    refused
        (trials,) whether nothing was released.
    info
        Diagnostics, each with a leading trials axis.
    moment
        (trials, d, d) the published noisy matrix in people, of rows within the unit ball, with
        ``keep="moment"`` where there is one.
    """

    bases: Array
    refused: np.ndarray
    info: dict[str, Array] = field(default_factory=dict)
    moment: Array | None = None


def joined(releases: Sequence[Release]) -> Release:
    """Return the bases and refusals of several releases as one."""
    bases = np.concatenate([release.bases for release in releases])
    return Release(bases, np.concatenate([release.refused for release in releases]))
