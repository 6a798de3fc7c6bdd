"""How many directions: the gaps that a look would show, and a choice that ε pays for."""

from typing import Any

import numpy as np

from dpca_core.analysis.choose_k import chances, gaps
from dpca_core.privacy.budget import Budget
from dpca_core.text.privacy_numbers import epsilon_text
from ui.eigengap.query import Asked
from ui.figures.axes import axis
from ui.figures.palette import colour
from ui.text.numbers import count, percent

MOST = 20


def most_directions(asked: Asked) -> int:
    """Largest k on offer: a public number, the same for all data of so many columns."""
    return min(MOST, asked.data.d - 1)


def gaps_by_k(asked: Asked) -> dict[str, Any]:
    """The gap behind each k: what a look at the data shows."""
    most = most_directions(asked)
    values = np.maximum(gaps(asked.problem, most), 1e-3)
    ks = np.arange(1, most + 1)
    low, high = 10 ** np.floor(np.log10(values.min())), 10 ** np.ceil(np.log10(values.max()) + 0.1)
    return {
        "key": "choice", "height": 230, "title": "The gap behind each number of directions",
        "sub": f"λₖ − λₖ₊₁ of these data, in {asked.data.unit.many}; filled: the k chosen",
        "x": axis("k", "directions k", 0.5, most + 0.5, log=False, values=ks, text=count),
        "y": axis("", "", float(low), float(high)), "lines": [],
        "bars": [
            {"x": int(k), "y": float(g), "filled": bool(k == asked.k), "color": "ink"}
            for k, g in zip(ks, values, strict=True)
        ],
        "note": "**Choosing k by this picture reads private data**: no ε here pays for that. Fix k "
        "in advance, or choose it as beside; the eigenvalues of a published noisy matrix show it "
        "too, and cost nothing more.",
    }  # fmt: skip


def chances_of_k(asked: Asked) -> dict[str, Any]:
    """How likely the private choice takes each k."""
    most, epsilon = most_directions(asked), asked.choice_epsilon
    rest = asked.data.split(Budget(epsilon, 0.0, asked.adjacency))[1].epsilon
    shares = chances(asked.problem, rest, most, asked.adjacency)
    ks = np.arange(1, most + 1)
    best = int(np.argmax(shares)) + 1
    return {
        "key": "private-choice", "height": 230, "title": "The private way to choose k",
        "sub": f"chance of each k when noise is added to every gap and the largest wins; filled: "
        f"k\u00a0=\u00a0{asked.k}",
        "x": axis("k", "directions k", 0.5, most + 0.5, log=False, values=ks, text=count),
        "y": axis("", "", 0, 1, log=False), "lines": [],
        "bars": [
            {"x": int(k), "y": float(p), "filled": bool(k == asked.k), "color": colour("smooth")}
            for k, p in zip(ks, shares, strict=True)
        ],
        "note": f"It costs ε\u00a0=\u00a0{epsilon_text(epsilon)}, pure, **on top of** what the "
        f"directions cost, and takes k\u00a0=\u00a0{best} with {percent(shares[best - 1])}. "
        "Draw it once, under More; a second draw costs as much again. These chances themselves "
        f"are not private.{_scaled(asked)}",
    }  # fmt: skip


def _scaled(asked: Asked) -> str:
    """Say that the chart is of another size than the draw, where it is."""
    many, real = asked.data.unit.many, asked.data.people
    if abs(asked.n - real) < 0.5:
        return ""
    return (
        f" They are for {count(asked.n)} {many} like these; the draw uses the real {count(real)}."
    )
