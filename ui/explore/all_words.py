"""What Explore says of all mechanisms: a difference is stated only beyond sampling error."""

from collections.abc import Sequence

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
from dpca_core.mechanisms.mechanism import Family
from dpca_core.metrics import RandomBaseline, random_baseline, without_noise
from dpca_core.runtime.cached_property import cached_property
from dpca_core.text.glossary import TERMS
from dpca_core.text.guarantee_sentences import neighbours
from dpca_core.text.privacy_numbers import epsilon_text, power
from ui.explore.medians import Medians, Summary
from ui.explore.query import recommended
from ui.state.settings import AXES
from ui.text.certainty import (
    CONFIDENCE_LEVEL,
    TargetCount,
    needed_label,
    releases_each,
    releases_per_point,
)
from ui.text.noise import MOST_REFUSED, noise_per_entry
from ui.text.numbers import count, percent, percent_floor, percent_range, significant
from ui.text.odds import LABELS, short_guarantee

RANDOM, CEILING = "random directions", "PCA of rows of length 1, no noise"
KEPT, TURNED = "What is kept", "How far the directions turn"
KEPT_SUB = (
    "medians, relative to PCA without privacy; bands: 50, 80 and 95\u00a0% of the selected "
    "mechanism’s releases"
)
TURNED_SUB = "‖sin\u00a0Θ‖_F to the true directions; 0 = the same"
RANKING = "Ranking at {at}"
NOT_RANKED = "Not ranked here: what is proved does not meet the budget."
MAY_DIFFER = "On a given table another mechanism may keep more: that depends on its data."
LEAST_POINTS = 0.1
"""Percentage points that are written as a number."""
MORE_THAN_99 = 0.995
"""Share from which on a row says no more than that."""


