"""Every sentence of the Compare page; a difference is stated only beyond sampling error."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpca_core.analysis.needed import EpsilonNeeded, round_up, smallest_epsilon
from dpca_core.analysis.order_statistics import (
    NINE_OF_TEN,
    better,
    fewest,
    median_interval,
    no_better_than_chance,
)
from dpca_core.linalg.arrays import Array
from dpca_core.metrics import RandomBaseline, random_baseline, without_noise
from dpca_core.privacy.budget import Guarantee
from dpca_core.runtime.cached_property import cached_property
from dpca_core.text.guarantee_sentences import LABELS, neighbours, short_guarantee
from dpca_core.text.privacy_numbers import epsilon_text, power
from ui.compare.measurements import Comparison, MeasuredLine
from ui.compare.query import AXES
from ui.text.certainty import CONFIDENCE_LEVEL, TargetCount, needed_label, releases_per_point
from ui.text.glossary import TERMS
from ui.text.messages import progress_text
from ui.text.noise import MOST_REFUSED, noise_per_entry
from ui.text.numbers import count, percent, percent_floor, percent_range

RANDOM, CEILING = "random directions", "PCA of rows of length 1, no noise"
TITLES = {"captured": "What is kept", "sin": "How far the directions turn"}
SUBTITLES = {
    "captured": "medians, relative to PCA without privacy; fine dots: the target of {target}; "
    "bands of the selected mechanism: 50, 80 and 95\u00a0% of its releases",
    "sin": "‖sin\u00a0Θ‖_F to the true directions; 0 = the same",
}
MEDIANS = "Medians: {name}"
NOT_RANKED = "Not ranked here: what is proved does not meet the budget."
NEEDED = "needed"
RESULTS = "Results on nine data sets →"
"""To the page that says how much of the cost was the mechanisms'."""
COLUMNS = ("mechanism", "variation kept", "‖sin Θ‖_F")
DETAILS = ("holds", "95\u00a0% of releases", "noise per entry", NEEDED, "ms per release")
"""Heads of the ranking's columns, and what stands before the numbers below a mechanism's name."""


