"""Pictures of the Eigengap page that need no reading: gap beside noise, and fans of releases."""

from math import degrees
from typing import Any

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.base import Mechanism
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import InfeasibleBudget
from dpca_core.simulation.noise_norms import measured_norm
from ui.eigengap.query import Asked
from ui.figures.palette import colour
from ui.text.numbers import degree_text, percent, significant

SHOWN, LARGE = 25, 130


def outcomes(asked: Asked) -> dict[str, Any]:
    """The gap beside the noise, and releases at this gap as a fan about the truth."""
    approximate = asked.budget.delta > 0
    on_s = MECHANISMS["gaussian" if approximate else "wishart_difference"]
    on_basis = MECHANISMS["smooth_gaussian" if approximate else "smooth_cauchy"]
    norm = measured_norm(on_s.key, asked.data.d, asked.budget)
    pictures = [_beside(asked, norm, on_s)]
    pictures += [_released(asked, mechanism) for mechanism in (on_s, on_basis)]
    ratio = asked.gap / norm
    return {
        "key": "outcomes", "wide": True, "pictures": pictures,
        "title": f"The gap is {significant(ratio)} times the noise",
        "sub": f"left: the gap, and the largest effect of {on_s.name} noise on any direction "
        f"(its spectral norm); fans: the direction turned most, in {_shown(asked)} releases, "
        "about the true one",
    }  # fmt: skip


def _shown(asked: Asked) -> int:
    return SHOWN if asked.data.d <= LARGE else 8


def _beside(asked: Asked, norm: float, mechanism: Mechanism) -> dict[str, Any]:
    longest = max(asked.gap, norm)
    return {
        "caption": "", "bars": [
            {"text": f"gap {asked.people(asked.gap)}", "share": asked.gap / longest,
             "color": "accent"},
            {"text": f"noise {asked.people(norm)}", "share": norm / longest,
             "color": colour(mechanism.family)},
        ],
    }  # fmt: skip


def _released(asked: Asked, mechanism: Mechanism) -> dict[str, Any]:
    problem, rng = asked.moved(), np.random.default_rng(0)
    try:
        release = mechanism.release(problem, asked.budget, rng, _shown(asked))
    except InfeasibleBudget:
        return {"caption": f"{mechanism.name}: no release at this budget", "fan": [],
                "color": colour(mechanism.family)}  # fmt: skip
    angles = _turned(problem.basis, release.bases)
    return {
        "caption": f"{mechanism.name}: half are off by "
        f"{degree_text(degrees(float(np.median(angles))))} or more",
        "fan": _fan(angles), "color": colour(mechanism.family),
    }  # fmt: skip


def _turned(truth: Array, bases: Array) -> Array:
    """Largest principal angles (T,) between a basis and T others, in radians."""
    cosines = np.linalg.svd(truth.T @ bases, compute_uv=False)[:, -1]
    return np.asarray(np.arccos(np.clip(cosines, 0, 1)))


def _fan(angles: Array) -> list[float]:
    """Turn every other one the other way: an angle between subspaces has no sign."""
    return [float(a) * (1 if i % 2 else -1) for i, a in enumerate(angles)]


def rotation(asked: Asked) -> dict[str, Any]:
    """The paper's uniform rotation, on the right and, as printed, on the left; no noise at all."""
    basis, rng = asked.problem.basis, np.random.default_rng(0)
    d, k = basis.shape
    count = _shown(asked)
    right = basis @ np.linalg.qr(rng.standard_normal((count, k, k)))[0]
    left = np.linalg.qr(rng.standard_normal((count, d, k)))[0]
    pictures = [
        {"caption": f"{name}: keeps {percent(_kept(asked, bases))}",
         "fan": _fan(_turned(basis, bases)), "color": colour("smooth")}
        for name, bases in (("V·R, on the right", right), ("R·V, as printed", left))
    ]  # fmt: skip
    return {
        "key": "rotation", "wide": True, "pictures": pictures,
        "title": "A rotation on the wrong side destroys the result",
        "sub": "Gonen & Gilad-Bachrach multiply the basis by a uniform rotation R before the "
        "noise. On the right it changes the basis and not its span; on the left, as printed, the "
        f"span is uniformly random. {count} draws, no noise; kept: of the variation PCA finds",
        "note": "R·V for a uniform R and orthonormal V is a uniformly random basis, so it is drawn "
        "as one.",
    }  # fmt: skip


def _kept(asked: Asked, bases: Array) -> float:
    moment = asked.problem.moment
    captured = np.einsum("tik,ij,tjk->t", bases, moment, bases, optimize=True)
    return float(np.median(captured) / asked.problem.spectrum[: asked.k].sum())
