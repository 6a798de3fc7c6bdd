"""Headline, titles and notes of Explore; they have **bold** and [[accented]] words.

A comparison is made only beyond sampling error, a bound is rounded to its safe side, and whatever
still moves says "so far".
"""

from collections.abc import Sequence
from math import acos, ceil, degrees, isfinite

import numpy as np

from dpca_core.analysis.needed import PeopleNeeded, round_up
from dpca_core.analysis.order_statistics import (
    NINE_OF_TEN,
    NINETEEN_OF_TWENTY,
    better,
    fewest,
    lower_bound,
    median_interval,
    no_better_than_chance,
)
from dpca_core.analysis.reliability import Reliabilities, Reliability
from dpca_core.audit.absence import proves_absence
from dpca_core.data.dataset import Dataset
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.registry import NON_PRIVATE
from dpca_core.metrics import random_baseline, without_noise
from dpca_core.privacy.budget import Guarantee, Notion, Standing
from dpca_core.simulation.perturbation import tied
from dpca_core.text.guarantee_sentences import between, neighbours, promise
from dpca_core.text.listed import listed
from dpca_core.text.privacy_numbers import epsilon_text, power, upward
from ui.explore.medians import DOTS, MOST_REFUSED, SO_FAR, Medians, Summary
from ui.explore.query import recommended
from ui.explore.reliability import chance_angle, median_angle
from ui.explore.study import Study
from ui.page.words import Words
from ui.state.settings import AXES
from ui.state.slider_stops import EPSILON_STOPS
from ui.text.badges_and_odds import LABELS, UNPAID, odds, short_guarantee, short_odds
from ui.text.certainty import (
    CONFIDENCE_LEVEL,
    TargetCount,
    needed_epsilon_sentence,
    needed_label,
    releases_each,
    releases_per_point,
)
from ui.text.numbers import (
    count,
    degree_floor,
    degree_text,
    number_word,
    percent,
    percent_floor,
    percent_range,
    rounded_count,
    significant,
)

say = Words(__file__)
ALL_PEOPLE_FROM = 0.9
"""Share of the people there are from which on a number of them is called all."""
NEARLY_EQUAL = 0.1
"""Relative gap up to which two neighbouring directions carry nearly the same variation."""
CLAIM_TOLERANCE = 0.005
"""Relative difference from which on a paper's ε is shown beside the true one."""
LEAST_TURN = 1.0
"""Degrees from which on it is said that centring would turn the directions."""
NO_PRIVACY = "Ordinary PCA keeps everything and protects nobody."
LARGE_DELTA = " Under so weak a promise somebody’s record may simply be published."
DRAWING = "Drawing the first releases …"
RELIABLE, SIMILAR = Reliability.RELIABLE, Reliability.RECOGNISABLE
LOST, UNKNOWN = Reliability.LOST, Reliability.UNKNOWN


