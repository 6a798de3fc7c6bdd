"""What the Eigengap page draws: how far one person turns the top directions, and the noise."""

from dataclasses import dataclass, replace
from math import asin, degrees, exp, log, pi, sqrt
from typing import Any

import numpy as np

from dpca_core.budget import Adjacency, Budget, InfeasibleBudget
from dpca_core.dataset import Dataset
from dpca_core.mechanism import Mechanism
from dpca_core.problem import Problem
from dpca_core.registry import MECHANISMS
from dpca_core.sensitivity import (
    basis_diameter,
    gap_change,
    local_sensitivity,
    smooth_sensitivity,
)
from ui.format import count, epsilon_text, power, significant
from ui.promises import neighbours
from ui.sheet import axis, line
from ui.words import space

GAPS = np.geomspace(0.1, 1e7, 97)
EPSILONS = np.geomspace(0.01, 100, 25)
PEOPLE = np.geomspace(100, 1e8, 37)
MOST_TERMS = 240
NOISY = ("smooth_gaussian_printed", "smooth_gaussian", "smooth_cauchy", "gap_release")


@dataclass(frozen=True)
class Asked:
    """The page's controls; ``gap`` in people, ``constant`` the C that the paper leaves open."""

    data: Dataset
    k: int
    n: float
    gap: float
    epsilon: float
    delta: float
    adjacency: Adjacency
    constant: float

    @property
    def problem(self) -> Problem:
        """The data as they are, at k and n."""
        return self.data.problem(self.k, self.n)

    @property
    def beta(self) -> float:
        """Smoothness of the printed Gaussian, the Cauchy's at δ = 0."""
        m = self.data.d * self.k
        if self.delta > 0:
            return self.epsilon / (4 * (m + log(2 / self.delta)))
        return self.epsilon / (2 * m)

    def at_gap(self, gap: float, people: float | None = None) -> Problem:
        """Return a problem that has this gap, for mechanisms that read nothing but the gap."""
        d, k = self.data.d, self.k
        size = people or self.n
        unit = max(size, 4.0 * k * max(gap, 1.0))
        values = np.concatenate([np.full(k, gap), np.zeros(d - k)])
        stub = Problem(np.empty((d, 0)), unit, k)
        stub.__dict__["_eigen"] = (values, np.empty((d, 0)))
        return stub

    def local(self, gap: float) -> float:
        """LS at a gap."""
        return local_sensitivity(gap, self.data.d, self.k, self.adjacency)


def noise(mechanism: Mechanism, problem: Problem, budget: Budget) -> float:
    """Noise per entry; NaN where there is no release."""
    try:
        scale = mechanism.calibrate(problem, budget).scale
    except InfeasibleBudget:
        return float("nan")
    return scale if np.isfinite(scale) else float("nan")


def input_noise(gap: float, budget: Budget) -> float:
    """Gaussian noise on S over the gap: what it adds to an entry, to first order."""
    if budget.delta == 0:
        return float("nan")
    stub = Problem(np.eye(2), 2.0, 1)
    return MECHANISMS["gaussian"].calibrate(stub, budget).scale / sqrt(2) / gap


def sheet(asked: Asked) -> dict[str, Any]:
    """Compose the page's charts and sentences."""
    budget = Budget(asked.epsilon, asked.delta, asked.adjacency)
    return {
        "id": repr((asked.data.digest, replace(asked, data=None))),  # type: ignore[arg-type]
        "answer": _answer(asked), "under": _under(asked, budget),
        "charts": [
            _turn(asked), _terms(asked), _by_gap(asked, budget), _by_people(asked, budget),
            _by_epsilon(asked), _choice(asked),
        ],
        "footer": f"{asked.data.name}, {count(asked.n)} {asked.data.unit.many} × {asked.data.d} "
        f"columns, k\u00a0=\u00a0{asked.k}, ε\u00a0=\u00a0{epsilon_text(asked.epsilon)}, "
        f"δ\u00a0=\u00a0{power(asked.delta)}, {neighbours(asked.adjacency, asked.data.unit.one)}. "
        "Not private: the spectrum is the true one.",
    }  # fmt: skip


