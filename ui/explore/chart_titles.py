"""Titles of the Explore page's panels: a comparison is made only beyond sampling error."""

from collections.abc import Sequence
from math import asin, degrees, sqrt

import numpy as np

from dpca_core.analysis.needed import PeopleNeeded
from dpca_core.analysis.order_statistics import better, median_interval, no_better_than_chance
from dpca_core.analysis.reliability import Reliability
from dpca_core.linalg.arrays import Array
from dpca_core.simulation.perturbation import tied
from dpca_core.text.listed import listed
from dpca_core.text.privacy_numbers import epsilon_text
from ui.explore.reliability import Angles, angles_of_sines, chance_angle
from ui.explore.reliability_text import RELIABLE_ANGLE, nine_of_ten_within, span_verdict
from ui.explore.summary import DOTS, MechanismSummary, Summary
from ui.state.slider_stops import EPSILON_STOPS
from ui.text.certainty import TargetCount, needed_epsilon_sentence
from ui.text.numbers import (
    count,
    degree_floor,
    degree_text,
    percent,
    percent_floor,
    percent_range,
    rounded_count,
    significant,
    subspace_name,
)

ALL_PEOPLE_FROM = 0.9
"""Share of the people there are from which on a number of them is called all."""
NEARLY_EQUAL = 0.1
"""Relative gap up to which two neighbouring directions carry nearly the same variation."""
MOST_KEEP = 0.99
"""Share kept from which on mechanisms are only counted, not compared."""


def epsilon_label(index: int) -> str:
    """Return "ε = 0.1"."""
    return f"ε\u00a0=\u00a0{epsilon_text(EPSILON_STOPS[index])}"


def releases_so_far(values: Array) -> str:
    """Say how many releases there are, while they are too few for a bound on 19 of 20."""
    found = len(values)
    return f" ({found} {'release' if found == 1 else 'releases'} so far)" if found else ""


