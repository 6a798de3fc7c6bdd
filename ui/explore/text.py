"""What Explore says of one mechanism; sentences have **bold** and [[accented]] words.

A comparison is made only beyond sampling error, a bound is rounded to its safe side, and whatever
still moves says "so far".
"""

from collections.abc import Iterable, Sequence
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
from dpca_core.analysis.reliability import EQUAL, SIMILAR, Reliabilities, Reliability
from dpca_core.audit.absence import proves_absence
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.registry import NON_PRIVATE
from dpca_core.privacy.budget import Guarantee, Notion, Standing
from dpca_core.simulation.perturbation import tied
from dpca_core.text.guarantee_sentences import between, neighbours, promise
from dpca_core.text.listed import listed
from dpca_core.text.privacy_numbers import epsilon_text, power, upward
from ui.explore.medians import DOTS, Summary
from ui.explore.reliability import chance_angle, median_angle
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


class ExploreText:
    """The sentences of one summary; all are asked for by number of the stop of ε."""

    def __init__(self, summary: Summary) -> None:
        self.summary, self.study, self.chosen = summary, summary.study, summary.chosen
        self.data, self.asked = self.study.dataset, self.study.asked
        self.name, self.space = self.chosen.mechanism.name, subspace_name(self.asked.k)
        self.target = percent_floor(summary.target)
        self.chance = summary.random.captured
        # Of wide tables not at once: it takes long to know.
        soon = self.study.stage > 1 or not is_heavy(self.study.problem.d)
        self.mean_directions = self.study.mean_directions if soon else []
        self.centring_turn = self.study.centring_turn if soon else None

    def sub(self, chart: str) -> str:
        """Say what a chart shows."""
        return SUBTITLES[chart].format(space=self.space, many=self.data.unit.many)

    # --- The headline, and what stands under it ---

    def answer(self, index: int) -> str:
        """Say what a release keeps and what is wrong with it, in one sentence."""
        if refusal := self.refusal(index):
            return refusal
        at, median = f"At [[{epsilon_label(index)}]]", self.chosen.captured[index]
        if not np.isfinite(median):
            return f"{at}: {DRAWING[0].lower()}{DRAWING[1:]}"
        if self.chosen.mechanism == NON_PRIVATE:
            return NO_PRIVACY
        if self.chosen.mechanism.role == "baseline":
            return f"Directions drawn at random keep **{percent(self.chance)}** of the variation."
        values = self.chosen.line.releases(index)
        lost, wrong = no_better_than_chance(values, self.chance), self._wrong_promise(index)
        said = f"keeps **{percent(median)}** of the variation an ordinary PCA finds"
        if lost:
            said = f"does no better than directions drawn at random ({percent(self.chance)})"
        if len(values) < self.study.curves.trials[self.chosen.mechanism]:
            said += f" ({len(values)} {'release' if len(values) == 1 else 'releases'}{SO_FAR})"
        if wrong:
            said += f", {'and' if lost else 'but'} {wrong}"
        elif not lost:
            said += self._bound_and_directions(values, index)
        return f"{at} a release {said}.{LARGE_DELTA if self._large_delta(index) else ''}"

    def _bound_and_directions(self, values: Array, index: int) -> str:
        """Say what 19 of 20 releases keep, which directions survive, which are mostly the mean."""
        bound = lower_bound(values, NINETEEN_OF_TWENTY) or 0.0
        said = f"; 19 of 20 keep at least **{percent_floor(bound)}**" if bound > 0 else ""
        if found := self.study.reliability.at(index):
            said += surviving_directions(found.directions, self.space)
        if numbers := self.mean_directions:
            one = self.data.unit.one
            said += f"; {by_number(numbers)} {_is(numbers)} mostly the average {one}"
        return said

    def _wrong_promise(self, index: int) -> str:
        """Say what is wrong with the promise, to follow "but"; "" where it holds."""
        if not self.data.private:
            return "its preparation reads the data before any noise: no promise holds"
        guarantee = self.chosen.guarantee(index)
        if guarantee is None:
            return ""
        match guarantee.standing:
            case Standing.UNCERTIFIED:
                return "nothing is proved about its privacy"
            case Standing.WEAKER:
                claim, true = self._claim(index), guarantee.epsilon
                if claim is None or true <= claim.epsilon * (1 + CLAIM_TOLERANCE):
                    return "less is proved than its paper claims"
                promised = f"ε\u00a0=\u00a0{epsilon_text(claim.epsilon)}"
                return f"the paper promises {promised}; what holds is **{upward(true)}**"
            case Standing.REFUTED:
                if not proves_absence(self.chosen.mechanism):
                    return "its promise is false"
                proofs = round(100 * guarantee.delta)
                who = f"about **{proofs} of 100** results" if proofs else "some results"
                verb = "proves" if proofs == 1 else "prove"
                return f"its promise is false: {who} {verb} that somebody is absent"
        return ""

    def _claim(self, index: int) -> Guarantee | None:
        return self.chosen.mechanism.claim(*self.study.points[index])

    def total(self, index: int) -> Guarantee | None:
        """Return the guarantee of mechanism and preprocessing together; None where infeasible."""
        guarantee = self.chosen.guarantee(index)
        if guarantee is None:
            return None
        return self.data.total_guarantee(guarantee, self.asked.at(EPSILON_STOPS[index]).budget)

    def _large_delta(self, index: int) -> bool:
        """Tell whether δ reaches one in the number of people, under a promise that has a δ."""
        guarantee = self.total(index)
        if guarantee is None or guarantee.standing is Standing.REFUTED:
            return False
        spends = guarantee.notion in (Notion.APPROXIMATE, Notion.LOCAL)
        return spends and guarantee.delta * self.asked.n >= 1

    def refusal(self, index: int) -> str:
        """Say that nothing, or not reliably anything, is released; "" otherwise."""
        at, line = f"At [[{epsilon_label(index)}]]", self.chosen.line
        if note := line.notes.get(index):
            return f"{at} {note}" if line.not_simulated(index) else note
        share = self.chosen.refusals
        if share[index] <= MOST_REFUSED:
            return ""
        tries = round(100 * float(share[index]))
        often = "no answer" if tries == 100 else f"no answer in {tries} of 100 tries"
        measured = np.flatnonzero(line.done.any(axis=1))
        refusing = measured[share[measured] > MOST_REFUSED]
        later = ""
        for first in measured[measured > refusing.max(initial=-1)][:1]:
            later = f" From **{epsilon_label(int(first))}** it answers 9 in 10."
        return f"{at} {self.name} gives **{often}**: {self.chosen.mechanism.refuses}.{later}"

    def odds(self, index: int) -> str:
        """Bound the chance of a right guess about one person, rounded up."""
        return odds(self.total(index), self.data.unit.one, private=self.data.private)

    def standing(self, index: int) -> str:
        """Say how well the guarantee is established, with the paper's claim if that differs."""
        guarantee = self.total(index)
        if not self.data.private:
            return f"**NOT PRIVATE**: {UNPAID}."
        if guarantee is None:
            return "**NO RELEASE**"
        said, stated = f"{promise(guarantee)}, {between(guarantee, self.data.unit.one)}", None
        if claim := self._claim(index):
            stated = claim.epsilon
        if stated and abs(stated / max(guarantee.epsilon, 1e-300) - 1) > CLAIM_TOLERANCE:
            said += f"; the paper claims ε\u00a0=\u00a0{epsilon_text(stated)}"
        reason = " ".join(filter(None, (guarantee.erratum, f"Source: {guarantee.source}.")))
        return f"**{LABELS[guarantee.standing][0]}**: {said}. {reason}"

    def beside_rule(self, index: int) -> str:
        """Say in a few words what survives, and how often a guess about one person is right."""
        guess = short_odds(self.total(index), private=self.data.private)
        return f"{self._survives(index)} · {guess}"

    def _survives(self, index: int) -> str:
        known, median = self.study.reliability.at(index), self.chosen.captured[index]
        if not np.isfinite(median):
            return "no release" if self.refusal(index) else "…"
        found = known and known.directions
        if not found or found.span is Reliability.UNKNOWN:
            return f"keeps **{percent(median)}**"
        if not found.ordered:
            lost = found.span is Reliability.LOST
            return f"the {self.space} {'is **lost**' if lost else '**survives**'}"
        k = len(found.directions)
        alive = sum(each.level is not Reliability.LOST for each in found.directions)
        if not alive:
            return "**no** direction survives"
        who = {1: "the direction", 2: "both directions"}.get(k, "all directions")
        if alive < k:
            return f"**{alive} of {k}** directions survive{'s' if alive == 1 else ''}"
        return f"{who} **survive{'s' if k == 1 else ''}**"

    # --- Titles of charts ---

    def nothing_to_show(self, index: int) -> str:
        """Say why there is nothing to show at one ε."""
        if self.chosen.line.not_simulated(index):
            return "Not simulated here"
        refused = index in self.chosen.line.notes or self.chosen.refusals[index] > 0
        return "Nothing is released" if refused else DRAWING

    def kept(self, index: int) -> str:
        """Title of the first chart: who keeps how much."""
        median, ranked = self.chosen.captured[index], self.summary.ranked
        if not np.isfinite(median):
            return self.nothing_to_show(index)
        own, mine = self.chosen.line.releases(index), percent(median)
        known = {
            m: m.line.releases(index)
            for m in ranked
            if m.ranked[index] and np.isfinite(m.captured[index])
        }
        others = {m: values for m, values in known.items() if m is not self.chosen}
        random = f"directions drawn at random ({percent(self.chance)})"
        lost = no_better_than_chance(own, self.chance)
        alone = f"{self.name} does no better than {random}"
        if lost and all(no_better_than_chance(each, self.chance) for each in others.values()):
            return f"No mechanism does better than {random}" if others else alone
        good = [m for m, values in known.items() if _surely_keeps(values, MOST_KEEP)]
        if len(good) >= 3:
            return f"{len(good)} of {len(ranked)} mechanisms keep 99\u00a0% or more"
        best = max(others, key=lambda m: m.captured[index], default=None)
        if best is not None and better(others[best], own, among=len(others)):
            theirs = percent(best.captured[index])
            mine = "no more than chance" if lost else mine
            if theirs != mine:
                return f"{best.mechanism.name} would keep {theirs}, {self.name} keeps {mine}"
        if lost:
            return alone
        first = others and all(better(own, each, among=len(others)) for each in others.values())
        return f"{self.name} keeps {'the most, ' if first else ''}{mine}"

    def dots(self, index: int) -> str:
        """Count the releases that reach the target, of those that are drawn as dots."""
        if not np.isfinite(self.chosen.captured[index]):
            return self.nothing_to_show(index)
        shown = self.chosen.line.releases(index)[:DOTS]
        kept, refused = int((shown >= self.summary.target).sum()), int(np.isnan(shown).sum())
        of = f"the first {DOTS} releases"
        if len(shown) < DOTS:
            of = f"{len(shown)} {'release' if len(shown) == 1 else 'releases'}{SO_FAR}"
        rest = f" ({refused} refused)" if refused else ""
        return f"{kept} of {of} {'keeps' if kept == 1 else 'keep'} {self.target} or more{rest}"

    def dots_sub(self, index: int) -> str:
        """Say what a dot is, and between what the median of all releases surely lies."""
        if not np.isfinite(self.chosen.captured[index]):
            return ""
        values, said = self.chosen.line.releases(index), "a dot: a release"
        found = median_interval(values)
        if found is None or found.low < 0:
            return said
        return f"{said}; median of all {len(values)}: {percent_range(*found)}"

    def _half_off_by(self, index: int) -> float | None:
        """Return the median angle of the releases at one ε; None while only bounds are known."""
        if found := self.study.reliability.at(index):
            return median_angle(found.angles)
        line = self.chosen.line
        if self.asked.k == 1 and np.isfinite(self.chosen.sin_theta[index]):
            sines = np.clip(line.sin_theta[index][line.done[index]], 0, 1)
            return median_angle(np.degrees(np.arcsin(sines)))
        return None

    def _level(self, index: int) -> Reliability:
        """Tell how reliable the span is: one verdict for the titles of all charts."""
        found = self.study.reliability.at(index)
        return Reliability.UNKNOWN if found is None else found.directions.span

    def angle(self, index: int) -> str:
        """Title of the second chart: whether the span is reliable, in degrees."""
        sine = self.chosen.sin_theta[index]
        if not np.isfinite(sine):
            return self.nothing_to_show(index)
        half, known = self._half_off_by(index), self.study.reliability.at(index)
        if half is not None and known is not None:
            return span_verdict(known.directions, self.space)
        if half is not None:
            return f"Half of the releases are off by {degree_floor(half)} or more"
        # The largest of k sines is at least the root of their mean square: no verdict yet.
        least = np.floor(degrees(asin(min(1.0, sine / sqrt(self.asked.k)))))
        bound = f": half of the releases by {least:.0f}° or more (a lower bound)"
        return f"How far the {self.space} is turned{bound if least >= 1 else ''}"

    def angle_sub(self, index: int) -> str:
        """Say how far half of the releases are turned, and how far chance would turn them."""
        half = self._half_off_by(index) if np.isfinite(self.chosen.sin_theta[index]) else None
        if half is None:
            return self.sub("sin")
        chance = degree_text(chance_angle(self.study.problem.d, self.asked.k))
        off = f"half of the releases are off by **{degree_floor(half)}** or more"
        return f"{self.sub('sin')}; {off} (chance: {chance})"

    def noise(self, index: int) -> str:
        """Title of the third chart: noise against gap, and what follows for the directions."""
        noise, gap, k = self.chosen.noise, self.summary.gap, self.asked.k
        if noise is None or not np.isfinite(noise[index]):
            return f"{self.name} {self.chosen.mechanism.does}"
        norm, level = float(noise[index]), self._level(index)
        ratio = norm / gap if gap > 0 else float("inf")
        sizes = f"Noise {significant(norm, 3)}\u00a0{self.data.unit.many}, "
        sizes += f"gap {significant(gap, 3)}"
        # Davis and Kahan: noise of norm r gaps turns the span by sin ≤ r/(1 − r).
        sine = ratio / (1 - ratio) if ratio < 0.5 else 1.0
        apart = degrees(asin(sine)) <= RELIABLE_ANGLE
        pair, unknown = f"directions {k} and {k + 1}", level is Reliability.UNKNOWN
        if level is Reliability.RELIABLE or (unknown and apart):
            return f"{sizes}: {pair} stay apart"
        return sizes if unknown and ratio < 1 else f"{sizes}: {pair} can mix"

    def spectrum(self, index: int) -> str:
        """Say where the last direction kept stands, and why mixing it may cost little."""
        values, k, gap = self.study.problem.spectrum, self.asked.k, self.summary.gap
        if tied(values, k):
            return f"A tie: directions {k} and {k + 1} carry the same variation, so chance decides"
        known = self.study.reliability.at(index)
        mixed = self._level(index) not in (Reliability.RELIABLE, Reliability.UNKNOWN)
        keeps = mixed and self.chosen.captured[index] >= 0.9
        if known and keeps and gap <= NEARLY_EQUAL * values[k - 1]:
            found = known.directions
            gone = found.ordered and found.directions[-1].level is Reliability.LOST
            return (
                f"Directions {k} and {k + 1} carry nearly the same variation: mixing them changes "
                f"little of what is kept{f', but direction {k} itself is lost' if gone else ''}"
            )
        return f"Direction {k} carries {self.gap()} more than direction {k + 1}"

    def gap(self) -> str:
        """Return the gap with its unit."""
        gap, unit = self.summary.gap, self.data.unit
        return f"{significant(gap, 3)}\u00a0{unit.one if gap == 1 else unit.many}"

    # --- Which ε, and how many people ---

    def mechanisms(self, index: int) -> str:
        """Say how many mechanisms reach the target."""
        at, ranked = f"At {epsilon_label(index)}", self.summary.ranked
        known = [(m, m.needed) for m in ranked if m.needed is not None and m.needed.releases]
        if len(known) < 2:
            return f"{at}, the mechanisms are being measured: which keep {self.target}?"
        here = [needed for m, needed in known if m.ranked[index]]
        every = [needed for _, needed in known]
        found = TargetCount.at(EPSILON_STOPS[index], here, every, len(ranked))
        moving = "" if self.study.curves.complete else SO_FAR
        return f"{at}{moving}, {found.sentence(self.target, ' mechanisms')}"

    def needed(self, index: int, people: PeopleNeeded | None) -> str:
        """Say which ε, and how many people, the chosen mechanism needs for the target."""
        needed = self.chosen.needed
        if needed is None:
            return ""
        if self.chosen.mechanism.role == "baseline":
            return f"{self.name} does not depend on ε."
        said = needed_epsilon_sentence(self.name, needed, f"{self.target} in 9 of 10 releases")
        if people is None or people.n is None:
            return f"{said}."
        # Fewer may do: the ε that is enough is one of those measured, so n is no less than needed.
        how = "surely enough" if people.certain else "enough by estimate"
        about = "" if people.certain else "about "
        many = f"{rounded_count(people.n)} {self.data.unit.many}"
        have = f" (you have {count(self.asked.n)})"
        if ALL_PEOPLE_FROM < people.n / self.asked.n <= 1:
            # Rounded up it would be more than there are.
            many, have = f"all {count(self.asked.n)} {self.data.unit.many}", ""
        return f"{said}; at {epsilon_label(index)} {about}**{many}** are {how}{have}."

    # --- The data ---

    def centring(self) -> str:
        """Say how far centring would turn the directions; "" for not at all, and until measured."""
        if self.centring_turn is None or self.centring_turn < LEAST_TURN:
            return ""
        return (
            "This PCA leaves the rows uncentred: centring them would turn the "
            f"{self.space} by **{degree_text(self.centring_turn)}**."
        )

    def settings(self) -> str:
        """Name data and all settings but ε, for files and for paper."""
        data, asked = self.data, self.asked
        return (
            f"{data.public_name}: {count(asked.n)} {data.unit.many} × {self.study.problem.d} "
            f"columns. {self.name}, k\u00a0=\u00a0{asked.k}, δ\u00a0=\u00a0{power(asked.delta)}, "
            f"{neighbours(asked.adjacency, data.unit.one)}, seed {asked.seed}."
        )

    def footer(self) -> str:
        """Say what was measured, and how often."""
        data, done = self.data, self.chosen.line.done
        releases = int(done[done[:, 0]].all(axis=0).sum()) if done[:, 0].any() else 0
        return (
            f"{data.name}, {count(data.people)} {data.unit.many} × {self.study.problem.d} columns, "
            f"{data.licence}. {releases} releases per point for {self.name}, "
            f"seed {self.asked.seed}."
        )