def _people_text(asked: Asked, value: float) -> str:
    unit = asked.data.unit
    return f"{significant(value, 3)}\u00a0{unit.one if value == 1 else unit.many}"


def angle(asked: Asked) -> float:
    """Largest angle by which one person turns the top subspace, in radians."""
    steps = asked.gap / gap_change(asked.adjacency)
    return asin(1 / steps) / 2 if steps > 1 else pi / 2


def _answer(asked: Asked) -> str:
    one, turn = asked.data.unit.one, degrees(angle(asked))
    who = f"one {one}" + (" replaced" if asked.adjacency is Adjacency.REPLACE_ONE else "")
    if turn == 90:
        return (
            f"At a gap of [[{_people_text(asked, asked.gap)}]] {who} can turn the top "
            f"{space(asked.k)} **right over**: a kept and a dropped direction change places."
        )
    return (
        f"At a gap of [[{_people_text(asked, asked.gap)}]] {who} can turn the top {space(asked.k)} "
        f"by **{significant(turn)}°** at most."
    )


def _under(asked: Asked, budget: Budget) -> str:
    problem, entry = asked.at_gap(asked.gap), 1 / sqrt(asked.data.d)
    scales = {key: noise(MECHANISMS[key], problem, budget) for key in NOISY}
    parts = [
        f"{MECHANISMS[key].name} **{significant(scale)}**"
        for key, scale in scales.items() if np.isfinite(scale)
    ]  # fmt: skip
    if not parts:
        return "No mechanism that follows the gap releases anything at this budget."
    text = f"Noise per entry: {', '.join(parts)}; an entry is about {significant(entry)}."
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
        "title": "What one person can do, and what must be assumed",
        "sub": "largest distance between the top bases of two neighbours; solid: exactly, and the "
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
            {"x": asked.gap, "color": "accent", "text": f"gap {_people_text(asked, asked.gap)}"},
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
        f"e^(−β) a {asked.data.unit.one}. It falls to what one {asked.data.unit.one} can do from a "
        f"gap of about **{_people_text(asked, float(GAPS[meets[0]]))}** on."
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
        "sub": "e^(−βj)·LS(g − j): what j others may have hidden; the largest is the smooth bound",
        "x": axis("j", f"j, {asked.data.unit.many} changed", 0, float(people[-1]), log=False,
                  values=people, text=count),
        "y": axis("", "", low, max(terms) * 3),
        "lines": [line("e^(−βj)·LS(g − j)", terms, "smooth", strong=True)],
        "dots": [{"x": float(won.people), "y": won.bound, "filled": True, "color": "accent",
                  "text": f"U = {significant(won.bound)}"}],
    }  # fmt: skip


def _by_gap(asked: Asked, budget: Budget) -> dict[str, Any]:
    gaps = GAPS[::2]
    lines = [
        line(MECHANISMS[key].name,
             [noise(MECHANISMS[key], asked.at_gap(g), budget) for g in gaps],
             MECHANISMS[key].family, dash="5 4" if MECHANISMS[key].printed else None)
        for key in NOISY
    ]  # fmt: skip
    lines.append(line("Gaussian on S ÷ gap", [input_noise(g, budget) for g in gaps], "gaussian"))
    return {
        "key": "by-gap", "height": 230, "title": "Noise against the gap",
        "sub": "per entry of the directions; below the dotted line a direction shows",
        "x": axis("gap", f"eigengap, in {asked.data.unit.many}", 0.1, 1e7, values=gaps),
        "y": axis("", "", 1e-7, 1e5), "lines": lines,
        "rules": [
            {"y": 1 / sqrt(asked.data.d), "color": "ink", "dash": "1 3", "text": "an entry, 1/√d"},
            {"x": asked.gap, "color": "accent", "text": ""},
        ],
    }  # fmt: skip