class PanelTitles:
    """The titles and captions of one query's panels, by index of ε."""

    def __init__(self, summary: Summary) -> None:
        self.summary = summary
        self.query = summary.study.query
        self.unit = summary.study.dataset.unit
        self.name = self.query.mechanism.name
        self.space = subspace_name(self.query.k)

    @property
    def chosen(self) -> MechanismSummary:
        """Chosen mechanism's numbers."""
        return self.summary.chosen

    def nothing_to_show(self, index: int) -> str:
        """Say why there is nothing to show at one ε."""
        if self.chosen.not_simulated[index]:
            return "Not simulated here"
        if index in self.chosen.measured.notes or self.chosen.refusals[index] > 0:
            return "Nothing is released"
        return "Drawing the first releases …"

    def kept(self, index: int) -> str:
        """Title of the first panel: who keeps how much."""
        median, chance = self.chosen.captured[index], self.summary.random.captured
        if not np.isfinite(median):
            return self.nothing_to_show(index)
        own = self.chosen.releases(index)
        ranked = [m for m in self.summary.ranked if m.ranked[index]]
        ranked = [m for m in ranked if np.isfinite(m.captured[index])]
        others = [m for m in ranked if m is not self.chosen]
        lost = no_better_than_chance(own, chance)
        random = f"directions drawn at random ({percent(chance)})"
        alone = f"{self.name} does no better than {random}"
        if lost and all(no_better_than_chance(m.releases(index), chance) for m in others):
            return f"No mechanism does better than {random}" if others else alone
        good = [m for m in ranked if m.captured[index] >= MOST_KEEP]
        good = [m for m in good if _surely(m.releases(index), MOST_KEEP)]
        if len(good) >= 3:
            return f"{len(good)} of {len(self.summary.ranked)} mechanisms keep 99\u00a0% or more"
        best = max(others, key=lambda m: m.captured[index], default=None)
        if best is not None and better(best.releases(index), own, among=len(others)):
            mine = "no more than chance" if lost else percent(median)
            head = f"{best.mechanism.name} would keep {percent(best.captured[index])}"
            return f"{head}, {self.name} keeps {mine}"
        if lost:
            return alone
        first = self._beats(own, others, index)
        title = f"{self.name} keeps {'the most, ' if first else ''}{percent(median)}"
        no_better = [m for m in others if no_better_than_chance(m.releases(index), chance)]
        if first and 0 < len(no_better) < 3:
            return f"{title}; {_names(no_better)} no more than chance"
        return title

    def _beats(self, own: Array, others: Sequence[MechanismSummary], index: int) -> bool:
        among = max(1, len(others))
        return bool(others) and all(better(own, m.releases(index), among=among) for m in others)

    def angles(self, index: int) -> Angles | None:
        """Return how far releases are turned at one ε; None while only bounds are known."""
        found = self.summary.study.reliability.at(index)
        if found is not None and found.span_angles is not None:
            return found.span_angles
        if self.query.k == 1 and np.isfinite(self.chosen.sin_theta[index]):
            measured = self.chosen.measured
            return angles_of_sines(measured.sin_theta[index][measured.done[index]])
        return None

    def _level(self, index: int) -> Reliability:
        """Tell how reliable the span is: one verdict for the titles of all panels."""
        found = self.summary.study.reliability.at(index)
        return Reliability.UNKNOWN if found is None else found.directions.span

    def angle(self, index: int) -> str:
        """Title of the second panel: whether the span is reliable, in degrees."""
        sine = self.chosen.sin_theta[index]
        if not np.isfinite(sine):
            return self.nothing_to_show(index)
        found, judged = self.angles(index), self.summary.study.reliability.at(index)
        if found is not None and judged is not None:
            return span_verdict(judged.directions, self.space)
        if found is not None:
            return f"Half of the releases are off by {degree_floor(found.median)} or more"
        # The largest of k sines is at least the root of their mean square: no verdict yet.
        least = np.floor(degrees(asin(min(1.0, sine / sqrt(self.query.k)))))
        bound = f": half of the releases by {least:.0f}° or more (a lower bound)"
        return f"How far the {self.space} is turned{bound if least >= 1 else ''}"

    def angle_dots(self, index: int) -> str:
        """Say how far half of the releases are turned, and how far chance would turn them."""
        if not np.isfinite(self.chosen.sin_theta[index]):
            return ""
        found = self.angles(index)
        if found is None:
            return "How far the releases are turned"
        chance = chance_angle(self.summary.study.problem.d, self.query.k)
        judged = self.summary.study.reliability.at(index)
        most = "" if judged is None else nine_of_ten_within(judged.directions)
        return (
            f"Half of the releases are off by **{degree_floor(found.median)}** or more"
            f"{most and f'; 9 of 10 by no more than {most}'} (chance: {degree_text(chance)})"
        )

    def noise(self, index: int) -> str:
        """Title of the third panel: noise against gap, and what follows for the directions."""
        ratio = self.summary.noise_over_gap(index)
        if ratio is None or self.chosen.noise is None:
            return f"{self.name} {self.query.mechanism.does}"
        k, norm = self.query.k, significant(float(self.chosen.noise[index]), 3)
        sizes = f"Noise {norm}\u00a0{self.unit.many}, gap {significant(self.summary.gap, 3)}"
        pair, level = f"directions {k} and {k + 1}", self._level(index)
        # Davis and Kahan: noise of norm r gaps turns the span by sin ≤ r/(1 − r).
        sine = ratio / (1 - ratio) if ratio < 0.5 else 1.0
        apart = degrees(asin(min(1.0, sine))) <= RELIABLE_ANGLE
        if level is Reliability.RELIABLE or (level is Reliability.UNKNOWN and apart):
            return f"{sizes}: {pair} stay apart"
        if level is Reliability.UNKNOWN and ratio < 1:
            return sizes
        return f"{sizes}: {pair} can mix"

    def spectrum(self, index: int) -> str:
        """Say where the last direction kept stands, and why mixing it may cost little."""
        values, k, gap = self.summary.study.problem.spectrum, self.query.k, self.summary.gap
        kept, level = self.chosen.captured[index], self._level(index)
        mixed = level not in (Reliability.RELIABLE, Reliability.UNKNOWN)
        if tied(values, k):
            return f"A tie: directions {k} and {k + 1} carry the same variation, so chance decides"
        nearly_equal = gap <= NEARLY_EQUAL * values[k - 1]
        if mixed and np.isfinite(kept) and kept >= 0.9 and nearly_equal:
            lost = f", but direction {k} itself is lost" if self._lost(index) else ""
            return (
                f"Directions {k} and {k + 1} carry nearly the same variation: mixing them changes "
                f"little of what is kept{lost}"
            )
        many = self.unit.one if gap == 1 else self.unit.many
        return (
            f"Direction {k} carries {significant(gap, 3)}\u00a0{many} more than direction {k + 1}"
        )

    def _lost(self, index: int) -> bool:
        found = self.summary.study.reliability.at(index)
        if found is None or not found.directions.ordered:
            return False
        return found.directions.directions[-1].level is Reliability.LOST

    def mechanisms(self, index: int) -> str:
        """Title of the fourth panel: how many mechanisms reach the target."""
        at, ranked = f"At {epsilon_label(index)}", self.summary.ranked
        if len(ranked) < 2:
            return f"{at}, the other mechanisms are being measured: which keep {{target}}?"
        known = [(m, m.needed) for m in ranked if m.needed is not None and m.needed.releases]
        if not known:
            return f"{at}, the mechanisms are being measured: which keep {{target}}?"
        here = [needed for m, needed in known if m.ranked[index]]
        every = [needed for _, needed in known]
        found = TargetCount.at(EPSILON_STOPS[index], here, every, len(ranked))
        return f"{at}, {found.sentence('{target}', ' mechanisms')}"

    def needed(self, index: int, people: PeopleNeeded | None) -> str:
        """Say which ε, and how many people, the chosen mechanism needs for the target."""
        needed, target = self.chosen.needed, percent_floor(self.summary.target)
        if needed is None:
            return ""
        if self.query.mechanism.role == "baseline":
            return f"{self.name} does not depend on ε."
        first = needed_epsilon_sentence(self.name, needed, f"{target} in 9 of 10 releases")
        if people is None or people.n is None:
            return f"{first}."
        return f"{first}; at {epsilon_label(index)} {self._enough(people, people.n)}."

    def _enough(self, people: PeopleNeeded, n: float) -> str:
        # Fewer may do: the ε that is enough is one of those measured, so n is no less than needed.
        about, how = (
            ("", "are surely enough") if people.certain else ("about ", "are enough by estimate")
        )
        have = count(self.query.n)
        if ALL_PEOPLE_FROM < n / self.query.n <= 1:
            # Rounded up it would be more than there are.
            return f"{about}**all {have} {self.unit.many}** {how}"
        return f"{about}**{rounded_count(n)} {self.unit.many}** {how} (you have {have})"

    def dots(self, index: int) -> str:
        """Count the releases that reach the target, of those that are drawn as dots."""
        if not np.isfinite(self.chosen.captured[index]):
            return self.nothing_to_show(index)
        values, target = self.chosen.releases(index), percent_floor(self.summary.target)
        shown = values[:DOTS]
        kept, refused = int((shown >= self.summary.target).sum()), int(np.isnan(shown).sum())
        verb = "keeps" if kept == 1 else "keep"
        noun = "release" if len(shown) == 1 else "releases"
        rest = f" ({refused} refused)" if refused else ""
        if len(values) < DOTS:
            return f"{kept} of {len(shown)} {noun} so far {verb} {target} or more{rest}"
        return f"{kept} of the first {DOTS} releases {verb} {target} or more{rest}"

    def dots_caption(self, index: int) -> str:
        """Say what a dot is, and how well the median of all releases is known."""
        values = self.chosen.releases(index)
        if not np.isfinite(self.chosen.captured[index]):
            return ""
        each = "each dot is one release"
        if len(values) > DOTS:
            each = f"each dot is one of the first {DOTS} of {len(values)} releases"
        found = median_interval(values)
        if found is None or found.low < 0:
            return each
        median = percent(float(np.nanmedian(values)))
        return f"{each}; median {median} (95\u00a0% interval {percent_range(*found)})"


def _surely(values: Array, share: float) -> bool:
    found = median_interval(values)
    return found is not None and found.low >= share


def _names(mechanisms: Sequence[MechanismSummary]) -> str:
    return listed([m.mechanism.name for m in mechanisms])
