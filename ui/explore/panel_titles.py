"""Titles of the Explore page's panels: a comparison is made only beyond sampling error."""

from collections.abc import Sequence
from math import asin, degrees, sqrt

import numpy as np

from dpca_core.analysis.order_statistics import better, median_interval, no_better_than_chance
from dpca_core.analysis.reliability import Reliability
from dpca_core.analysis.requirements import PeopleNeeded
from dpca_core.linalg.arrays import Array
from dpca_core.text.privacy_numbers import epsilon_text
from ui.explore.reliability import Angles, angles_of_sines, chance_angle
from ui.explore.summary import DOTS, MechanismSummary, Summary
from ui.state.slider_stops import EPSILON_STOPS
from ui.text.numbers import (
    CONFIDENCE,
    count,
    degree_text,
    percent,
    percent_floor,
    percent_range,
    rounded_count,
    significant,
    subspace_name,
)

STAYS, RECOGNISABLE = 18.0, 32.0
"""Degrees up to which a subspace stays, and up to which it can still be recognised: congruences
.95 and .85 (Lorenzo-Seva & ten Berge 2006)."""
MOST_OF = 0.9
"""Share of the people there are from which on a number of them is called all."""
ALIKE = 0.1
"""Share of its weight by which a direction may stand above the next and carry nearly the same."""


def epsilon_label(i: int) -> str:
    """Return "ε = 0.1" for stop i."""
    return f"ε\u00a0=\u00a0{epsilon_text(EPSILON_STOPS[i])}"


def reaches(row: MechanismSummary, i: int) -> bool:
    """Tell whether a ranked mechanism keeps the target in 9 of 10 releases at stop i."""
    needed = None if row.needed is None else row.needed.epsilon
    return bool(row.ranked[i]) and needed is not None and needed <= EPSILON_STOPS[i]


def angle_verdict(half: float) -> str:
    """Say what a median angle in degrees means for a subspace: word and number are of one."""
    shown = float(f"{half:.0f}")
    if shown <= STAYS:
        return f"stays: half of the releases are within {degree_text(half)}"
    word = "turns, but is recognisable" if shown <= RECOGNISABLE else "is lost"
    return f"{word}: half are off by {degree_text(half)} or more"


def releases_so_far(values: Array) -> str:
    """Say how many releases there are, while they are too few for a bound on 19 of 20."""
    found = len(values)
    return f" ({found} {'release' if found == 1 else 'releases'} so far)" if found else ""