def _surely_keeps(values: Array, share: float) -> bool:
    found = median_interval(values)
    return found is not None and found.low >= share


# --- Which directions survive ---


def by_number(numbers: Iterable[int]) -> str:
    """Name directions by number: "direction 1", "directions 1, 2 and 4"."""
    every = [str(n) for n in numbers]
    return f"direction{'s' if len(every) > 1 else ''}\u00a0{listed(every)}"


def surviving_directions(found: Reliabilities, space: str) -> str:
    """Say which directions survive, to be put after "… keeps 91 %"; "" where all are reliable.

    ``space`` is what the directions span: "plane".
    """
    if found.span is Reliability.UNKNOWN:
        return ""
    if not found.ordered:
        ends = {Reliability.RELIABLE: "", Reliability.RECOGNISABLE: "is only recognisable"}
        end = ends.get(found.span, "is lost")
        return f", but the {space} {end}" if end else ""
    at = {level: [d.number for d in found.directions if d.level is level] for level in Reliability}
    reliable, similar = at[Reliability.RELIABLE], at[Reliability.RECOGNISABLE]
    blocks = sorted({d.block for d in found.directions if d.block is not None})
    together = [by_number(range(first, last + 1)) for first, last in blocks]
    if len(reliable) == len(found.directions):
        return ""
    if len(found.directions) == 1:
        return f", but the direction is {'only recognisable' if similar else 'lost'}"
    if at[Reliability.LOST]:
        parts = [
            f"{by_number(some)} {_is(some)} {word}"
            for some, word in ((reliable, "reliable"), (similar, "recognisable"))
            if some
        ]
        parts += [f"{block} are reliable together" for block in together]
        return f", but only {'; '.join(parts)}" if parts else ", but no direction is recognisable"
    weak = [f"{by_number(similar)} {_is(similar)} only recognisable"] if similar else []
    weak += [f"{block} are reliable only together" for block in together]
    return f", but {'; '.join(weak)}"