def _by_people(asked: Asked, budget: Budget) -> dict[str, Any]:
    share = asked.gap / asked.n
    lines = [
        line(MECHANISMS[key].name,
             [noise(MECHANISMS[key], asked.at_gap(share * n, n), budget) for n in PEOPLE],
             MECHANISMS[key].family, dash="5 4" if MECHANISMS[key].printed else None)
        for key in NOISY
    ]  # fmt: skip
    lines.append(
        line("Gaussian on S ÷ gap", [input_noise(share * n, budget) for n in PEOPLE], "gaussian")
    )
    many = asked.data.unit.many
    return {
        "key": "by-people", "height": 230, "title": f"Noise against the number of {many}",
        "sub": f"as if so many {many} looked like these: the gap grows with them",
        "x": axis("n", many, 100, 1e8, values=PEOPLE), "y": axis("", "", 1e-7, 1e5),
        "lines": lines,
        "rules": [
            {"y": 1 / sqrt(asked.data.d), "color": "ink", "dash": "1 3", "text": "an entry, 1/√d"},
            {"x": asked.n, "color": "accent", "text": f"{count(asked.n)} {many}"},
        ],
    }  # fmt: skip


def _by_epsilon(asked: Asked) -> dict[str, Any]:
    problem = asked.at_gap(asked.gap)
    budgets = [Budget(float(f"{e:.6g}"), asked.delta, asked.adjacency) for e in EPSILONS]
    lines = [
        line(MECHANISMS[key].name, [noise(MECHANISMS[key], problem, b) for b in budgets],
             MECHANISMS[key].family, dash="5 4" if MECHANISMS[key].printed else None)
        for key in NOISY
    ]  # fmt: skip
    lines.append(
        line("Gaussian on S ÷ gap", [input_noise(asked.gap, b) for b in budgets], "gaussian")
    )
    return {
        "key": "by-epsilon", "height": 230, "title": "Noise against ε",
        "sub": "at this gap; it falls steeply until the smooth bound meets the exact one",
        "x": axis("ε", "privacy parameter ε", 0.01, 100, values=EPSILONS, text=epsilon_text),
        "y": axis("", "", 1e-7, 1e5), "lines": lines,
        "rules": [
            {"y": 1 / sqrt(asked.data.d), "color": "ink", "dash": "1 3", "text": "an entry, 1/√d"},
            {"x": asked.epsilon, "color": "accent", "text": ""},
        ],
    }  # fmt: skip


def _choice(asked: Asked) -> dict[str, Any]:
    spectrum = asked.problem.spectrum
    most = min(20, len(spectrum) - 1)
    gaps = np.maximum(spectrum[:most] - spectrum[1 : most + 1], 1e-3)
    ks = np.arange(1, most + 1)
    low, high = 10 ** np.floor(np.log10(gaps.min())), 10 ** np.ceil(np.log10(gaps.max()) + 0.1)
    return {
        "key": "choice", "height": 230, "title": "The gap behind each number of directions",
        "sub": f"λ_k − λ_(k+1) of these data, in {asked.data.unit.many}; filled: the k chosen",
        "x": axis("k", "directions k", 0.5, most + 0.5, log=False, values=ks, text=count),
        "y": axis("", "", float(low), float(high)), "lines": [],
        "bars": [
            {"x": int(k), "y": float(g), "filled": bool(k == asked.k), "color": "ink"}
            for k, g in zip(ks, gaps, strict=True)
        ],
        "note": "**Choosing k by this picture reads private data**: no ε here pays for that. Fix k "
        "in advance, or choose it from a private release: the eigenvalues of a published noisy "
        "matrix cost nothing more.",
    }  # fmt: skip
