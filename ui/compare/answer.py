"""What a comparison says at one point of its axis, beyond sampling error only."""

from collections.abc import Sequence

import numpy as np

from dpca_core.analysis.order_statistics import (
    better,
    fewest,
    kept_by,
    median_interval,
    no_better_than_chance,
    reached,
)
from dpca_core.analysis.requirements import EpsilonNeeded, smallest_epsilon
from dpca_core.linalg.arrays import Array
from dpca_core.metrics import RandomBaseline
from ui.compare.measurements import Comparison, Line
from ui.text.numbers import CONFIDENCE_EACH, percent, percent_floor, percent_range


def line_median(values: Array) -> float:
    """Median of what is known; NaN where nothing is."""
    known = values[np.isfinite(values)]
    return float(np.median(known)) if len(known) else float("nan")


def needed_along(comparison: Comparison, line: Line, target: float) -> EpsilonNeeded | None:
    """Find the value of the axis from which on 9 of 10 releases keep the target.

    By the rule that Explore has too. None while there are too few points, where nothing is ranked,
    and for a baseline.
    """
    at = np.flatnonzero(line.done[:, 0])
    trials = int(line.done[at].all(axis=0).sum()) if len(at) else 0
    if line.mechanism.family == "baseline" or len(at) < 3 or not trials or not line.ranked.any():
        return None
    values = [comparison.values[i] for i in at]
    found = smallest_epsilon(values, line.captured[at, :trials], target)
    return EpsilonNeeded(found.epsilon, found.certain and comparison.dataset.mean_share == 0)


def interval_text(values: Array) -> str:
    """Write the 95 % interval of the median of captured shares: "(96–98 %)"; "" while unknown."""
    found = median_interval(values)
    return f"({percent_range(*found)})" if found is not None and found.low > 0 else ""


def sine_interval_text(values: Array) -> str:
    """Write the 95 % interval of the median of ‖sin Θ‖_F; "" while unknown or refused."""
    found = median_interval(values) if np.isfinite(values).all() else None
    return f"({found.low:.2f}–{found.high:.2f})" if found is not None else ""


def answer(comparison: Comparison, i: int, text: str, chance: RandomBaseline, target: float) -> str:
    """Say who keeps most at a point, and how many reach the target.

    Parameters
    ----------
    text
        The point: "ε = 0.1".
    chance
        What random directions give there.
    """
    ranked = [line for line in comparison.lines if line.ranked[i]]
    known = [line for line in ranked if np.isfinite(line_median(line.captured[i]))]
    at = f"At [[{text}]]"
    if not known:
        if ranked:
            return f"{at} nothing is measured yet …"
        return f"{at} none of these mechanisms is proved to meet the budget."
    releases = {line.mechanism.key: line.captured[i][line.done[i]] for line in known}
    if all(no_better_than_chance(values, chance.captured) for values in releases.values()):
        alone = f"{known[0].mechanism.name} does no"
        who = "none of these mechanisms does" if len(known) > 1 else alone
        random = f"directions drawn at random ({percent(chance.captured)})"
        return f"{at} {who} better than {random}."
    return f"{at} {_most(known, i, releases)}; {_able(comparison, known, i, target)}."


def _most(known: Sequence[Line], i: int, releases: dict[str, Array]) -> str:
    best = max(known, key=lambda line: line_median(line.captured[i]))
    others = [line for line in known if line is not best]
    own, among = releases[best.mechanism.key], max(1, len(others))
    tied = [o for o in others if not better(own, releases[o.mechanism.key], among=among)]
    most = "the most, " if others and not tied else ""
    interval = interval_text(own)
    head = f"**{best.mechanism.name}** keeps {most}**{percent(line_median(own))}**"
    head += f" {interval}" if interval else ""
    if not tied:
        return head
    names = [o.mechanism.name for o in tied]
    who = f"{len(names)} others"
    if len(names) <= 2:
        who = " and ".join(names)
    return f"{head}, and {who} may keep as much"


def _able(comparison: Comparison, known: Sequence[Line], i: int, target: float) -> str:
    every = [line for line in comparison.lines if line.ranked.any()]
    if comparison.asked.axis in ("epsilon", "n"):
        needed = [needed_along(comparison, line, target) for line in known]
        sure = all(n is not None and n.certain for n in needed)
        value = comparison.values[i]
        able = sum(n is not None and n.epsilon is not None and n.epsilon <= value for n in needed)
    else:
        values = [line.captured[i][line.done[i]] for line in known]
        sure = min(len(v) for v in values) >= fewest(0.9) and comparison.dataset.mean_share == 0
        able = sum(
            bool(kept_by(v, target)) if sure else bool(reached(v, 0.9) >= target) for v in values
        )
    verb = ("is shown to keep" if able == 1 else "are shown to keep") if sure else "keep"
    about, certain = ("", CONFIDENCE_EACH) if sure else ("about ", "")
    who = f"{about}{able or 'none'} of {len(every)}"
    return f"{who} {verb} {percent_floor(target)} in 9 of 10 releases{certain}"