class AllWords:
    """The sentences of the view at its present stage, by number of the axis's value."""

    def __init__(self, summary: Summary) -> None:
        self.summary, self.study = summary, summary.study
        self.data, self.asked = summary.study.dataset, summary.study.asked
        self.axis = self.asked.axis

    @cached_property
    def chances(self) -> list[RandomBaseline]:
        """What random directions give at each point: another number for each k."""
        return [random_baseline(problem) for problem, _ in self.study.points]

    @cached_property
    def ceilings(self) -> Array:
        """What PCA without noise keeps at each point: below 1 where rows all have length 1."""
        return np.array([without_noise(problem).captured for problem, _ in self.study.points])

    def value(self, value: float) -> str:
        """Write a value of the axis."""
        if self.axis == "epsilon":
            return epsilon_text(value)
        return power(value) if self.axis == "delta" else count(value)

    @cached_property
    def labels(self) -> list[str]:
        """The axis's values with their symbol: "ε = 0.1"."""
        return [f"{AXES[self.axis]}\u00a0=\u00a0{self.value(v)}" for v in self.study.values]

    @property
    def axis_title(self) -> str:
        """Title of the shared axis."""
        return {
            "epsilon": "privacy parameter ε: larger is less private",
            "delta": "δ: by how much a probability may exceed the bound of ε",
            "n": f"{self.data.unit.many}, with the same spectrum",
            "k": "directions k",
        }[self.axis]

    # --- The answer ---

    def answer(self, index: int) -> str:
        """Say who keeps most at a point, and how many reach the target."""
        at = f"At [[{self.labels[index]}]]"
        ranked = [m for m in self.summary.mechanisms if m.ranked[index]]
        known = [m for m in ranked if np.isfinite(m.captured[index])]
        if not ranked and all(m.line.guarantees for m in self.summary.mechanisms):
            return f"{at} none of these mechanisms is proved to meet the budget."
        if not known:
            return f"{at} nothing is measured yet …"
        chance = self.chances[index].captured
        if all(no_better_than_chance(m.releases(index), chance) for m in known):
            who = "none of these mechanisms does"
            if len(known) == 1:
                who = f"{known[0].mechanism.name} does no"
            return f"{at} {who} better than directions drawn at random ({percent(chance)})."
        said = (_who_keeps_most(known, index), self._who_reaches_target(known, index))
        return f"{at} {'; '.join(filter(None, said))}."

    def _who_reaches_target(self, known: Sequence[Medians], index: int) -> str:
        """Count who keeps the target: surely, and by estimate; "" while nothing can be said."""
        needs = [need for m in known if (need := self._need_at(m, index)) is not None]
        if not needs:
            return ""
        found = TargetCount.at(self.study.values[index], needs, needs, len(self.summary.ranked))
        return found.sentence(percent_floor(self.summary.target))

    def _need_at(self, m: Medians, index: int) -> EpsilonNeeded | None:
        """Return what is needed of the axis; of δ or k only whether the value here is enough."""
        if self.axis in ("epsilon", "n"):
            return m.needed
        values, target = [self.study.values[index]], self.summary.target
        found = smallest_epsilon(values, m.releases(index)[None], target)
        return found.as_estimate if self.data.mean_share > 0 else found

    # --- The recommendation ---

    def recommendation(self, index: int) -> str:
        """Say what keeps most by public settings alone, and what the measurements say to that."""
        asked = self.asked.at(self.study.values[index])
        named = recommended(self.data, asked, 1.0)
        said = (
            f"By columns, k, ε and δ alone, without a look at the data: {named.for_any_number} "
            f"{MAY_DIFFER}"
        )
        return " ".join(filter(None, (said, self._measured(index))))

    def _measured(self, index: int) -> str:
        """Compare what is recommended for so many people with all others, once all is measured."""
        asked = self.asked.at(self.study.values[index])
        named = recommended(self.data, asked).keeps_most
        known = [
            m for m in self.summary.mechanisms if m.ranked[index] and np.isfinite(m.captured[index])
        ]
        own = next((m for m in known if m.mechanism == named), None)
        others = [m for m in known if m is not own]
        chance = self.chances[index].captured
        if own is None or not others or not self.study.complete:
            return ""
        if all(no_better_than_chance(m.releases(index), chance) for m in known):
            return ""
        basis = self._releases_each(known, index)
        many = f"{count(asked.n)} {self.data.unit.many}"
        who = f"{named.name}, which the rule of thumb names for {many}"
        verdict = _verdict(own, others, index, who)
        return f"Measured here at {self.labels[index]} ({basis}), {verdict}."

    def _releases_each(self, known: Sequence[Medians], index: int) -> str:
        each = [len(m.releases(index)) for m in known]
        return releases_each(min(each), max(each))

    # --- The ranking ---

    def cells(self, m: Medians, index: int) -> list[str]:
        """Write what a row says at a point: kept, turned, what holds, and noise."""
        guarantee = m.guarantee(index)
        if guarantee is None:
            note = m.line.notes.get(index, "") if m.line.guarantees else ""
            return ["", "", note and f"no release: {note}", ""]
        if not self.data.private:
            holds = "not private: the preparation reads the data"
        else:
            budget = self.asked.at(self.study.values[index]).budget
            total = self.data.total_guarantee(guarantee, budget)
            holds = f"{LABELS[total.standing][0].lower()}: {short_guarantee(total)}"
        values, sines = m.releases(index), m.line.sin_theta[index][m.line.done[index]]
        refused = float(m.refusals[index])
        kept = f"**{_share(float(m.captured[index]))}** {_interval(values)}"
        if refused > MOST_REFUSED:
            kept = f"refuses {percent(refused)} of the time"
        elif m.not_simulated(index):
            kept = "takes too long to be simulated"
        sine = float(m.sin_theta[index])
        turned = f"{sine:.2f} {_sine_interval(sines)}" if np.isfinite(sine) else ""
        noise = noise_per_entry(m.mechanism, *m.line.points[index], self.data.unit.many)
        return [kept.replace("****", "").strip(), turned.strip(), holds, noise]

    def needed(self, m: Medians) -> str:
        """Write the smallest ε, or n, from which on the target is kept in 9 of 10 releases."""
        if self.axis not in ("epsilon", "n") or m.mechanism.role == "baseline":
            return ""
        return needed_label(
            m.needed, lambda v: self.value(v if self.axis == "epsilon" else round_up(v))
        )

    @property
    def heads(self) -> list[str]:
        """Heads of the list's columns."""
        found = ["mechanism", "variation kept", "‖sin Θ‖_F", "what holds", "noise per entry"]
        if self.axis in ("epsilon", "n"):
            found.append(f"{AXES[self.axis]} for {percent_floor(self.summary.target)} in 9 of 10")
        return found

    @property
    def footer(self) -> str:
        """What was compared, how often, and what the numbers mean."""
        noise, lines = TERMS["noise per entry"], self.study.curves.lines
        rough = [
            f"{line.mechanism.name} is sampled anew at each point, so its line is slightly rough."
            for line in lines
            if line.mechanism.family is Family.EXPONENTIAL
        ]
        said = [
            self.settings,
            "In parentheses: 95\u00a0% confidence intervals of medians.",
            self._which_needed,
            f"{noise.name}: {noise.sentence}",
            *rough[:1],
        ]
        return " ".join(filter(None, said))

    @property
    def _which_needed(self) -> str:
        """Say which values of ε or n are sure, and which are estimates; "" on other axes."""
        if self.axis not in ("epsilon", "n"):
            return ""
        head = f"{AXES[self.axis]} for {percent_floor(self.summary.target)} in 9 of 10"
        trials = min(self.study.curves.trials.values())
        releases = releases_per_point(trials)
        if trials < fewest(NINE_OF_TEN) or self.data.mean_share > 0:
            return f"{head}: from there on it is kept by estimate ({releases})."
        return (
            f"{head}: from there on it is surely kept ({CONFIDENCE_LEVEL}, {releases}), or after "
            "“about” by estimate."
        )

    @property
    def settings(self) -> str:
        """What was compared, and how often."""
        data, asked = self.data, self.asked
        fixed = {
            "epsilon": f"ε\u00a0=\u00a0{epsilon_text(asked.epsilon)}",
            "delta": f"δ\u00a0=\u00a0{power(asked.delta)}",
            "k": f"k\u00a0=\u00a0{asked.k}",
        }
        said = ", ".join(text for name, text in fixed.items() if name != self.axis)
        trials = self.study.curves.trials.values()
        each = f"{min(trials)}" if min(trials) == max(trials) else f"{min(trials)} to {max(trials)}"
        return (
            f"{data.public_name}, {count(asked.n)} {data.unit.many} × {data.d} columns, {said}; "
            f"{neighbours(asked.adjacency, data.unit.one)}; {each} releases per point, seed "
            f"{asked.seed}."
        )


