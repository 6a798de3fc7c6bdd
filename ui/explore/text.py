"""What Explore says of one mechanism; sentences have **bold** and [[accented]] words.

A comparison is made only beyond sampling error, a bound is rounded to its safe side, and whatever
still moves says "so far".
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import acos, asin, ceil, degrees, sqrt

import numpy as np

from dpca_core.analysis.needed import PeopleNeeded
from dpca_core.analysis.order_statistics import (
    NINETEEN_OF_TWENTY,
    better,
    fewest,
    lower_bound,
    median_interval,
    no_better_than_chance,
)
from dpca_core.analysis.reliability import (
    EQUAL,
    SIMILAR,
    DirectionReliability,
    Reliabilities,
    Reliability,
)
from dpca_core.audit.absence import proves_absence
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.registry import NON_PRIVATE, SMOOTH_PRINTED
from dpca_core.privacy.budget import Guarantee, Notion, Standing
from dpca_core.privacy.sensitivity import local_sensitivity
from dpca_core.runtime.cached_property import cached_property
from dpca_core.simulation.perturbation import tied
from dpca_core.text.guarantee_sentences import between, neighbours, promise
from dpca_core.text.listed import listed
from dpca_core.text.privacy_numbers import epsilon_text, power, upward
from ui.explore.medians import DOTS, Medians, Summary
from ui.explore.reliability import Angles, angles_of_sines, chance_angle
from ui.server.scheduler import is_heavy
from ui.state.slider_stops import EPSILON_STOPS
from ui.text.certainty import TargetCount, needed_epsilon_sentence
from ui.text.noise import MOST_REFUSED
from ui.text.numbers import (
    count,
    degree_ceil,
    degree_floor,
    degree_text,
    percent,
    percent_floor,
    percent_range,
    rounded_count,
    significant,
    subspace_name,
)
from ui.text.odds import LABELS, UNPAID, odds, short_odds

ENOUGH_FOR_BOUND = fewest(NINETEEN_OF_TWENTY)
"""Releases from which on a bound for 19 of 20 can be stated with confidence."""
ALL_PEOPLE_FROM = 0.9
"""Share of the people there are from which on a number of them is called all."""
NEARLY_EQUAL = 0.1
"""Relative gap up to which two neighbouring directions carry nearly the same variation."""
MOST_KEEP = 0.99
"""Share kept from which on mechanisms are only counted, not compared."""
CLAIM_TOLERANCE = 0.005
"""Relative difference from which on a paper's ε is shown beside the true one."""
LEAST_TURN = 1.0
"""Degrees from which on it is said that centring would turn the directions."""
RELIABLE_ANGLE, RECOGNISABLE_ANGLE = (degrees(acos(cosine)) for cosine in (EQUAL, SIMILAR))
"""Degrees up to which directions count as reliable, and as recognisable: 18° and 32°."""
NO_PRIVACY = "Ordinary PCA keeps everything and protects nobody."
LARGE_DELTA = " Under so weak a promise somebody’s record may simply be published."
DRAWING = "Drawing the first releases …"
SO_FAR = " so far"

SUBTITLES = {
    "kept": "variation kept, relative to PCA, in %; bands: 50, 80 and 95\u00a0% of releases",
    "sin": "‖sin\u00a0Θ‖_F between released and true {space}; 0 = the same",
    "noise": "largest effect of the noise on any direction (its spectral norm), in {many}",
    "spectrum": "eigenvalues of S, in {many}; filled: kept; band: the noise’s largest effect",
}
"""What each chart shows, with its axes and units."""


def epsilon_label(index: int) -> str:
    """Return "ε = 0.1"."""
    return f"ε\u00a0=\u00a0{epsilon_text(EPSILON_STOPS[index])}"


