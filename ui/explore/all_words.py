"""What Explore says of all mechanisms: a difference is stated only beyond sampling error."""

import numpy as np

from dpca_core.analysis.needed import round_up
from dpca_core.analysis.order_statistics import NINE_OF_TEN, better, fewest, median_interval
from dpca_core.metrics import random_baseline, without_noise
from dpca_core.text.guarantee_sentences import neighbours
from dpca_core.text.privacy_numbers import epsilon_text, power
from ui.explore.medians import MOST_REFUSED, Medians, Summary
from ui.explore.query import recommended
from ui.explore.text import all_lost, interval, who_keeps_most
from ui.state.settings import AXES
from ui.text.certainty import (
    CONFIDENCE_LEVEL,
    TargetCount,
    needed_label,
    releases_each,
    releases_per_point,
)
from ui.text.numbers import count, percent, percent_floor
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
AXIS_TITLES = {
    "epsilon": "privacy parameter ε: larger is less private",
    "delta": "δ: by how much a probability may exceed the bound of ε",
    "n": "{many}, with the same spectrum",
    "k": "directions k",
}
MORE_THAN_99 = 0.995
"""Share from which on a row says no more than that."""


class AllWords:
    """The sentences of the view at its present stage, by number of the axis's value."""

    def __init__(self, summary: Summary) -> None:
        self.summary, self.study = summary, summary.study
        self.data, self.asked = summary.study.dataset, summary.study.asked
        self.axis, self.symbol = self.asked.axis, AXES[self.asked.axis]
        self.axis_title = AXIS_TITLES[self.axis].format(many=self.data.unit.many)
        self.target = percent_floor(summary.target)
        self.has_needed = self.axis in ("epsilon", "n")
        """Whether "from which value on" can be asked: of δ and k it cannot."""
        problems = [problem for problem, _ in self.study.points]
        self.chances = [random_baseline(problem) for problem in problems]
        """What random directions give at each point: another number for each k."""
        self.ceilings = np.array([without_noise(problem).captured for problem in problems])
        """What PCA without noise keeps at each point: below 1 where rows all have length 1."""
        self.labels = [f"{self.symbol}\u00a0=\u00a0{self.value(v)}" for v in self.study.values]
        self.heads = ["mechanism", "variation kept", "‖sin Θ‖_F", "what holds"]
        if self.has_needed:
            self.heads.append(f"{self.symbol} for {self.target} in 9 of 10")

    def value(self, value: float) -> str:
        """Write a value of the axis."""
        if self.axis == "epsilon":
            return epsilon_text(value)
        return power(value) if self.axis == "delta" else count(value)

    def _known(self, index: int) -> list[Medians]:
        """Return what is ranked and measured at a point."""
        every = self.summary.mechanisms
        return [m for m in every if m.ranked[index] and np.isfinite(m.captured[index])]

    def answer(self, index: int) -> str:
        """Say who keeps most at a point, and how many reach the target."""
        at, known = f"At [[{self.labels[index]}]]", self._known(index)
        every = self.summary.mechanisms
        if not any(m.ranked[index] for m in every) and all(m.line.guarantees for m in every):
            return f"{at} none of these mechanisms is proved to meet the budget."
        if not known:
            return f"{at} nothing is measured yet …"
        chance = self.chances[index].captured
        said = f"{at} {who_keeps_most(known, index, chance)}"
        needs = [m.needed for m in known if m.needed is not None]
        if not needs or not self.has_needed or all_lost(known, index, chance):
            return f"{said}."
        found = TargetCount.at(self.study.values[index], needs, needs, len(self.summary.ranked))
        return f"{said}; {found.sentence(self.target)}."

    def recommendation(self, index: int) -> str:
        """Say what keeps most by public settings alone, and where measurements say otherwise."""
        asked, known = self.asked.at(self.study.values[index]), self._known(index)
        rule = recommended(self.data, asked, 1.0).for_any_number
        said = f"By columns, k, ε and δ alone, without a look at the data: {rule} {MAY_DIFFER}"
        named = recommended(self.data, asked).keeps_most
        for own in [m for m in known if m.mechanism == named and self.study.complete]:
            others, mine = [m for m in known if m is not own], own.line.releases(index)
            above = [m for m in others if better(m.line.releases(index), mine, among=len(others))]
            for best in sorted(above, key=lambda m: m.captured[index])[-1:]:
                each = [len(m.line.releases(index)) for m in known]
                basis = releases_each(min(each), max(each))
                return (
                    f"{said} Measured here at {self.labels[index]} ({basis}), it does: "
                    f"{best.mechanism.name} keeps more than {named.name}."
                )
        return said

    def cells(self, m: Medians, index: int) -> list[str]:
        """Write what a row says at a point: kept, turned, and what holds."""
        guarantee, line = m.guarantee(index), m.line
        if guarantee is None:
            note = line.notes.get(index, "") if line.guarantees else ""
            return ["", "", note and f"no release: {note}"]
        holds = "not private: the preparation reads the data"
        if self.data.private:
            total = self.data.total_guarantee(guarantee, self.study.budgets[index])
            holds = f"{LABELS[total.standing][0].lower()}: {short_guarantee(total)}"
        median, sine, refused = m.captured[index], m.sin_theta[index], float(m.refusals[index])
        kept = turned = ""
        if refused > MOST_REFUSED:
            kept = f"refuses {percent(refused)} of the time"
        elif line.not_simulated(index):
            kept = "takes too long to be simulated"
        elif np.isfinite(median):
            share = ">\u00a099\u00a0%" if median >= MORE_THAN_99 else f"{median * 100:.0f}\u00a0%"
            kept = f"**{share}** {interval(line.releases(index))}".strip()
        if np.isfinite(sine):
            turned = f"{sine:.2f}"
            values = line.sin_theta[index][line.done[index]]
            if np.isfinite(values).all() and (found := median_interval(values)):
                turned += f" ({found.low:.2f}–{found.high:.2f})"
        return [kept, turned, holds]

    def needed(self, m: Medians) -> str:
        """Write the smallest ε, or n, from which on the target is kept in 9 of 10 releases."""
        if not self.has_needed or m.mechanism.role == "baseline":
            return ""
        of_people = self.axis == "n"
        return needed_label(m.needed, lambda v: self.value(round_up(v) if of_people else v))

    @property
    def footer(self) -> str:
        """What was compared, how often, and what the numbers mean."""
        said = f"{self.settings} In parentheses: 95\u00a0% confidence intervals of medians."
        if not self.has_needed:
            return said
        trials = min(self.study.curves.trials.values())
        basis = releases_per_point(trials)
        how = f"surely kept ({CONFIDENCE_LEVEL}, {basis}), or after “about” by estimate"
        if trials < fewest(NINE_OF_TEN) or self.data.mean_share > 0:
            how = f"kept by estimate ({basis})"
        return f"{said} {self.heads[-1]}: from there on it is {how}."

    @property
    def settings(self) -> str:
        """What was compared, and how often."""
        data, asked, trials = self.data, self.asked, self.study.curves.trials.values()
        fixed = {
            "epsilon": f"ε\u00a0=\u00a0{epsilon_text(asked.epsilon)}",
            "delta": f"δ\u00a0=\u00a0{power(asked.delta)}",
            "k": f"k\u00a0=\u00a0{asked.k}",
        }
        said = ", ".join(text for name, text in fixed.items() if name != self.axis)
        each = f"{min(trials)}" if min(trials) == max(trials) else f"{min(trials)} to {max(trials)}"
        return (
            f"{data.public_name}, {count(asked.n)} {data.unit.many} × {data.d} columns, {said}; "
            f"{neighbours(asked.adjacency, data.unit.one)}; {each} releases per point, seed "
            f"{asked.seed}."
        )