def _who_keeps_most(known: Sequence[Medians], index: int) -> str:
    best = max(known, key=lambda m: m.captured[index])
    others = [m for m in known if m is not best]
    own, among = best.releases(index), max(1, len(others))
    tied = [m for m in others if not better(own, m.releases(index), among=among)]
    most = "the most, " if others and not tied else ""
    kept = f"**{percent(best.captured[index])}** {_interval(own)}".strip()
    head = f"**{best.mechanism.name}** keeps {most}{kept}"
    names = [m.mechanism.name for m in tied]
    who = " and ".join(names) if len(names) <= 2 else f"{len(names)} others"
    return f"{head}, and {who} may keep as much" if tied else head


def _verdict(own: Medians, others: Sequence[Medians], index: int, who: str) -> str:
    """Compare what is recommended with every other mechanism beyond sampling error."""
    mine, median = own.releases(index), own.captured[index]
    above = [m for m in others if better(m.releases(index), mine, among=len(others))]
    if above:
        best = max(above, key=lambda m: m.captured[index])
        points = 100 * float(best.captured[index] - median)
        much = f"about {significant(points)}"
        if points < LEAST_POINTS:
            much = f"less than {LEAST_POINTS:g}"
        more = f"{best.mechanism.name} keeps {much} percentage points more"
        return f"it is otherwise: {more} than {who}"
    if all(better(mine, m.releases(index), among=len(others)) for m in others):
        return f"it is so: {who}, keeps the most of those ranked here"
    shown = f"none of those ranked here is shown to keep more than {who}"
    best = max(others, key=lambda m: m.captured[index])
    if best.captured[index] <= median:
        return shown
    return f"{shown}; the median of {best.mechanism.name} is higher, but within sampling error"


def _share(value: float) -> str:
    """Write a share in whole per cent; "" for NaN."""
    if not np.isfinite(value):
        return ""
    return ">\u00a099\u00a0%" if value >= MORE_THAN_99 else f"{value * 100:.0f}\u00a0%"


def _interval(values: Array) -> str:
    """Write the 95 % interval of the median of captured shares: "(96–98 %)"; "" while unknown."""
    found = median_interval(values)
    return f"({percent_range(*found)})" if found is not None and found.low > 0 else ""


def _sine_interval(values: Array) -> str:
    """Write the 95 % interval of the median of ‖sin Θ‖_F; "" while unknown or refused."""
    found = median_interval(values) if len(values) and np.isfinite(values).all() else None
    return f"({found.low:.2f}–{found.high:.2f})" if found is not None else ""