@dataclass(frozen=True)
class ExploreText:
    """The sentences of one summary, by index of ε."""

    summary: Summary

    @property
    def chosen(self) -> Medians:
        """The chosen mechanism's numbers."""
        return self.summary.chosen

    @property
    def name(self) -> str:
        """The chosen mechanism's name."""
        return self.chosen.mechanism.name

    @cached_property
    def space(self) -> str:
        """Direction, plane or subspace."""
        return subspace_name(self.summary.study.asked.k)

    def sub(self, chart: str) -> str:
        """Say what a chart shows."""
        many = self.summary.study.dataset.unit.many
        return SUBTITLES[chart].format(space=self.space, many=many)

    # --- The headline, and what stands under it ---

    def answer(self, index: int) -> str:
        """Say what a release keeps and what is wrong with it, in one sentence."""
        return self.refusal(index) or self._measured(index)

    def _measured(self, index: int) -> str:
        at = f"At [[{epsilon_label(index)}]]"
        median, random = self.chosen.captured[index], self.summary.random.captured
        if not np.isfinite(median):
            return f"{at}: {DRAWING[0].lower()}{DRAWING[1:]}"
        if self.chosen.mechanism == NON_PRIVATE:
            return NO_PRIVACY
        if self.chosen.mechanism.role == "baseline":
            return f"Directions drawn at random keep **{percent(random)}** of the variation."
        values = self.chosen.releases(index)
        lost, wrong = no_better_than_chance(values, random), self._wrong_promise(index)
        if lost:
            text = f"{at} a release does no better than directions drawn at random "
            text += f"({percent(random)})"
        else:
            text = f"{at} a release keeps **{percent(median)}** of the variation an ordinary "
            text += "PCA finds"
        text += self._so_far(values)
        if wrong:
            text += f"{', and' if lost else ', but'} {wrong}"
        elif not lost:
            text += _bound(values) + self._directions(index)
        return f"{text}.{LARGE_DELTA if self._large_delta(index) else ''}"

    def _so_far(self, values: Array) -> str:
        """Say on how many releases a number rests, while it may still move."""
        curves, found = self.summary.study.curves, len(values)
        if found >= curves.trials[self.chosen.mechanism]:
            return ""
        return f" ({found} {'release' if found == 1 else 'releases'}{SO_FAR})"

    def _directions(self, index: int) -> str:
        """Say which directions survive, and which are mostly the mean."""
        study, numbers = self.summary.study, self.mean_directions
        found = study.reliability.at(index)
        text = "" if found is None else surviving_directions(found.directions, self.space)
        if numbers:
            be, one = "is" if len(numbers) == 1 else "are", study.dataset.unit.one
            text += f"; {directions_by_number(numbers)} {be} mostly the average {one}"
        return text

    @property
    def mean_directions(self) -> list[int]:
        """Directions that are mostly the mean row, by number; of wide tables not at once."""
        study = self.summary.study
        return study.mean_directions if study.stage > 1 or not is_heavy(study.problem.d) else []

    def _wrong_promise(self, index: int) -> str:
        """Say what is wrong with the promise, to follow "but"; "" where it holds."""
        if not self.summary.study.dataset.private:
            return "its preparation reads the data before any noise: no promise holds"
        guarantee = self.chosen.guarantee(index)
        if guarantee is None:
            return ""
        match guarantee.standing:
            case Standing.REFUTED:
                return f"its promise is false{self._proofs_of_absence(guarantee)}"
            case Standing.UNCERTIFIED:
                return "nothing is proved about its privacy"
            case Standing.WEAKER:
                return self._weaker_promise(index, guarantee)
        return ""

    def _proofs_of_absence(self, guarantee: Guarantee) -> str:
        """Say how many of 100 results prove that somebody is absent; "" where none can."""
        if not proves_absence(self.chosen.mechanism):
            return ""
        proofs = round(100 * guarantee.delta)
        if proofs < 1:
            return ": some results prove that somebody is absent"
        verb = "proves" if proofs == 1 else "prove"
        return f": about **{proofs} of 100** results {verb} that somebody is absent"

    def _claim(self, index: int) -> Guarantee | None:
        return self.chosen.mechanism.claim(*self.summary.study.points[index])

    def _weaker_promise(self, index: int, true: Guarantee) -> str:
        """Set the paper's ε beside the true one."""
        claim = self._claim(index)
        if claim is None or true.epsilon <= claim.epsilon * (1 + CLAIM_TOLERANCE):
            return "less is proved than its paper claims"
        promised, holds = epsilon_text(claim.epsilon), upward(true.epsilon)
        return f"the paper promises ε\u00a0=\u00a0{promised}; what holds is **{holds}**"

    def total(self, index: int) -> Guarantee | None:
        """Return the guarantee of mechanism and preprocessing together; None where infeasible."""
        guarantee, study = self.chosen.guarantee(index), self.summary.study
        if guarantee is None:
            return None
        return study.dataset.total_guarantee(guarantee, study.asked.at(EPSILON_STOPS[index]).budget)

    def _large_delta(self, index: int) -> bool:
        """Tell whether δ reaches one in the number of people, under a promise that has a δ."""
        guarantee = self.total(index)
        if guarantee is None or guarantee.standing is Standing.REFUTED:
            return False
        spends = guarantee.notion in (Notion.APPROXIMATE, Notion.LOCAL)
        return spends and guarantee.delta * self.summary.study.asked.n >= 1

    def refusal(self, index: int) -> str | None:
        """Say that nothing, or not reliably anything, is released; None otherwise."""
        at = f"At [[{epsilon_label(index)}]]"
        note = self.chosen.line.notes.get(index)
        if note:
            return f"{at} {note}" if self.chosen.not_simulated(index) else note
        share = float(self.chosen.refusals[index])
        if share <= MOST_REFUSED:
            return None
        mechanism, tries = self.chosen.mechanism, round(100 * share)
        often = "no answer" if tries == 100 else f"no answer in {tries} of 100 tries"
        first = self._first_answered()
        later = "" if first is None else f" From **{epsilon_label(first)}** it answers 9 in 10."
        return f"{at} {mechanism.name} gives **{often}**: {mechanism.refuses}.{later}"

    def _first_answered(self) -> int | None:
        """Return the first measured stop of ε above every one that mostly refuses."""
        measured = np.flatnonzero(self.chosen.line.done.any(axis=1))
        refusing = measured[self.chosen.refusals[measured] > MOST_REFUSED]
        answered = measured[measured > refusing.max(initial=-1)]
        return int(answered[0]) if len(answered) else None

    def odds(self, index: int) -> str:
        """Bound the chance of a right guess about one person, rounded up."""
        data = self.summary.study.dataset
        return odds(self.total(index), data.unit.one, private=data.private)

    def standing(self, index: int) -> str:
        """Say how well the guarantee is established, with the paper's claim if that differs."""
        data, guarantee = self.summary.study.dataset, self.total(index)
        if not data.private:
            return f"**NOT PRIVATE**: {UNPAID}."
        if guarantee is None:
            return "**NO RELEASE**"
        line = f"{promise(guarantee)}, {between(guarantee, data.unit.one)}"
        claim = self._claim(index)
        if claim is not None:
            ratio = claim.epsilon / max(guarantee.epsilon, 1e-300)
            if abs(ratio - 1) > CLAIM_TOLERANCE:
                line += f"; the paper claims ε\u00a0=\u00a0{epsilon_text(claim.epsilon)}"
        reason = " ".join(x for x in (guarantee.erratum, f"Source: {guarantee.source}.") if x)
        return f"**{LABELS[guarantee.standing][0]}**: {line}. {reason}"

    def beside_rule(self, index: int) -> str:
        """Say in a few words what survives, and how often a guess about one person is right."""
        return f"{self._survives(index)} · {short_odds(self.total(index), private=self._private)}"

    @property
    def _private(self) -> bool:
        return self.summary.study.dataset.private

    def _survives(self, index: int) -> str:
        found, median = self.summary.study.reliability.at(index), self.chosen.captured[index]
        if not np.isfinite(median):
            return "no release" if self.refusal(index) else "…"
        if found is None or found.directions.span is Reliability.UNKNOWN:
            return f"keeps **{percent(median)}**"
        if not found.directions.ordered:
            lost = found.directions.span is Reliability.LOST
            return f"the {self.space} {'is **lost**' if lost else '**survives**'}"
        levels = [d.level for d in found.directions.directions]
        alive = sum(level is not Reliability.LOST for level in levels)
        if alive in (0, len(levels)):
            all_of = {1: "the direction", 2: "both directions"}.get(len(levels), "all directions")
            return (
                f"{all_of} **survive{'s' if len(levels) == 1 else ''}**"
                if alive
                else ("**no** direction survives")
            )
        return f"**{alive} of {len(levels)}** directions survive{'s' if alive == 1 else ''}"

    # --- Titles of charts ---

    def nothing_to_show(self, index: int) -> str:
        """Say why there is nothing to show at one ε."""
        if self.chosen.not_simulated(index):
            return "Not simulated here"
        if index in self.chosen.line.notes or self.chosen.refusals[index] > 0:
            return "Nothing is released"
        return DRAWING

    def kept(self, index: int) -> str:
        """Title of the first chart: who keeps how much."""
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
            mine, theirs = percent(median), percent(best.captured[index])
            if not lost and theirs == mine:
                return f"{self.name} keeps {mine}, {best.mechanism.name} a little more"
            mine = "no more than chance" if lost else mine
            return f"{best.mechanism.name} would keep {theirs}, {self.name} keeps {mine}"
        if lost:
            return alone
        first = _beats(own, [m.releases(index) for m in others])
        title = f"{self.name} keeps {'the most, ' if first else ''}{percent(median)}"
        no_better = [m for m in others if no_better_than_chance(m.releases(index), chance)]
        if first and 0 < len(no_better) < 3:
            names = listed([m.mechanism.name for m in no_better])
            return f"{title}; {names} no more than chance"
        return title

    def dots(self, index: int) -> str:
        """Count the releases that reach the target, of those that are drawn as dots."""
        if not np.isfinite(self.chosen.captured[index]):
            return self.nothing_to_show(index)
        values, target = self.chosen.releases(index), percent_floor(self.summary.target)
        shown = values[:DOTS]
        kept, refused = int((shown >= self.summary.target).sum()), int(np.isnan(shown).sum())
        verb = "keeps" if kept == 1 else "keep"
        rest = f" ({refused} refused)" if refused else ""
        if len(values) < DOTS:
            noun = "release" if len(shown) == 1 else "releases"
            return f"{kept} of {len(shown)} {noun}{SO_FAR} {verb} {target} or more{rest}"
        return f"{kept} of the first {DOTS} releases {verb} {target} or more{rest}"

    def dots_sub(self, index: int) -> str:
        """Say what a dot is, and between what the median of all releases surely lies."""
        values = self.chosen.releases(index)
        if not np.isfinite(self.chosen.captured[index]):
            return ""
        each, found = "a dot: a release", median_interval(values)
        if found is None or found.low < 0:
            return each
        return f"{each}; median of all {len(values)}: {percent_range(*found)}"

    def angles(self, index: int) -> Angles | None:
        """Return how far releases are turned at one ε; None while only bounds are known."""
        found = self.summary.study.reliability.at(index)
        if found is not None and found.span_angles is not None:
            return found.span_angles
        if self.summary.study.asked.k == 1 and np.isfinite(self.chosen.sin_theta[index]):
            line = self.chosen.line
            return angles_of_sines(line.sin_theta[index][line.done[index]])
        return None

    def _level(self, index: int) -> Reliability:
        """Tell how reliable the span is: one verdict for the titles of all charts."""
        found = self.summary.study.reliability.at(index)
        return Reliability.UNKNOWN if found is None else found.directions.span

    def angle(self, index: int) -> str:
        """Title of the second chart: whether the span is reliable, in degrees."""
        sine = self.chosen.sin_theta[index]
        if not np.isfinite(sine):
            return self.nothing_to_show(index)
        found, judged = self.angles(index), self.summary.study.reliability.at(index)
        if found is not None and judged is not None:
            return span_verdict(judged.directions, self.space)
        if found is not None:
            return f"Half of the releases are off by {degree_floor(found.median)} or more"
        # The largest of k sines is at least the root of their mean square: no verdict yet.
        least = np.floor(degrees(asin(min(1.0, sine / sqrt(self.summary.study.asked.k)))))
        bound = f": half of the releases by {least:.0f}° or more (a lower bound)"
        return f"How far the {self.space} is turned{bound if least >= 1 else ''}"

    def angle_sub(self, index: int) -> str:
        """Say how far half of the releases are turned, and how far chance would turn them."""
        found = self.angles(index) if np.isfinite(self.chosen.sin_theta[index]) else None
        if found is None:
            return self.sub("sin")
        chance = chance_angle(self.summary.study.problem.d, self.summary.study.asked.k)
        half = f"half of the releases are off by **{degree_floor(found.median)}** or more"
        return f"{self.sub('sin')}; {half} (chance: {degree_text(chance)})"

    def noise(self, index: int) -> str:
        """Title of the third chart: noise against gap, and what follows for the directions."""
        ratio = self.summary.noise_over_gap(index)
        if ratio is None or self.chosen.noise is None:
            return f"{self.name} {self.chosen.mechanism.does}"
        k, norm = self.summary.study.asked.k, significant(float(self.chosen.noise[index]), 3)
        many = self.summary.study.dataset.unit.many
        sizes = f"Noise {norm}\u00a0{many}, gap {significant(self.summary.gap, 3)}"
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
        study, gap = self.summary.study, self.summary.gap
        values, k, unit = study.problem.spectrum, study.asked.k, study.dataset.unit
        kept, level = self.chosen.captured[index], self._level(index)
        mixed = level not in (Reliability.RELIABLE, Reliability.UNKNOWN)
        if tied(values, k):
            return f"A tie: directions {k} and {k + 1} carry the same variation, so chance decides"
        nearly_equal = gap <= NEARLY_EQUAL * values[k - 1]
        if mixed and np.isfinite(kept) and kept >= 0.9 and nearly_equal:
            lost = f", but direction {k} itself is lost" if self._last_is_lost(index) else ""
            return (
                f"Directions {k} and {k + 1} carry nearly the same variation: mixing them changes "
                f"little of what is kept{lost}"
            )
        many = unit.one if gap == 1 else unit.many
        return (
            f"Direction {k} carries {significant(gap, 3)}\u00a0{many} more than direction {k + 1}"
        )

    def _last_is_lost(self, index: int) -> bool:
        found = self.summary.study.reliability.at(index)
        if found is None or not found.directions.ordered:
            return False
        return found.directions.directions[-1].level is Reliability.LOST

    def gap(self) -> str:
        """Return the gap with its unit."""
        gap, unit = self.summary.gap, self.summary.study.dataset.unit
        return f"{significant(gap, 3)}\u00a0{unit.one if gap == 1 else unit.many}"

    # --- Which ε, and how many people ---

    def mechanisms(self, index: int) -> str:
        """Say how many mechanisms reach the target."""
        at, ranked = f"At {epsilon_label(index)}", self.summary.ranked
        target = percent_floor(self.summary.target)
        known = [(m, m.needed) for m in ranked if m.needed is not None and m.needed.releases]
        if len(known) < 2:
            return f"{at}, the mechanisms are being measured: which keep {target}?"
        here = [needed for m, needed in known if m.ranked[index]]
        every = [needed for _, needed in known]
        found = TargetCount.at(EPSILON_STOPS[index], here, every, len(ranked))
        moving = "" if self.summary.study.curves.complete else SO_FAR
        return f"{at}{moving}, {found.sentence(target, ' mechanisms')}"

    def needed(self, index: int, people: PeopleNeeded | None) -> str:
        """Say which ε, and how many people, the chosen mechanism needs for the target."""
        needed, target = self.chosen.needed, percent_floor(self.summary.target)
        if needed is None:
            return ""
        if self.chosen.mechanism.role == "baseline":
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
        asked, many = self.summary.study.asked, self.summary.study.dataset.unit.many
        have = count(asked.n)
        if ALL_PEOPLE_FROM < n / asked.n <= 1:
            # Rounded up it would be more than there are.
            return f"{about}**all {have} {many}** {how}"
        return f"{about}**{rounded_count(n)} {many}** {how} (you have {have})"

    # --- The data ---

    def centring(self) -> str:
        """Say how far centring would turn the directions; "" for not at all, and until measured."""
        study = self.summary.study
        soon = study.stage > 1 or not is_heavy(study.problem.d)
        turn = study.centring_turn if soon else None
        if turn is None or turn < LEAST_TURN:
            return ""
        return (
            "This PCA leaves the rows uncentred: centring them would turn the "
            f"{self.space} by **{degree_text(turn)}**."
        )

    def average(self) -> str:
        """Say what subtracting a private mean would do, where a direction is mostly the mean."""
        study, numbers = self.summary.study, self.mean_directions
        unit = study.dataset.unit
        if not numbers:
            return ""
        what = "direction" if study.asked.k == 1 else f"{study.asked.k} directions"
        point, they_keep = ("points", "it keeps") if len(numbers) == 1 else ("point", "they keep")
        which = directions_by_number(numbers)
        return (
            f"{which[0].upper()}{which[1:]} {point} mostly towards the average {unit.one}, and the "
            f"variation {they_keep} says little about how {unit.many} differ. A private mean (page "
            f"“Prepare”) costs part of ε and leaves the {what} to differences between {unit.many}, "
            "apart from the noise in the mean."
        )

    def smooth_sensitivity(self, index: int) -> str:
        """Say how much noise smooth sensitivity would add at this gap, whatever is chosen."""
        study = self.summary.study
        if study.asked.delta == 0:
            return "Smooth sensitivity with Gaussian noise needs δ > 0."
        problem, budget = study.points[index]
        # As the paper prints it: what its own recipe costs, not the best that can be done.
        noise = SMOOTH_PRINTED.calibrate(problem, budget).scale
        rotation = local_sensitivity(problem.gap, problem.d, problem.k, budget.adjacency)
        what = "direction" if problem.k == 1 else f"{problem.k} directions"
        return (
            f"Smooth sensitivity: at this gap of {self.gap()}, one {study.dataset.unit.one} can "
            f"move the top {what} by up to {significant(rotation)} (Frobenius norm). "
            f"{SMOOTH_PRINTED.name}, would add noise of **{significant(noise)}** to each entry of "
            "a direction; an entry is at most 1."
        )

    def settings(self) -> str:
        """Name data and all settings but ε, for files and for paper."""
        study = self.summary.study
        data, asked = study.dataset, study.asked
        return (
            f"{data.public_name}: {count(asked.n)} {data.unit.many} × {study.problem.d} columns. "
            f"{self.name}, k\u00a0=\u00a0{asked.k}, δ\u00a0=\u00a0{power(asked.delta)}, "
            f"{neighbours(asked.adjacency, data.unit.one)}, seed {asked.seed}."
        )

    def footer(self) -> str:
        """Say what was measured, and how often."""
        study, line = self.summary.study, self.chosen.line
        data = study.dataset
        known = np.flatnonzero(line.done[:, 0])
        releases = int(line.done[known].all(axis=0).sum()) if len(known) else 0
        return (
            f"{data.name}, {count(data.people)} {data.unit.many} × {study.problem.d} columns, "
            f"{data.licence}. {releases} releases per point for {self.name}, "
            f"seed {study.asked.seed}."
        )