def span_verdict(found: Reliabilities, space: str) -> str:
    """Say how reliable the span of all directions is, in degrees that follow from the word."""
    angle = nine_of_ten_within(found)
    if found.span is Reliability.RELIABLE:
        return f"The {space} stays: 9 of 10 releases are within {angle}"
    if found.span is Reliability.RECOGNISABLE:
        return f"The {space} turns, but is recognisable: 9 of 10 releases are within {angle}"
    alone = any(d.level is not Reliability.LOST for d in found.directions)
    whole = " as a whole" if found.ordered and alone else ""
    more = f": 1 in 10 releases may be off by more than {angle}" if angle else ""
    return f"The {space}{whole} is lost{more}"


def nine_of_ten_within(found: Reliabilities) -> str:
    """Write the angle that 9 of 10 releases do not exceed, with confidence; "" where unknown.

    Rounded up; to a tenth where a whole degree would be of another level.
    """
    if found.span_bound is None:
        return ""
    angle = degrees(acos(min(1.0, found.span_bound)))
    if any(angle <= limit < ceil(angle) for limit in (RELIABLE_ANGLE, RECOGNISABLE_ANGLE)):
        return f"{ceil(angle * 10) / 10:g}°"
    return degree_ceil(angle)


def _is(numbers: Sequence[int]) -> str:
    return "is" if len(numbers) == 1 else "are"
