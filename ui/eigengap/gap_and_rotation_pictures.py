"""Pictures of the Eigengap page without axes: the gap beside the noise, and fans of releases."""

from html import escape
from typing import Any

import numpy as np

from dpca_core.figures.angles import Fan, Lengths, pictures
from dpca_core.figures.colours import family_role
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Family, Mechanism
from dpca_core.mechanisms.registry import (
    DEFAULT,
    PURE_DEFAULT,
    SMOOTH_DEFAULT,
    SMOOTH_PURE_DEFAULT,
)
from dpca_core.privacy.budget import InfeasibleBudget
from dpca_core.simulation.trials import median_norm
from ui.eigengap import text
from ui.eigengap.measurements import (
    captured_share,
    fan_releases,
    largest_angles,
    release_angles,
    rotated_bases,
)
from ui.eigengap.query import EigengapQuery


def outcomes(query: EigengapQuery) -> dict[str, Any]:
    """The gap beside the noise, and releases at this gap as a fan about the truth."""
    approximate = query.mechanism_budget.delta > 0
    on_s = DEFAULT if approximate else PURE_DEFAULT
    on_basis = SMOOTH_DEFAULT if approximate else SMOOTH_PURE_DEFAULT
    norm = median_norm(on_s, query.data.d, query.mechanism_budget)
    fans = [_release_fan(query, mechanism) for mechanism in (on_s, on_basis)]
    shown: list[Lengths | Fan] = [_gap_and_noise(query, norm, on_s), *fans]
    return {
        "key": "outcomes",
        "wide": True,
        "figure": pictures(shown),
        **text.outcome_labels(query.gap / norm, on_s, fan_releases(query)),
    }


def _gap_and_noise(query: EigengapQuery, norm: float, mechanism: Mechanism) -> Lengths:
    names, values = ("gap", "noise"), (query.gap, norm)
    texts = [
        escape(f"{name} {query.with_unit(value)}", quote=False)
        for name, value in zip(names, values, strict=True)
    ]
    return Lengths(names, texts, values, ("accent", family_role(mechanism.family)))


def _release_fan(query: EigengapQuery, mechanism: Mechanism) -> Fan:
    shade = family_role(mechanism.family)
    try:
        angles = release_angles(query, mechanism)
    except InfeasibleBudget:
        return Fan(mechanism.name, text.no_release_caption(mechanism), (), shade)
    caption = text.fan_caption(mechanism, float(np.median(angles)))
    return Fan(mechanism.name, caption, _fan(angles), shade)


def _fan(angles: Array) -> list[float]:
    """Mirror every other angle: an angle between subspaces has no sign."""
    return [float(a) * (1 if i % 2 else -1) for i, a in enumerate(angles)]


def rotation(query: EigengapQuery) -> dict[str, Any]:
    """The paper's uniform rotation, on the right and, as printed, on the left; no noise at all."""
    right, left = rotated_bases(query)
    shown = [
        Fan(
            side,
            text.rotation_caption(side, captured_share(query, bases)),
            _fan(largest_angles(query.problem.basis, bases)),
            family_role(Family.SMOOTH),
        )
        for side, bases in (("R·V, as printed", left), ("V·R, as it must be", right))
    ]
    return {
        "key": "rotation",
        "wide": True,
        "figure": pictures(shown),
        **text.rotation_labels(len(right)),
    }