class StopText:
    """What is said while the rule stands at one stop of ε, of what is known so far.

    ``values`` are what releases keep there, NaN where refused, and ``median`` that of the curve,
    NaN where none is drawn. ``total`` is the guarantee of mechanism and preparation together, None
    where infeasible; ``level`` is how reliable the span is: one verdict for the titles of all
    charts; ``nothing`` is their title where there is nothing to show.
    """

    def __init__(self, summary: Summary, index: int) -> None:
        study, chosen = summary.study, summary.chosen
        self.summary, self.study, self.chosen, self.index = summary, study, chosen, index
        self.data, self.asked, self.mechanism = study.dataset, study.asked, chosen.mechanism
        self.name, self.chance = self.mechanism.name, summary.random.captured
        self.target = percent_floor(summary.target)
        self.label = f"ε\u00a0=\u00a0{epsilon_text(EPSILON_STOPS[index])}"
        self.values, self.median = chosen.line.releases(index), float(chosen.captured[index])
        self.guarantee, self.total = chosen.guarantees[index], None
        if self.guarantee:
            self.total = self.data.total_guarantee(self.guarantee, study.budgets[index])
        self.known = study.reliability.at(index)
        self.level = self.known.directions.span if self.known else UNKNOWN
        self.refusal = self._refusal()
        refused = index in chosen.line.notes or chosen.refusals[index] > 0
        self.nothing = "Nothing is released" if refused else DRAWING
        if chosen.line.not_simulated(index):
            self.nothing = "Not simulated here"

    def sentences(self, *, own: bool) -> dict[str, str]:
        """Return all by their place; the guarantee is spelled out where the data are one's own."""
        people = self.study.people_needed(self.summary.target, self.index, self.chosen.needed)
        under = (self.odds(), self.standing() if own else "", centring(self.summary))
        return {
            "answer": self.answer(),
            "under": " ".join(filter(None, under)),
            "beside": self.beside(),
            "heading": self.mechanisms(),
            "lead": self.needed(people),
            "kept": self.kept(),
            "dots": self.dots(),
            "angle": self.angle(),
            "angle_sub": self.angle_sub(),
            "noise": self.noise(),
            "spectrum": self.spectrum(),
        }

    # --- The headline, and what stands under it and beside the rule ---

    def _refusal(self) -> str:
        """Say that nothing, or not reliably anything, is released; "" otherwise."""
        at, line = f"At [[{self.label}]]", self.chosen.line
        if note := line.notes.get(self.index):
            return f"{at} {note}" if line.not_simulated(self.index) else note
        share = float(self.chosen.refusals[self.index])
        if share <= MOST_REFUSED:
            return ""
        often = "no answer" if share > 0.995 else f"no answer in {100 * share:.0f} of 100 tries"
        return f"{at} {self.name} gives **{often}**: {self.mechanism.refuses}."

    def answer(self) -> str:
        """Say what a release keeps and what is wrong with it, in one sentence."""
        at = f"At [[{self.label}]]"
        if not self.study.problem.spectrum.any():
            return say("no_rows")
        if self.refusal:
            return self.refusal
        if not isfinite(self.median):
            return f"{at}: {DRAWING[0].lower()}{DRAWING[1:]}"
        if self.mechanism == NON_PRIVATE:
            return NO_PRIVACY
        if self.mechanism.role == "baseline":
            return f"Directions drawn at random keep **{percent(self.chance)}** of the variation."
        lost, wrong = no_better_than_chance(self.values, self.chance), self._wrong_promise()
        said = f"keeps **{percent(self.median)}** of the variation an ordinary PCA finds"
        if lost:
            said = f"is not {say('chance', chance=percent(self.chance))}"
        if len(self.values) < self.study.curves.trials[self.mechanism]:
            said += f" ({_releases(len(self.values))}{SO_FAR})"
        if wrong:
            said += f", {'and' if lost else 'but'} {wrong}"
        elif not lost:
            said += self._bound_and_directions()
        # δ reaches one in the number of people, under a promise that has a δ and holds.
        total, weak = self.total, False
        if total and total.standing is not Standing.REFUTED:
            spends = total.notion in (Notion.APPROXIMATE, Notion.LOCAL)
            weak = spends and total.delta * self.asked.n >= 1
        return f"{at} a release {said}.{LARGE_DELTA if weak else ''}"

    def _bound_and_directions(self) -> str:
        """Say what 19 of 20 releases keep, which directions survive, which are mostly the mean."""
        bound = lower_bound(self.values, NINETEEN_OF_TWENTY) or 0.0
        said = f"; 19 of 20 keep at least **{percent_floor(bound)}**" if bound >= 0.01 else ""
        if self.known and self.level is not UNKNOWN and not all_survive(self.known.directions):
            alive = surviving(self.known.directions, "direction")
            whole = alive.startswith(("no ", "the ", "all ", "both ")) or "only together" in alive
            said += f", but {'' if whole else 'only '}{alive}"
        if numbers := self.study.mean_directions if self.summary.reads_rows else []:
            are = "s {} are" if len(numbers) > 1 else " {} is"
            one = self.data.unit.one
            said += f"; direction{are.format(joined(numbers))} mostly the average {one}"
        return said

    def _wrong_promise(self) -> str:
        """Say what is wrong with the promise, to follow "but"; "" where it holds."""
        guarantee = self.guarantee
        if not self.data.private:
            return "its preparation reads the data before any noise: no promise holds"
        if guarantee is None:
            return ""
        if guarantee.standing is Standing.UNCERTIFIED:
            return "nothing is proved about its privacy"
        if guarantee.standing is Standing.WEAKER:
            claim, true = self._claim(), guarantee.epsilon
            if claim is None or true <= claim.epsilon * (1 + CLAIM_TOLERANCE):
                return "less is proved than its paper claims"
            promised = f"ε\u00a0=\u00a0{epsilon_text(claim.epsilon)}"
            return f"the paper promises {promised}; what holds is **{upward(true)}**"
        if guarantee.standing is not Standing.REFUTED:
            return ""
        if not proves_absence(self.mechanism):
            return "its promise is false"
        proofs = round(100 * guarantee.delta)
        who = f"about **{proofs} of 100** results" if proofs else "some results"
        verb = "proves" if proofs == 1 else "prove"
        return f"its promise is false: {who} {verb} that somebody is absent"

    def _claim(self) -> Guarantee | None:
        return self.mechanism.claim(*self.study.points[self.index])

    def odds(self) -> str:
        """Bound the chance of a right guess about one person, rounded up."""
        return odds(self.total, self.data.unit.one, private=self.data.private)

    def standing(self) -> str:
        """Say how well the guarantee is established, with the paper's claim if that differs."""
        guarantee = self.total
        if not self.data.private:
            return f"**NOT PRIVATE**: {UNPAID}."
        if guarantee is None:
            return "**NO RELEASE**"
        said = f"{promise(guarantee)}, {between(guarantee, self.data.unit.one)}"
        claim, true = self._claim(), max(guarantee.epsilon, 1e-300)
        if claim and abs(claim.epsilon / true - 1) > CLAIM_TOLERANCE:
            said += f"; the paper claims ε\u00a0=\u00a0{epsilon_text(claim.epsilon)}"
        reason = " ".join(filter(None, (guarantee.erratum, f"Source: {guarantee.source}.")))
        return f"**{LABELS[guarantee.standing]}**: {said}. {reason}"

    def beside(self) -> str:
        """Say in a few words what survives, and how often a guess about one person is right."""
        k, found = self.asked.k, self.known and self.known.directions
        if not isfinite(self.median):
            said = "no release" if self.refusal else "…"
        elif not found or self.level is UNKNOWN:
            said = f"keeps **{percent(self.median)}**"
        else:
            levels = [each.level for each in found.directions]
            alive = k - (levels if found.ordered else [found.span] * k).count(LOST)
            said = f"**{alive} of {k}** directions recognisable"
            if alive == k:
                survive = (
                    f"survive{'s' if k == 1 else ''}" if all_survive(found) else "recognisable"
                )
                said = f"{_all('direction', k)} **{survive}**"
            elif not alive:
                said = "**no** direction survives"
        return f"{said} · {short_odds(self.total, private=self.data.private)}"

    # --- Titles of charts ---

    def kept(self) -> str:
        """Title of the first chart: who keeps how much."""
        if not isfinite(self.median):
            return self.nothing
        at, chosen = self.index, self.chosen
        others = [m for m in self.summary.ranked if m is not chosen and m.ranked[at]]
        known = [chosen, *[m for m in others if np.isfinite(m.captured[at])]]
        said = who_keeps_most(known, at, self.chance).replace("**", "")
        return f"{said[:1].upper()}{said[1:]}{self.summary.so_far}"

    def dots(self) -> str:
        """Count the releases that reach the target, of those that are drawn as dots."""
        if not isfinite(self.median):
            return self.nothing
        shown = self.values[:DOTS]
        kept, refused = int((shown >= self.summary.target).sum()), int(np.isnan(shown).sum())
        of = f"the first {DOTS} releases"
        if len(shown) < DOTS:
            of = f"{_releases(len(shown))}{SO_FAR}"
        rest = f" ({refused} refused)" if refused else ""
        return f"{kept} of {of} {'keeps' if kept == 1 else 'keep'} {self.target} or more{rest}"

    def angle(self) -> str:
        """Title of the second chart: whether the span is reliable, in degrees."""
        if not np.isfinite(self.chosen.sin_theta[self.index]):
            return self.nothing
        if self.known is None:
            return f"How far the {self.summary.space} is turned"
        return span_verdict(self.known.directions, self.summary.space)

    def angle_sub(self) -> str:
        """Say how far half of the releases are turned, and how far chance would turn them."""
        shown = say("sin_sub", space=self.summary.space)
        if self.known is None or (half := median_angle(self.known.angles)) is None:
            return shown
        chance = degree_text(chance_angle(self.data.d, self.asked.k))
        off = f"half of the releases are off by **{degree_floor(half)}** or more"
        return f"{shown}; {off} (chance: {chance})"

    def noise(self) -> str:
        """Title of the third chart: noise against gap, and what follows for the directions."""
        noise, k = self.chosen.noise, self.asked.k
        if noise is None or not np.isfinite(noise[self.index]):
            return f"{self.name} {self.mechanism.does}"
        sizes = f"Noise {significant(float(noise[self.index]), 3)}\u00a0{self.data.unit.many}, "
        sizes += f"gap {significant(self.summary.gap, 3)}"
        if self.level is UNKNOWN:
            return sizes
        verdict = "stay apart" if self.level is RELIABLE else "can mix"
        return f"{sizes}: directions {k} and {k + 1} {verdict}"

    def spectrum(self) -> str:
        """Say where the last direction kept stands, and why mixing it may cost little."""
        values, k = self.study.problem.spectrum, self.asked.k
        if tied(values, k):
            return f"A tie: directions {k} and {k + 1} carry the same variation, so chance decides"
        mixed = self.level not in (RELIABLE, UNKNOWN) and self.median >= 0.9
        if self.known and mixed and self.summary.gap <= NEARLY_EQUAL * values[k - 1]:
            found = self.known.directions
            gone = found.ordered and found.directions[-1].level is LOST
            return (
                f"Directions {k} and {k + 1} carry nearly the same variation: mixing them changes "
                f"little of what is kept{f', but direction {k} itself is lost' if gone else ''}"
            )
        return f"Direction {k} carries {self.summary.gap_text} more than direction {k + 1}"

    # --- Which ε, and how many people ---

    def mechanisms(self) -> str:
        """Say how many mechanisms reach the target."""
        at, ranked = f"At {self.label}", self.summary.ranked
        known = [(m, m.needed) for m in ranked if m.needed is not None and m.needed.releases]
        if len(known) < 2:
            return f"{at}, the mechanisms are being measured: which keep {self.target}?"
        here = [needed for m, needed in known if m.ranked[self.index]]
        every = [needed for _, needed in known]
        found = TargetCount.at(EPSILON_STOPS[self.index], here, every, len(ranked))
        return f"{at}{self.summary.so_far}, {found.sentence(self.target, ' mechanisms')}"

    def needed(self, people: PeopleNeeded | None) -> str:
        """Say which ε, and how many people, the chosen mechanism needs for the target."""
        needed, many = self.chosen.needed, self.data.unit.many
        if needed is None:
            return ""
        if self.mechanism.role == "baseline":
            return f"{self.name} does not depend on ε."
        said = needed_epsilon_sentence(self.name, needed, f"{self.target} in 9 of 10 releases")
        if people is None or people.n is None:
            return f"{said}."
        # Fewer may do: the ε that is enough is one of those measured, so n is no less than needed.
        how = "surely enough" if people.certain else "enough by estimate"
        about = "" if people.certain else "about "
        who, have = f"{rounded_count(people.n)} {many}", f" (you have {count(self.asked.n)})"
        if ALL_PEOPLE_FROM < people.n / self.asked.n <= 1:
            # Rounded up it would be more than there are.
            who, have = f"all {count(self.asked.n)} {many}", ""
        return f"{said}; at {self.label} {about}**{who}** are {how}{have}."


