"""What the Eigengap page draws: how far one person turns the top directions, and the noise."""

from math import asin, degrees, exp, pi, sqrt
from typing import Any

import numpy as np

from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Adjacency
from dpca_core.privacy.sensitivity import basis_diameter, gap_change, smooth_sensitivity
from dpca_core.text.guarantees import neighbours
from dpca_core.text.privacy_numbers import epsilon_text, power
from ui.eigengap.choice_of_k import chances_of_k, gaps_by_k
from ui.eigengap.noise_figures import GAPS, NOISY, by_epsilon, by_gap, by_people, noise
from ui.eigengap.query import Asked
from ui.eigengap.rotation_figures import outcomes, rotation
from ui.figures.axes import axis, line
from ui.text.numbers import count, significant, space

MOST_TERMS = 240


def sheet(asked: Asked) -> dict[str, Any]:
    """Compose the page's charts and sentences."""
    mean = (
        ""
        if asked.data.mean_share == 0
        else (
            f" A private mean took {asked.data.mean_share * 100:.0f}\u00a0% of the budget (seed 0)."
        )
    )
    return {
        "id": f"{asked.data.identity} {[v for v in vars(asked).values() if v is not asked.data]}",
        "answer": _answer(asked), "under": _under(asked),
        "charts": [
            outcomes(asked), _turn(asked), _terms(asked), by_gap(asked), by_people(asked),
            by_epsilon(asked), rotation(asked), gaps_by_k(asked), chances_of_k(asked),
        ],
        "footer": f"{asked.data.name}, {count(asked.n)} {asked.data.unit.many} × {asked.data.d} "
        f"columns, k\u00a0=\u00a0{asked.k}, ε\u00a0=\u00a0{epsilon_text(asked.epsilon)}, "
        f"δ\u00a0=\u00a0{power(asked.delta)}, {neighbours(asked.adjacency, asked.data.unit.one)}. "
        f"Not private: the spectrum is the true one.{mean}",
    }  # fmt: skip


def angle(asked: Asked) -> float:
    """Largest angle by which one person turns the top subspace, in radians."""
    steps = asked.gap / gap_change(asked.adjacency)
    return asin(1 / steps) / 2 if steps > 1 else pi / 2


def _answer(asked: Asked) -> str:
    one, turn = asked.data.unit.one, degrees(angle(asked))
    who = f"one {one}" + (" replaced" if asked.adjacency is Adjacency.REPLACE_ONE else "")
    if turn == 90:
        return (
            f"At a gap of [[{asked.people(asked.gap)}]] {who} can turn the top "
            f"{space(asked.k)} **right over**: a kept and a dropped direction change places."
        )
    return (
        f"At a gap of [[{asked.people(asked.gap)}]] {who} can turn the top {space(asked.k)} "
        f"by **{significant(turn)}°** at most."
    )


def _under(asked: Asked) -> str:
    problem, entry = asked.at_gap(asked.gap), 1 / sqrt(asked.data.d)
    scales = {key: noise(MECHANISMS[key], problem, asked.budget) for key in NOISY}
    parts = [
        f"{MECHANISMS[key].name} **{significant(scale)}**"
        for key, scale in scales.items() if np.isfinite(scale)
    ]  # fmt: skip
    if not parts:
        return "No mechanism that follows the gap releases anything at this budget."
    text = (
        f"Noise per entry of a direction: {', '.join(parts)}; such an entry is about "
        f"{significant(entry)}."
    )
    printed, exact = scales["smooth_gaussian_printed"], scales["smooth_gaussian"]
    if np.isfinite(printed) and np.isfinite(exact) and exact > 0:
        text += f" Exact calibration saves a factor of {significant(printed / exact)}."
    return text


def _turn(asked: Asked) -> dict[str, Any]:
    d, k, adjacency = asked.data.d, asked.k, asked.adjacency
    smooth = [smooth_sensitivity(g, d, k, asked.beta, adjacency).bound for g in GAPS]
    local = [asked.local(g) for g in GAPS]
    return {
        "key": "turn", "wide": True, "height": 300, "needle": {"angle": angle(asked)},
        "title": "How far one person can turn the result: actual and safe bound",
        "sub": "largest distance (Frobenius norm) between the top bases of two neighbours; solid: "
        "the exact one, and the "
        f"smooth bound; dashed: the paper’s C/g, C\u00a0=\u00a0{asked.constant:g}. Circle: the "
        f"last direction kept, and in red where one {asked.data.unit.one} can turn it",
        "x": axis("gap", f"eigengap, in {asked.data.unit.many}", 0.1, 1e7, values=GAPS),
        "y": axis("", "", 1e-8, 3),
        "lines": [
            line("one person, exactly", local, strong=True),
            line("smooth bound U", smooth, "smooth", strong=True),
            line(f"the paper’s C/g, C = {asked.constant:g}", asked.constant / GAPS, "baseline",
                 dash="5 4"),
        ],
        "rules": [
            {"y": basis_diameter(d, k), "color": "grey", "dash": "2 3", "text": "any two sets"},
            {"x": asked.gap, "color": "accent", "text": f"gap {asked.people(asked.gap)}",
             "low": True},
        ],
        "note": _where_they_meet(asked, smooth, local),
    }  # fmt: skip


def _where_they_meet(asked: Asked, smooth: list[float], local: list[float]) -> str:
    close = np.array(smooth) <= np.array(local) * 1.001
    certified = gap_change(asked.adjacency) < GAPS
    meets = np.flatnonzero(close & certified)
    if len(meets) == 0:
        return "The smooth bound never falls to what one person can do in this range."
    return (
        "The smooth bound must hold for all data sets near these, and far ones count less by "
        f"e⁻ᵝ a {asked.data.unit.one}. It falls to what one {asked.data.unit.one} can do from a "
        f"gap of about **{asked.people(float(GAPS[meets[0]]))}** on."
    )


def _terms(asked: Asked) -> dict[str, Any]:
    step = gap_change(asked.adjacency)
    last = max(3.0, asked.gap / step * 1.15 + 3)
    people = np.unique(np.round(np.linspace(0, last, MOST_TERMS)))
    edge = np.arange(max(0, int(asked.gap / step) - 3), int(asked.gap / step) + 4)
    people = np.unique(np.concatenate([people, edge]))
    terms = [exp(-asked.beta * j) * asked.local(asked.gap - j * step) for j in people]
    won = smooth_sensitivity(asked.gap, asked.data.d, asked.k, asked.beta, asked.adjacency)
    low = max(1e-12, min(t for t in terms if t > 0) / 2)
    return {
        "key": "terms", "height": 230,
        "title": f"The worst case lies {count(won.people)} {asked.data.unit.many} away",
        "sub": "e⁻ᵝʲ·LS(g − j): what j others may have hidden; the largest is the smooth bound",
        "x": axis("j", f"j, {asked.data.unit.many} changed", 0, float(people[-1]), log=False,
                  values=people, text=count),
        "y": axis("", "", low, max(terms) * 3),
        "lines": [line("e⁻ᵝʲ·LS(g − j)", terms, "smooth", strong=True)],
        "dots": [{"x": float(won.people), "y": won.bound, "filled": True, "color": "accent",
                  "text": f"U = {significant(won.bound)}"}],
    }  # fmt: skip