def _bound(values: Array) -> str:
    """Say what 19 of 20 releases keep; "" where the releases are too few to tell."""
    bound = lower_bound(values, NINETEEN_OF_TWENTY)
    if bound is None or bound <= 0:
        return ""
    return f"; 19 of 20 keep at least **{percent_floor(bound)}**"


def _surely(values: Array, share: float) -> bool:
    found = median_interval(values)
    return found is not None and found.low >= share


def _beats(own: Array, others: Sequence[Array]) -> bool:
    return bool(others) and all(better(own, each, among=len(others)) for each in others)


# --- Which directions survive ---


def directions_by_number(numbers: Sequence[int]) -> str:
    """Name directions by number: "direction 1", "directions 1, 2 and 4"."""
    word = "direction" if len(numbers) == 1 else "directions"
    return f"{word}\u00a0{listed([str(n) for n in numbers])}"


def surviving_directions(found: Reliabilities, space: str) -> str:
    """Say which directions survive, to be put after "… keeps 91 %"; "" where all are reliable.

    Parameters
    ----------
    found
        Of at least 29 releases: else nothing is said.
    space
        What the directions span: "plane".
    """
    if found.span is Reliability.UNKNOWN:
        return ""
    if not found.ordered:
        ends = {Reliability.RELIABLE: "", Reliability.RECOGNISABLE: "is only recognisable"}
        end = ends.get(found.span, "is lost")
        return f", but the {space} {end}" if end else ""
    levels = {level: _at(found.directions, level) for level in Reliability}
    reliable, recognisable = levels[Reliability.RELIABLE], levels[Reliability.RECOGNISABLE]
    blocks = sorted({d.block for d in found.directions if d.block is not None})
    together = [directions_by_number(range(first, last + 1)) for first, last in blocks]
    if len(reliable) == len(found.directions):
        return ""
    if len(found.directions) == 1:
        return ", but the direction is " + ("only recognisable" if recognisable else "lost")
    if levels[Reliability.LOST]:
        parts = [
            f"{directions_by_number(some)} {_is(some)} {word}"
            for some, word in ((reliable, "reliable"), (recognisable, "recognisable"))
            if some
        ]
        parts += [f"{block} are reliable together" for block in together]
        return f", but only {'; '.join(parts)}" if parts else ", but no direction is recognisable"
    weak = [f"{block} are reliable only together" for block in together]
    if recognisable:
        which = f"{directions_by_number(recognisable)} {_is(recognisable)}"
        weak.insert(0, f"{which} only recognisable")
    return f", but {'; '.join(weak)}"