# --- The data ---


def ceiling_of(data: Dataset) -> str:
    """Return what the line is called up to which PCA without noise keeps variation."""
    return say("ceiling_pairs" if data.pairs else "ceiling")


def centring(summary: Summary) -> str:
    """Say how far centring would turn the directions; "" for not at all, and until measured."""
    turn = summary.study.centring_turn if summary.reads_rows else None
    if turn is None or turn < LEAST_TURN:
        return ""
    return (
        "This PCA leaves the rows uncentred: centring them would turn the "
        f"{summary.space} by **{degree_text(turn)}**."
    )


def footer(summary: Summary) -> str:
    """Say of what it was measured, and how often."""
    data, done = summary.study.dataset, summary.chosen.line.done
    releases = int(done[done[:, 0]].all(axis=0).sum()) if done[:, 0].any() else 0
    size = f"{data.name}, {count(data.people)} {data.unit.many} × {data.d} columns"
    name = summary.chosen.mechanism.name
    return f"{size}, {data.licence}. {releases} releases per point for {name}."


def settings_text(study: Study) -> str:
    """Name the data and all settings but that of the axis, and on how many releases it rests."""
    data, asked, trials = study.dataset, study.asked, study.curves.trials.values()
    fixed = {
        "epsilon": f"ε\u00a0=\u00a0{epsilon_text(asked.epsilon)}",
        "delta": f"δ\u00a0=\u00a0{power(asked.delta)}",
        "k": f"k\u00a0=\u00a0{asked.k}",
    }
    said = ", ".join(text for name, text in fixed.items() if name != asked.axis)
    each = "" if min(trials) == max(trials) else f"{min(trials)} to "
    return (
        f"{data.public_name}, {count(asked.n)} {data.unit.many} × {data.d} columns, {said}; "
        f"{neighbours(asked.adjacency, data.unit.one)}; {each}{max(trials)} releases per point, "
        f"seed {asked.seed}." + (say("equalised") if asked.equalise else "")
    )