@dataclass(frozen=True)
class CompareText:
    """The sentences of a comparison at its present stage.

    Attributes
    ----------
    target
        Share of the variation asked for in 9 of 10 releases.
    """

    comparison: Comparison
    target: float

    @cached_property
    def value_labels(self) -> list[str]:
        """The axis's values with their symbol: "ε = 0.1"."""
        symbol = AXES[self.comparison.query.axis]
        return [f"{symbol}\u00a0=\u00a0{self.value_text(v)}" for v in self.comparison.values]

    def value_text(self, value: float) -> str:
        """Write a value of the axis."""
        match self.comparison.query.axis:
            case "epsilon":
                return epsilon_text(value)
            case "delta":
                return power(value)
        return count(value)

    @cached_property
    def chances(self) -> list[RandomBaseline]:
        """What random directions give at each point: another number for each k."""
        return [random_baseline(problem) for problem, _ in self.comparison.points]

    @cached_property
    def ceilings(self) -> list[float]:
        """What PCA without noise keeps at each point: below 1 where rows all have length 1."""
        return [float(without_noise(p).captured) for p, _ in self.comparison.points]

    @property
    def target_text(self) -> str:
        """Write the target: "90 %"."""
        return percent_floor(self.target)

    @property
    def axis_title(self) -> str:
        """Title of the shared axis."""
        many = self.comparison.dataset.unit.many
        return {
            "epsilon": "privacy parameter ε: larger is less private",
            "delta": "δ: by how much a probability may exceed the bound of ε",
            "n": f"{many}, with the same spectrum",
            "k": "directions k",
        }[self.comparison.query.axis]

    @property
    def progress(self) -> str:
        """How much is measured; "" once all is."""
        return progress_text(self.comparison.progress)

    @property
    def footer(self) -> str:
        """What was compared, how often, and what the numbers mean."""
        noise = TERMS["noise per entry"]
        return (
            f"{self.settings} In parentheses: 95\u00a0% confidence intervals of medians. "
            f"{self.which_needed}{noise.name}: {noise.sentence} PPCA is sampled anew at each "
            "point, so its line is slightly rough."
        )

    @property
    def which_needed(self) -> str:
        """Say which values of ε or n are sure, and which are estimates; "" on other axes."""
        axis = self.comparison.query.axis
        if axis not in ("epsilon", "n"):
            return ""
        trials, head = (
            self.comparison.query.trials,
            f"{AXES[axis]} for {self.target_text} in 9 of 10",
        )
        releases = releases_per_point(trials)
        if trials < fewest(NINE_OF_TEN) or self.comparison.dataset.mean_share > 0:
            return f"{head}: from there on it is kept by estimate ({releases}). "
        return (
            f"{head}: from there on it is surely kept ({CONFIDENCE_LEVEL}, {releases}), or after "
            "“about” by estimate. "
        )

    @property
    def settings(self) -> str:
        """What was compared, and how often."""
        data, query = self.comparison.dataset, self.comparison.query
        fixed = {
            "epsilon": f"ε\u00a0=\u00a0{epsilon_text(query.epsilon)}",
            "delta": f"δ\u00a0=\u00a0{power(query.delta)}",
            "k": f"k\u00a0=\u00a0{query.k}",
        }
        fixed_text = ", ".join(text for name, text in fixed.items() if name != query.axis)
        return (
            f"{data.public_name}, {count(query.n)} {data.unit.many} × {data.d} columns, "
            f"{fixed_text}; {neighbours(query.adjacency, data.unit.one)}; {query.trials} releases "
            f"per point, seed {query.seed}."
        )

    def column_heads(self, names: tuple[str, ...]) -> list[str]:
        """Return heads of the table's columns, with the target of the inverse question."""
        axis = self.comparison.query.axis
        needed = ""
        if axis in ("epsilon", "n"):
            needed = f"{AXES[axis]} for {percent_floor(self.target)} in 9 of 10"
        return [needed if name == NEEDED else name for name in names]

    def needed(self, line: MeasuredLine) -> str:
        """Write the smallest ε, or n, from which on the target is kept in 9 of 10 releases."""
        axis = self.comparison.query.axis
        if axis not in ("epsilon", "n"):
            return ""
        found = self.comparison.needed_axis_value(line, self.target)
        return needed_label(
            found, lambda value: self.value_text(value if axis == "epsilon" else round_up(value))
        )

    def cells(self, line: MeasuredLine, index: int) -> dict[str, str]:
        """Write a mechanism's cells in the table at a point: what holds, noise and intervals."""
        guarantee = line.guarantees[index]
        if guarantee is None:
            empty = dict.fromkeys(("holds", "noise", "why", "interval", "sin_interval"), "")
            return empty | {"label": "NO RELEASE", "kind": "none", "note": line.notes[index]}
        total = self._total(guarantee, index)
        label, kind = LABELS[total.standing]
        holds = short_guarantee(total)
        data = self.comparison.dataset
        if not data.private:
            label, kind, holds = "NOT PRIVATE", "not", "the preprocessing reads the data"
        sines = line.sin_theta[index][line.done[index]]
        return {
            "label": label,
            "kind": kind,
            "holds": holds,
            "noise": noise_per_entry(line.mechanism, *line.points[index], data.unit.many),
            "why": " ".join(filter(None, (total.erratum, f"Source: {total.source}."))),
            "note": _note(line, index),
            "interval": _interval(line.releases(index)),
            "sin_interval": _sine_interval(sines),
        }

    def _total(self, guarantee: Guarantee, index: int) -> Guarantee:
        """Return the guarantee of mechanism and preprocessing together."""
        comparison = self.comparison
        here = comparison.query.with_axis_value(comparison.values[index])
        return comparison.dataset.total_guarantee(guarantee, here.budget)

    def answer(self, index: int) -> str:
        """Say who keeps most at a point, and how many reach the target."""
        ranked = [line for line in self.comparison.lines if line.ranked[index]]
        known = [line for line in ranked if np.isfinite(line.median_captured(index))]
        at = f"At [[{self.value_labels[index]}]]"
        if not ranked:
            return f"{at} none of these mechanisms is proved to meet the budget."
        if not known:
            return f"{at} nothing is measured yet …"
        chance = self.chances[index].captured
        if all(no_better_than_chance(line.releases(index), chance) for line in known):
            who = f"{known[0].mechanism.name} does no"
            if len(known) > 1:
                who = "none of these mechanisms does"
            return f"{at} {who} better than directions drawn at random ({percent(chance)})."
        most = _who_keeps_most(known, index)
        return f"{at} {'; '.join(filter(None, (most, self._who_reaches_target(known, index))))}."

    def _who_reaches_target(self, known: Sequence[MeasuredLine], index: int) -> str:
        """Count who keeps the target: surely, and by estimate; "" while nothing can be said."""
        needs = [need for line in known if (need := self._need_at(line, index)) is not None]
        if not needs:
            return ""
        ranked = sum(bool(line.ranked.any()) for line in self.comparison.lines)
        found = TargetCount.at(self.comparison.values[index], needs, needs, ranked)
        return found.sentence(self.target_text)

    def _need_at(self, line: MeasuredLine, index: int) -> EpsilonNeeded | None:
        """Return what a line needs of the axis; of δ or k only whether the value here is enough."""
        comparison = self.comparison
        if comparison.query.axis in ("epsilon", "n"):
            return comparison.needed_axis_value(line, self.target)
        found = smallest_epsilon(
            [comparison.values[index]], line.releases(index)[None], self.target
        )
        return found.as_estimate if comparison.dataset.mean_share > 0 else found


def _who_keeps_most(known: Sequence[MeasuredLine], index: int) -> str:
    best = max(known, key=lambda line: line.median_captured(index))
    others = [line for line in known if line is not best]
    own, among = best.releases(index), max(1, len(others))
    tied = [o for o in others if not better(own, o.releases(index), among=among)]
    most = "the most, " if others and not tied else ""
    interval = _interval(own)
    head = f"**{best.mechanism.name}** keeps {most}**{percent(best.median_captured(index))}**"
    head += f" {interval}" if interval else ""
    if not tied:
        return head
    names = [o.mechanism.name for o in tied]
    who = " and ".join(names) if len(names) <= 2 else f"{len(names)} others"
    return f"{head}, and {who} may keep as much"


def _interval(values: Array) -> str:
    """Write the 95 % interval of the median of captured shares: "(96–98 %)"; "" while unknown."""
    found = median_interval(values)
    return f"({percent_range(*found)})" if found is not None and found.low > 0 else ""


def _sine_interval(values: Array) -> str:
    """Write the 95 % interval of the median of ‖sin Θ‖_F; "" while unknown or refused."""
    found = median_interval(values) if np.isfinite(values).all() else None
    return f"({found.low:.2f}–{found.high:.2f})" if found is not None else ""


def _note(line: MeasuredLine, index: int) -> str:
    """Say how often a mechanism refuses, or that a page has no time to simulate it."""
    refused = line.refused_share(index)
    if refused > MOST_REFUSED:
        return f"refuses {percent(refused)} of the time"
    values = line.releases(index)
    if refused == 0 and len(values) and np.isnan(values).all():
        return "not drawn in time"
    return ""
