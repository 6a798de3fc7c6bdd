"""The sentence at the top of the Explore page, in every state; with **bold** and [[accents]]."""

from dataclasses import dataclass

import numpy as np

from dpca_core.analysis.order_statistics import (
    NINETEEN_OF_TWENTY,
    fewest,
    lower_bound,
    no_better_than_chance,
)
from dpca_core.audit.absence import proves_absence
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.registry import NON_PRIVATE
from dpca_core.privacy.budget import Guarantee, Notion, Standing
from dpca_core.text.privacy_numbers import epsilon_text, upward
from ui.explore.chart_titles import epsilon_label, releases_so_far
from ui.explore.guarantee_text import CLAIM_TOLERANCE, GuaranteeText
from ui.explore.reliability_text import directions_by_number, surviving_directions
from ui.explore.summary import MechanismSummary, Summary
from ui.text.noise import MOST_REFUSED
from ui.text.numbers import percent, percent_floor, subspace_name

ENOUGH_FOR_BOUND = fewest(NINETEEN_OF_TWENTY)
"""Releases from which on a bound for 19 of 20 can be stated with confidence."""
NO_PRIVACY = "Ordinary PCA keeps everything and protects nobody."
LARGE_DELTA = " With δ this large, somebody’s record may simply be published."


@dataclass(frozen=True)
class Headline:
    """The headline of one query, by index of ε."""

    summary: Summary

    @property
    def chosen(self) -> MechanismSummary:
        """Chosen mechanism's numbers."""
        return self.summary.chosen

    def answer(self, index: int) -> str:
        """Say what a release keeps and what is wrong with it, in one sentence."""
        return self.refusal(index) or self._measured(index)

    def _measured(self, index: int) -> str:
        at = f"At [[{epsilon_label(index)}]]"
        median, random = self.chosen.captured[index], self.summary.random.captured
        if not np.isfinite(median):
            return f"{at}: drawing the first releases …"
        if self.chosen.mechanism == NON_PRIVATE:
            return NO_PRIVACY
        if self.chosen.mechanism.role == "baseline":
            return f"Directions drawn at random keep **{percent(random)}** of the variation."
        values = self.chosen.releases(index)
        few = releases_so_far(values) if len(values) < ENOUGH_FOR_BOUND else ""
        lost, wrong = no_better_than_chance(values, random), self._wrong_promise(index)
        if lost:
            text = f"{at} a release does no better than directions drawn at random "
            text += f"({percent(random)}){few}"
        else:
            text = f"{at} a release keeps **{percent(median)}** of the variation an ordinary "
            text += f"PCA finds{few}"
        if wrong:
            text += f"{', and' if lost else ', but'} {wrong}"
        elif not lost:
            text += self._bound(values) + self._directions(index)
        return f"{text}.{LARGE_DELTA if self._large_delta(index) else ''}"

    def _bound(self, values: Array) -> str:
        """Say what 19 of 20 releases keep; "" where the releases are too few to tell."""
        bound = lower_bound(values, NINETEEN_OF_TWENTY)
        if bound is None or bound <= 0:
            return ""
        return f"; 19 of 20 keep at least **{percent_floor(bound)}**"

    def _directions(self, index: int) -> str:
        """Say which directions survive, and which are mostly the mean."""
        study, numbers = self.summary.study, self.mean_directions
        found = study.reliability.at(index)
        text = ""
        if found is not None:
            text = surviving_directions(found.directions, subspace_name(study.query.k))
        if numbers:
            be, one = "is" if len(numbers) == 1 else "are", study.dataset.unit.one
            text += f"; {directions_by_number(numbers)} {be} mostly the average {one}"
        return text

    @property
    def mean_directions(self) -> list[int]:
        """Directions that are mostly the mean row, by number; from the second paint on."""
        study = self.summary.study
        return study.mean_directions if study.stage > 1 else []

    def _wrong_promise(self, index: int) -> str:
        """Say what is wrong with the promise, to follow "but"; "" where it holds."""
        if not self.summary.study.dataset.private:
            return "its preparation reads the data before any noise: no promise holds"
        guarantee = self.chosen.guarantees[index]
        if guarantee is None:
            return ""
        if guarantee.standing is Standing.REFUTED:
            return f"its promise is false{self._proofs_of_absence(guarantee)}"
        if guarantee.standing is Standing.UNCERTIFIED:
            return "nothing is proved about its privacy"
        if guarantee.standing is Standing.WEAKER:
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

    def _weaker_promise(self, index: int, true: Guarantee) -> str:
        """Set the paper's ε beside the true one."""
        study = self.summary.study
        claim = study.query.mechanism.claim(*study.points[index])
        if claim is None or true.epsilon <= claim.epsilon * (1 + CLAIM_TOLERANCE):
            return "less is proved than its paper claims"
        promised, holds = epsilon_text(claim.epsilon), upward(true.epsilon)
        return f"the paper promises ε\u00a0=\u00a0{promised}; what holds is **{holds}**"

    def _large_delta(self, index: int) -> bool:
        """Tell whether δ reaches one in the number of people, under a promise that has a δ."""
        guarantee = GuaranteeText(self.summary).total(index)
        if guarantee is None or guarantee.standing is Standing.REFUTED:
            return False
        spends = guarantee.notion in (Notion.APPROXIMATE, Notion.LOCAL)
        return spends and guarantee.delta * self.summary.study.query.n >= 1

    def refusal(self, index: int) -> str | None:
        """Say that nothing, or not reliably anything, is released; None otherwise."""
        at = f"At [[{epsilon_label(index)}]]"
        note = self.chosen.measured.notes.get(index)
        if note:
            return f"{at} {note}" if self.chosen.not_simulated[index] else note
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
        measured = np.flatnonzero(self.chosen.measured.done.any(axis=1))
        refusing = measured[self.chosen.refusals[measured] > MOST_REFUSED]
        answered = measured[measured > refusing.max(initial=-1)]
        return int(answered[0]) if len(answered) else None