class PanelTitles:
    """The titles of one query, by number of the ε stop."""

    def __init__(self, summary: Summary) -> None:
        self.summary, self.query = summary, summary.study.query
        self.dataset = summary.study.dataset
        self.space, self.name = subspace_name(self.query.k), self.query.mechanism.name

    @property
    def chosen(self) -> MechanismSummary:
        """Chosen mechanism's numbers."""
        return self.summary.chosen

    def none(self, i: int) -> str:
        """Say why there is nothing to show at a stop."""
        if self.chosen.not_simulated[i]:
            return "Not simulated here"
        return "Nothing is released" if i in self.chosen.measured.notes or (
            self.chosen.refusals[i] > 0
        ) else "Drawing the first releases …"  # fmt: skip

    def kept(self, i: int) -> str:
        """Title of the first panel: who keeps how much."""
        median, chance = self.chosen.captured[i], self.summary.random.captured
        if not np.isfinite(median):
            return self.none(i)
        own = self.chosen.releases(i)
        rivals = [r for r in self.summary.ranked if r.ranked[i] and np.isfinite(r.captured[i])]
        others = [r for r in rivals if r is not self.chosen]
        lost = no_better_than_chance(own, chance)
        random = f"directions drawn at random ({percent(chance)})"
        if lost and all(no_better_than_chance(r.releases(i), chance) for r in others):
            alone = _no_better(self.name, random)
            return f"No mechanism does better than {random}" if others else alone
        good = [r for r in rivals if r.captured[i] >= 0.99 and _surely(r.releases(i), 0.99)]
        if len(good) >= 3:
            return f"{len(good)} of {len(self.summary.ranked)} mechanisms keep 99\u00a0% or more"
        best = max(others, key=lambda r: r.captured[i], default=None)
        if best is not None and better(best.releases(i), own, among=len(others)):
            mine = "no more than chance" if lost else percent(median)
            head = f"{best.mechanism.name} would keep {percent(best.captured[i])}, "
            return f"{head}{self.name} keeps {mine}"
        if lost:
            return _no_better(self.name, random)
        first = self._beats(own, others, i)
        title = f"{self.name} keeps {'the most, ' if first else ''}{percent(median)}"
        alike = [r for r in others if first and no_better_than_chance(r.releases(i), chance)]
        return f"{title}; {_names(alike)} no more than chance" if 0 < len(alike) < 3 else title

    def _beats(self, own: Array, others: Sequence[MechanismSummary], i: int) -> bool:
        among = max(1, len(others))
        return bool(others) and all(better(own, r.releases(i), among=among) for r in others)

    def angles(self, i: int) -> Angles | None:
        """Say how far releases turn at stop i; None while only bounds are known."""
        found = self.summary.study.reliability.at(i)
        if found is not None and found.turns is not None:
            return found.turns
        if self.query.k == 1 and np.isfinite(self.chosen.sin_theta[i]):
            measured = self.chosen.measured
            return angles_of_sines(measured.sin_theta[i][measured.done[i]])
        return None

    def turned(self, i: int) -> str:
        """Title of the second panel: whether the subspace turns, in degrees."""
        turn = self.chosen.sin_theta[i]
        if not np.isfinite(turn):
            return self.none(i)
        found = self.angles(i)
        if found is not None:
            return f"The {self.space} {angle_verdict(found.half)}"
        # The largest of k sines is at least the root of their mean square: no verdict yet.
        least = np.floor(degrees(asin(min(1.0, turn / sqrt(self.query.k)))))
        known = f": at least {least:.0f}° in half of the releases" if least >= 1 else ""
        return f"How far the {self.space} turns{known}"

    def sin_dots(self, i: int) -> str:
        """Say how far half the releases turn, and how far 9 of 10."""
        found = self.angles(i) if np.isfinite(self.chosen.sin_theta[i]) else None
        if found is None:
            return "How far the releases turn" if np.isfinite(self.chosen.sin_theta[i]) else ""
        chance = chance_angle(self.summary.study.problem.d, self.query.k)
        return (
            f"Half of the releases are off by {degree_text(found.half)} or more; 9 of 10 by no "
            f"more than {degree_text(found.most)} (chance: {degree_text(chance)})"
        )

    def noise(self, i: int) -> str:
        """Title of the third panel: noise against gap."""
        ratio = self.summary.noise_over_gap(i)
        if ratio is None or self.chosen.noise is None:
            return f"{self.name} {self.query.mechanism.noise_description}"
        k, size = self.query.k, significant(float(self.chosen.noise[i]), 3)
        gap = significant(self.summary.gap, 3)
        sizes = f"Noise {size}\u00a0{self.dataset.unit.many}, gap {gap}"
        # Davis and Kahan: noise of norm r gaps turns the span by sin ≤ r/(1 − r).
        sine = ratio / (1 - ratio) if ratio < 0.5 else 1.0
        apart = sine <= np.sin(np.radians(STAYS))
        return f"{sizes}: directions {k} and {k + 1} {'stay apart' if apart else 'can mix'}"

    def spectrum(self, i: int) -> str:
        """Say where the last direction kept stands, and why the share may stay all the same."""
        values, k = self.summary.study.problem.spectrum, self.query.k
        gap, found = self.summary.gap, self.angles(i)
        kept = self.chosen.captured[i]
        turned = found is not None and found.half > STAYS
        if turned and np.isfinite(kept) and kept >= 0.9 and gap <= ALIKE * values[k - 1]:
            return (
                f"Directions {k} and {k + 1} carry nearly the same variation: mixing them changes "
                f"little of what is kept, but direction {k} itself is lost"
                if self._lost(i)
                else f"Directions {k} and {k + 1} carry nearly the same variation: mixing them "
                "changes little of what is kept"
            )
        many = self.dataset.unit.one if gap == 1 else self.dataset.unit.many
        return f"Direction {k} stands {significant(gap, 3)}\u00a0{many} above direction {k + 1}"

    def _lost(self, i: int) -> bool:
        found = self.summary.study.reliability.at(i)
        if found is None or not found.directions.ordered:
            return False
        return found.directions.directions[-1].level is Reliability.LOST

    def ladder(self, i: int) -> str:
        """Title of the fourth panel: how many mechanisms reach the target."""
        if len(self.summary.ranked) < 2:
            return f"At {epsilon_label(i)}, the other mechanisms are being measured: which keep {{target}}?"
        able = sum(reaches(r, i) for r in self.summary.ranked)
        every = len(self.summary.ranked)
        who = f"{able or 'none'} of {every} mechanisms"
        if all(r.needed is not None and r.needed.certain for r in self.summary.ranked):
            does = f"{who} {'is' if able < 2 else 'are'} shown to keep"
        else:
            does = f"about {who} {'keeps' if able < 2 else 'keep'}"
        return f"At {epsilon_label(i)}, {does} {{target}} in 9 of 10 releases"

    def ladder_sub(self, i: int, people: PeopleNeeded | None) -> str:
        """Both inverse questions for the chosen mechanism."""
        needed, target = self.chosen.needed, percent_floor(self.summary.target)
        if needed is None:
            return ""
        if self.query.mechanism.family == "baseline":
            return f"{self.name} does not depend on ε."
        first = (
            f"{self.name} is not shown to keep {target} in 9 of 10 releases by ε\u00a0=\u00a0100"
            if needed.epsilon is None
            else f"{'' if needed.certain else 'About '}**ε\u00a0=\u00a0"
            f"{epsilon_text(needed.epsilon)}** keeps {target} in 9 of 10 releases"
            f"{CONFIDENCE if needed.certain else ''}"
        )
        if people is None or people.n is None:
            return f"{first}."
        about = "" if people.certain else "about "
        many, have = self.dataset.unit.many, f"you have {count(self.query.n)}"
        if MOST_OF < people.n / self.query.n <= 1:
            # Rounded up it would be more than there are.
            return f"{first}; at {epsilon_label(i)} it takes {about}**all {count(self.query.n)} {many}**."
        return f"{first}; at {epsilon_label(i)} it takes {about}**{rounded_count(people.n)} {many}** ({have})."

    def dots(self, i: int) -> str:
        """Count the releases that reach the target, of those that are drawn as dots."""
        if not np.isfinite(self.chosen.captured[i]):
            return self.none(i)
        values, target = self.chosen.releases(i), percent_floor(self.summary.target)
        shown = values[:DOTS]
        kept, refused = int((shown >= self.summary.target).sum()), int(np.isnan(shown).sum())
        verb = "keeps" if kept == 1 else "keep"
        some = "release" if len(shown) == 1 else "releases"
        rest = f" ({refused} refused)" if refused else ""
        if len(values) < DOTS:
            return f"{kept} of {len(shown)} {some} so far {verb} {target} or more{rest}"
        return f"{kept} of the first {DOTS} releases {verb} {target} or more{rest}"

    def dots_sub(self, i: int) -> str:
        """Say what a dot is, and how well the median of all releases is known."""
        values = self.chosen.releases(i)
        if not np.isfinite(self.chosen.captured[i]):
            return ""
        each = "each dot is one release"
        if len(values) > DOTS:
            each = f"each dot is one of the first {DOTS} of {len(values)} releases"
        found = median_interval(values)
        if found is None or found.low < 0:
            return each
        median = percent(float(np.nanmedian(values)))
        return f"{each}; median {median} (95\u00a0% interval {percent_range(*found)})"


def _no_better(name: str, random: str) -> str:
    return f"{name} does no better than {random}"


def _surely(values: Array, share: float) -> bool:
    found = median_interval(values)
    return found is not None and found.low >= share


def _names(rows: Sequence[MechanismSummary]) -> str:
    names = [r.mechanism.name for r in rows]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