def _releases(number: int) -> str:
    return f"{number} release{'' if number == 1 else 's'}"


def who_keeps_most(known: Sequence[Medians], index: int, chance: float) -> str:
    """Say who keeps most at a point, of those that are measured there; the first if it is a tie.

    Nobody keeps most within sampling error, or where nobody does better than ``chance``.
    """
    best = known[int(np.argmax([m.captured[index] for m in known]))]
    own, first = best.line.releases(index), known[0].line.releases(index)
    if not better(own, first, among=len(known)):
        best, own = known[0], first
    others = [m for m in known if m is not best]
    if all_lost(known, index, chance):
        who = "none of these mechanisms is" if others else f"{best.mechanism.name} is not"
        return f"{who} {say('chance', chance=percent(chance))}"
    among = max(1, len(others))
    tied = [m for m in others if not better(own, m.line.releases(index), among=among)]
    most = "the most, " if others and not tied else ""
    said = f"**{best.mechanism.name}** keeps {most}**{percent(best.captured[index])}**"
    said = f"{said} {interval(own)}".rstrip()
    names = [m.mechanism.name for m in tied]
    who = " and ".join(names) if len(names) <= 2 else f"{len(names)} others"
    return f"{said}, and {who} may keep as much" if tied else said


def all_lost(known: Sequence[Medians], index: int, chance: float) -> bool:
    """Tell whether nobody does better than directions drawn at random."""
    return all(no_better_than_chance(m.line.releases(index), chance) for m in known)


