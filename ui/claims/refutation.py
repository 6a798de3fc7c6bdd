"""The Wishart refutation, run live: a needle that sticks out of an ellipse proves absence."""

from math import cos, degrees, pi, sin, sqrt

import numpy as np
import streamlit as st

from dpca_core.analysis.claims import claim_of, example
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.base import Mechanism
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Budget, Standing
from dpca_core.problem import Problem
from ui.claims.query import Asked
from ui.text.numbers import count

SHOWN, MOST_ENTRIES, MOST_MORE = 100, 2_000_000, 20_000
NEEDLE = np.array([cos(pi / 3), sin(pi / 3)])
OTHERS = np.diag([30.0, 12.0])
CELL = 58


def left_over(mechanism: Mechanism, budget: Budget, present: bool, trials: int, seed: int) -> Array:
    """Return (trials, 2, 2) published matrices less everybody else, by mechanism."""
    record = np.outer(NEEDLE, NEEDLE)
    moment = OTHERS + record if present else OTHERS
    problem = Problem.from_moment((moment + moment.T) / 2, 60, 1)
    rng = np.random.default_rng([seed, present])
    release = mechanism.release(problem, budget, rng, trials, keep="moment")
    return np.asarray(release.moment) - OTHERS


def proves_absence(matrices: Array, x: Array) -> np.ndarray:
    """Tell which positive matrices (trials, d, d) do not dominate xxᵀ: there xᵀM⁻¹x > 1."""
    solved = np.linalg.solve(matrices, np.broadcast_to(x[:, None], (*matrices.shape[:2], 1)))
    return np.asarray(x @ solved[..., 0].T > 1 + 1e-9)


def share_at(mechanism: Mechanism, budget: Budget, d: int, seed: int) -> tuple[int, int]:
    """Count proofs of absence among many more releases with d columns: (proofs, releases)."""
    trials = min(MOST_MORE, MOST_ENTRIES // d**2)
    problem = example(d, 1, 1000)
    rng = np.random.default_rng([seed, d])
    release = mechanism.release(problem, budget, rng, trials, keep="moment")
    x = np.full(d, 1 / sqrt(d))
    left = np.asarray(release.moment) - problem.moment
    return int(proves_absence(left, x).sum()), trials


def refuted() -> list[str]:
    """Keys of the mechanisms whose noise only adds, and is too little."""
    at = example(2, 1, 1000), Budget(1.0, 1e-6)
    found = (claim_of(m, *at) for m in MECHANISMS.values())
    return [
        f.mechanism.key for f in found if f.guarantee and f.guarantee.standing is Standing.REFUTED
    ]


def draw(asked: Asked) -> None:
    """Draw the section."""
    keys = refuted()
    st.html('<div class="claims"><h2 id="absent">A proof that somebody is absent</h2></div>')
    with st.container(horizontal=True, vertical_alignment="bottom", key="refutation"):
        key = st.segmented_control(
            "Mechanism",
            keys,
            default=keys[0],
            required=True,
            format_func=lambda m: MECHANISMS[m].name.removesuffix(", printed"),
            key="refutation.mechanism",
        )
        present = st.segmented_control(
            "The record is",
            (False, True),
            default=False,
            required=True,
            format_func=lambda there: "in the data" if there else "not in the data",
            key="refutation.present",
        )
        st.button("Publish 100 again", on_click=_again)
    mechanism = MECHANISMS[str(key)]
    seed = int(st.session_state.get("refutation.seed", 0))
    matrices = left_over(mechanism, asked.budget, bool(present), SHOWN, seed)
    proved = proves_absence(matrices, NEEDLE)
    scale = mechanism.calibrate(asked.problem, asked.budget).scale
    st.html(
        f'<div class="claims"><p class="answer">{_answer(int(proved.sum()), bool(present))}</p>'
        f'<p class="under">{_explained(mechanism, asked, bool(present), seed)}</p>'
        f'<div class="ellipses">{_cells(matrices, proved, scale)}</div>'
        "</div>"
    )


def _again() -> None:
    st.session_state["refutation.seed"] = int(st.session_state.get("refutation.seed", 0)) + 1


def _answer(proofs: int, present: bool) -> str:
    if present:
        return (
            f"<b>{proofs} of {SHOWN}</b> published matrices prove the record absent: "
            "it is there, and every ellipse holds its needle."
        )
    return (
        f"<b>{proofs} of {SHOWN}</b> published matrices <em>prove</em> that this record is not in "
        "the data."
    )


def _explained(mechanism: Mechanism, asked: Asked, present: bool, seed: int) -> str:
    rule = (
        "An observer who knows every other record subtracts them from what was published; the "
        "ellipse is what is left, the needle is the record in question. The noise only ever adds: "
        "with the record in the data no needle could stick out. "
    )
    if present:
        return rule
    share = mechanism.guarantee(asked.problem, Budget(asked.epsilon, asked.delta)).delta
    proofs, trials = share_at(mechanism, asked.budget, asked.d, seed)
    return (
        f"{rule}Theory says 1 − e<sup>−1/(2s)</sup>\u00a0=\u00a0<b>{share:.3f}</b> whatever d; "
        f"in {count(trials)} more releases with d\u00a0=\u00a0{asked.d} columns it was "
        f"<b>{proofs / trials:.3f}</b>."
    )


def _cells(matrices: Array, proved: np.ndarray, scale: float) -> str:
    """One cell for each release: ellipse {v : vᵀM⁻¹v ≤ 1} and needle, in one scale."""
    unit = CELL / 2 / max(1.25, 3.0 * sqrt(scale))
    values, vectors = np.linalg.eigh(matrices)
    reach = unit * 1.0
    turn = -degrees(np.arctan2(NEEDLE[1], NEEDLE[0]))
    needle = (
        f'<i class="needle" style="width: {reach:.1f}px; transform: rotate({turn:.1f}deg)"></i>'
    )
    cells = []
    for (low, high), frame, proof in zip(values, vectors, proved, strict=True):
        width, height = (2 * unit * sqrt(max(v, 0.0)) for v in (high, low))
        angle = -degrees(np.arctan2(frame[1, 1], frame[0, 1]))
        shape = (
            f"width: {width:.1f}px; height: {height:.1f}px; margin: {-height / 2:.1f}px 0 0 "
            f"{-width / 2:.1f}px; transform: rotate({angle:.1f}deg)"
        )
        kind = "cell proof" if proof else "cell"
        cells.append(f'<div class="{kind}"><i class="ellipse" style="{shape}"></i>{needle}</div>')
    return "".join(cells)