def span_verdict(found: Reliabilities, space: str) -> str:
    """Say how reliable the span of all directions is, in degrees; the word follows the number.

    Parameters
    ----------
    found
        Of at least 29 releases.
    space
        What the directions span: "plane".
    """
    angle = nine_of_ten_within(found)
    if found.span is Reliability.RELIABLE:
        return f"The {space} stays: 9 of 10 releases are within {angle}"
    if found.span is Reliability.RECOGNISABLE:
        return f"The {space} turns, but is recognisable: 9 of 10 releases are within {angle}"
    if found.ordered and any(d.level is not Reliability.LOST for d in found.directions):
        space = f"{space} as a whole"
    more = f": 1 in 10 releases may be off by more than {angle}" if angle else ""
    return f"The {space} is lost{more}"


def nine_of_ten_within(found: Reliabilities) -> str:
    """Write the angle that 9 of 10 releases do not exceed, with confidence; "" where unknown.

    Rounded up; to a tenth where a whole degree would be of another level.
    """
    if found.span_bound is None:
        return ""
    angle = degrees(acos(min(1.0, found.span_bound)))
    limits = (RELIABLE_ANGLE, RECOGNISABLE_ANGLE)
    if any(angle <= limit < ceil(angle) for limit in limits):
        return f"{ceil(angle * 10) / 10:g}°"
    return degree_ceil(angle)


def _at(directions: Iterable[DirectionReliability], level: Reliability) -> list[int]:
    return [d.number for d in directions if d.level is level]


def _is(numbers: Sequence[int]) -> str:
    return "is" if len(numbers) == 1 else "are"