def interval(values: Array) -> str:
    """Write the 95 % interval of the median of captured shares: "(96–98 %)"; "" while unknown."""
    found = median_interval(values)
    return f"({percent_range(*found)})" if found is not None and found.low > 0 else ""


# --- All mechanisms ---


class AllText:
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
        rule = recommended(self.data, asked, 1.0).for_any_number(self.data.unit.many)
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
        guarantee, line = m.guarantees[index], m.line
        if guarantee is None:
            note = line.notes.get(index, "") if line.guarantees else ""
            return ["", "", note and f"no release: {note}"]
        holds = "not private: the preparation reads the data"
        if self.data.private:
            total = self.data.total_guarantee(guarantee, self.study.budgets[index])
            holds = f"{LABELS[total.standing].lower()}: {short_guarantee(total)}"
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


# --- Which directions survive ---


def all_survive(found: Reliabilities) -> bool:
    """Tell whether each direction can be relied on alone, without an order their span."""
    if not found.ordered:
        return found.span is RELIABLE
    return all(direction.level is RELIABLE for direction in found.directions)


def surviving(found: Reliabilities, noun: str) -> str:
    """Say which directions, by a ``noun`` for one, can be relied on.

    "directions 1 and 2 survive, 3 and 4 only together".
    """
    k, every = len(found.directions), _all(noun, len(found.directions))
    if found.span is UNKNOWN:
        return "too few releases were simulated to say what survives"
    if all_survive(found) and (found.ordered or k == 1):
        return f"{every} survive{'s' if k == 1 else ''}"
    if not found.ordered and k > 1:
        together = {RELIABLE: "survive together", SIMILAR: "together are recognisable"}
        said = together.get(found.span)
        return f"{every} {said}, in no order" if said else f"no {noun} survives"
    if k == 1:
        return f"the {noun} is {found.directions[0].level.value}"
    reliable, similar = (
        [d.number for d in found.directions if d.level is level] for level in (RELIABLE, SIMILAR)
    )
    blocks = sorted({d.block for d in found.directions if d.block is not None})
    parts = [f"{joined(reliable)} survive{'s' if len(reliable) == 1 else ''}"] if reliable else []
    parts += [f"{joined(range(first, last + 1))} only together" for first, last in blocks]
    if similar:
        parts.append(f"{joined(similar)} {'is' if len(similar) == 1 else 'are'} recognisable")
    several = len(reliable or similar) > 1 or (blocks and not reliable)
    return f"{noun}{'s' if several else ''} {', '.join(parts)}" if parts else f"no {noun} survives"


def joined(numbers: Sequence[int]) -> str:
    """Write numbers as a list: "1", "3 and 4", "3 to 5" for neighbours of more than two."""
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{numbers[0]} to {numbers[-1]}"
    return listed([str(n) for n in numbers])


def _all(noun: str, k: int) -> str:
    return {1: f"the {noun}", 2: f"both {noun}s"}.get(k, f"all {number_word(k)} {noun}s")


def span_verdict(found: Reliabilities, space: str) -> str:
    """Say how reliable the span of all directions is, with an angle that holds with confidence."""
    angle = ""
    if found.span_bound is not None:
        # To a tenth, rounded up: a whole degree could be of another level.
        angle = f"{ceil(10 * degrees(acos(min(1.0, found.span_bound)))) / 10:g}°"
    if found.span is RELIABLE:
        return f"The {space} stays: 9 of 10 releases are within {angle}"
    if found.span is SIMILAR:
        return f"The {space} turns, but is recognisable: 9 of 10 releases are within {angle}"
    alone = any(d.level is not LOST for d in found.directions)
    whole = " as a whole" if found.ordered and alone else ""
    more = f": 1 in 10 releases may be off by more than {angle}" if angle else ""
    return f"The {space}{whole} is lost{more}"
