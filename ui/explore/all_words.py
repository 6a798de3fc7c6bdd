"""What Explore says of all mechanisms: a difference is stated only beyond sampling error."""

import numpy as np

from dpca_core.analysis.needed import round_up
from dpca_core.analysis.order_statistics import NINE_OF_TEN, better, fewest
from dpca_core.metrics import random_baseline, without_noise
from dpca_core.text.privacy_numbers import epsilon_text, power
from ui.explore.medians import MOST_REFUSED, Medians, Summary
from ui.explore.query import recommended
from ui.explore.text import all_lost, interval, say, settings_text, who_keeps_most
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


class AllWords:
    """The sentences of the view at its present stage, by number of the axis's value."""

    def __init__(self, summary: Summary) -> None:
        self.summary, self.study = summary, summary.study
        self.data, self.asked = summary.study.dataset, summary.study.asked
        self.axis, self.symbol = self.asked.axis, AXES[self.asked.axis]
        self.axis_title = say.table("axes", many=self.data.unit.many)[self.axis]
        self.target = percent_floor(summary.target)
        self.has_needed = self.axis in ("epsilon", "n")
        """Whether "from which value on" can be asked: of δ and k it cannot."""
        problems = [problem for problem, _ in self.study.points]
        self.chances = [random_baseline(problem) for problem in problems]
        """What random directions give at each point: another number for each k."""
        self.ceilings = np.array([without_noise(problem).captured for problem in problems])
        """What PCA without noise keeps at each point: below 1 where rows all have length 1."""
        self.labels = [f"{self.symbol}\u00a0=\u00a0{self.value(v)}" for v in self.study.values]
        needed = say("needed_head", symbol=self.symbol, target=self.target)
        self.heads = [*say.each("heads"), *([needed] if self.has_needed else [])]

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
        said = say("rule_of_thumb", rule=rule, may_differ=say("may_differ"))
        named = recommended(self.data, asked).keeps_most
        for own in [m for m in known if m.mechanism == named and self.study.complete]:
            others, mine = [m for m in known if m is not own], own.line.releases(index)
            above = [m for m in others if better(m.line.releases(index), mine, among=len(others))]
            for best in sorted(above, key=lambda m: m.captured[index])[-1:]:
                each = [len(m.line.releases(index)) for m in known]
                basis = releases_each(min(each), max(each))
                names = {"best": best.mechanism.name, "named": named.name}
                return said + say("differs", at=self.labels[index], basis=basis, **names)
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
        kept = ""
        if refused > MOST_REFUSED:
            kept = f"refuses {percent(refused)} of the time"
        elif line.not_simulated(index):
            kept = "takes too long to be simulated"
        elif np.isfinite(median):
            kept = f"**{percent(median)}** {interval(line.releases(index))}".strip()
        return [kept, f"{sine:.2f}" if np.isfinite(sine) else "", holds]

    def needed(self, m: Medians) -> str:
        """Write the smallest ε, or n, from which on the target is kept in 9 of 10 releases."""
        if not self.has_needed or m.mechanism.role == "baseline":
            return ""
        of_people = self.axis == "n"
        return needed_label(m.needed, lambda v: self.value(round_up(v) if of_people else v))

    @property
    def footer(self) -> str:
        """What was compared, how often, and what the numbers mean."""
        parentheses = "In parentheses: 95\u00a0% confidence intervals of medians."
        said = f"{settings_text(self.study)} {parentheses}"
        if not self.has_needed:
            return said
        trials = min(self.study.curves.trials.values())
        basis = releases_per_point(trials)
        how = f"surely kept ({CONFIDENCE_LEVEL}, {basis}), or after “about” by estimate"
        if trials < fewest(NINE_OF_TEN) or self.data.draws:
            how = f"kept by estimate ({basis})"
        return f"{said} {self.heads[-1]}: from there on it is {how}."
