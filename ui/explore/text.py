"""What the Explore page says: every sentence at every ε, with **bold** and [[accent]] marks."""

from dataclasses import dataclass

import numpy as np

from dpca_core.analysis.order_statistics import fewest, lower_bound, no_better_than_chance
from dpca_core.analysis.requirements import PeopleNeeded
from dpca_core.data.dataset import Dataset
from dpca_core.data.dataset_guarantee import total_guarantee
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Guarantee, Notion, Standing
from dpca_core.privacy.sensitivity import local_sensitivity
from dpca_core.runtime.cached_property import cached_property
from dpca_core.text.guarantees import LABELS, between, promise
from dpca_core.text.privacy_numbers import epsilon_text
from ui.explore.panel_titles import PanelTitles, epsilon_label, releases_so_far
from ui.explore.query import ExploreQuery
from ui.explore.reliability_text import numbered_directions, surviving_directions
from ui.explore.summary import MechanismSummary, Summary
from ui.state.slider_stops import EPSILON_STOPS
from ui.text.guarantees import attacker_question
from ui.text.noise import MOST_REFUSED
from ui.text.numbers import percent, percent_floor, significant, subspace_name

SURE = fewest()
"""Releases from which something certain can be said of 19 of 20."""


@dataclass(frozen=True)
class ExploreText:
    """The sentences of one query, by number of the ε stop."""

    summary: Summary
    dataset: Dataset
    query: ExploreQuery

    @cached_property
    def name(self) -> str:
        """Chosen mechanism."""
        return self.query.mechanism.name

    @cached_property
    def space(self) -> str:
        """Direction, plane or subspace."""
        return subspace_name(self.query.k)

    @cached_property
    def titles(self) -> PanelTitles:
        """PanelTitles of the panels."""
        return PanelTitles(self.summary)

    @property
    def chosen(self) -> MechanismSummary:
        """Chosen mechanism's numbers."""
        return self.summary.chosen

    def at(self, i: int, people: PeopleNeeded | None) -> dict[str, object]:
        """All sentences at stop i. ``people`` is the answer to "how many would I need"."""
        refused, titles = self.refusal(i), self.titles
        return {
            "answer": refused or self.answer(i),
            "odds": self.odds(i),
            "badge": self.badge(i),
            "kept": titles.kept(i),
            "sin": titles.turned(i),
            "noise": titles.noise(i),
            "ladder": titles.ladder(i),
            "ladder_sub": titles.ladder_sub(i, people),
            "dots": titles.dots(i),
            "dots_sub": titles.dots_sub(i),
            "sin_dots": titles.sin_dots(i),
            "spectrum": titles.spectrum(i),
            "smooth": " ".join(filter(None, (self.centring(), self.smooth(i)))),
            "brief": self.brief(i),
            "refused": refused,
        }

    def at_epsilon(self, i: int) -> str:
        """Return "At ε = 0.1", accented."""
        return f"At [[{epsilon_label(i)}]]"

    def answer(self, i: int) -> str:
        """Return what a release keeps, what 19 of 20 keep, and which directions survive."""
        median, random = self.chosen.captured[i], self.summary.random.captured
        if not np.isfinite(median):
            return f"{self.at_epsilon(i)}: drawing the first releases …"
        values = self.chosen.releases(i)
        if self.query.mechanism.key == "non_private":
            return "Ordinary PCA keeps everything and protects nobody."
        if self.query.mechanism.family == "baseline":
            return f"Directions drawn at random keep **{percent(random)}** of what PCA finds."
        head = f"{self.at_epsilon(i)} a release"
        if no_better_than_chance(values, random):
            chance = f"does no better than directions drawn at random ({percent(random)})"
            return f"{head} {chance}{releases_so_far(values) if len(values) < SURE else ''}."
        text = f"{head} keeps **{percent(median)}** of the variation an ordinary PCA finds"
        bound = lower_bound(values)
        if len(values) < SURE:
            text += releases_so_far(values)
        elif bound is not None and bound > 0:
            text += f"; 19 of 20 keep at least **{percent_floor(bound)}**"
        found = self.summary.study.reliability.at(i)
        survive = "" if found is None else surviving_directions(found.directions, self.space)
        return f"{text}{survive}{self.average()}."

    @property
    def averages(self) -> list[int]:
        """Directions that are mostly the average row, by number; from the second paint on."""
        return self.summary.study.mean_directions if self.summary.study.stage > 1 else []

    def average(self) -> str:
        """Say it in the headline, with what follows from it."""
        if not self.averages:
            return ""
        be = "is" if len(self.averages) == 1 else "are"
        return f"; {numbered_directions(self.averages)} {be} mostly the average {self.dataset.unit.one}"

    def centring(self) -> str:
        """Say what centring privately would do, where a direction is mostly the average."""
        if not self.averages:
            return ""
        one, many = self.dataset.unit.one, self.dataset.unit.many
        return (
            f"The rows are not centred: {numbered_directions(self.averages)} mostly "
            f"{'points' if len(self.averages) == 1 else 'point'} to the average {one}, and what is "
            f"kept there tells little of how {many} differ. A private mean (page “Your data”) "
            f"spends part of ε and leaves the {self.query.k} directions to differences between "
            f"{many}, but for the noise in the mean."
        )

    def refusal(self, i: int) -> str | None:
        """Say that nothing, or not reliably anything, is released; None otherwise."""
        note = self.chosen.measured.notes.get(i)
        if note:
            return f"{self.at_epsilon(i)} {note}" if self.chosen.not_simulated[i] else note
        share = float(self.chosen.refusals[i])
        if share <= MOST_REFUSED:
            return None
        answers = np.flatnonzero(self.chosen.refusals <= MOST_REFUSED)
        often = "refuses" if share > 0.995 else f"refuses {percent(share)} of the time"
        later = (
            f" It answers 9 times in 10 from **{epsilon_label(int(answers[0]))}**."
            if len(answers)
            else ""
        )
        reason = self.query.mechanism.refusal_reason
        return f"{self.at_epsilon(i)} {self.name} **{often}**: {reason}.{later}"

    def gap_text(self) -> str:
        """Return the gap with its unit."""
        gap = self.summary.gap
        unit = self.dataset.unit
        return f"{significant(gap, 3)}\u00a0{unit.one if gap == 1 else unit.many}"

    def total(self, i: int) -> Guarantee | None:
        """Guarantee of mechanism and preprocessing together, at stop i."""
        guarantee = self.chosen.guarantees[i]
        if guarantee is None:
            return None
        return total_guarantee(self.dataset, guarantee, self.summary.study.budget(EPSILON_STOPS[i]))

    def odds(self, i: int) -> str:
        """Bound the chance of a right guess about one person, rounded up."""
        one = self.dataset.unit.one
        if not self.dataset.private:
            return (
                "No bound on guesses holds: the preprocessing reads the data without paying for it."
            )
        guarantee = self.total(i)
        if guarantee is None:
            return "Nothing is released, so nothing is given away."
        if guarantee.standing is Standing.UNCERTIFIED:
            return f"No bound on a guess about one {one} is proved."
        if guarantee.notion is Notion.NONE:
            return f"Nothing protects one {one}: a guess about their record may always be right."
        asked = attacker_question(guarantee, one)
        guess = f"a guess {asked}"
        times = int(np.ceil(guarantee.guess_probability() * 100 - 1e-9))
        if times == 100:
            return f"Almost no protection: {guess} may be right 100\u00a0times in 100."
        return f"Someone guessing {asked} is right at most **{times} times in 100** (a coin: 50)."

    def badge(self, i: int) -> dict[str, str | None]:
        """Standing and true guarantee, with the paper's claim beside it where they differ."""
        guarantee = self.total(i)
        if not self.dataset.private:
            return {
                "label": "NOT PRIVATE", "kind": "not", "reason": None,
                "line": "the preprocessing reads the data without paying for it",
            }  # fmt: skip
        if guarantee is None:
            return {"label": "NO RELEASE", "kind": "none", "line": "", "reason": None}
        label, kind = LABELS[guarantee.standing]
        problem, budget = self.summary.study.points[i]
        claim = self.query.mechanism.claim(problem, budget)
        line = f"{promise(guarantee)}, {between(guarantee, self.dataset.unit.one)}"
        if claim is not None and abs(claim.epsilon / max(guarantee.epsilon, 1e-300) - 1) > 0.005:
            line += f"; the paper claims ε\u00a0=\u00a0{epsilon_text(claim.epsilon)}"
        reason = " ".join(x for x in (guarantee.erratum, f"Source: {guarantee.source}.") if x)
        return {"label": label, "kind": kind, "line": line, "reason": reason}

    def smooth(self, i: int) -> str:
        """Say how much noise smooth sensitivity would add at this gap, whatever is chosen."""
        if self.query.delta == 0:
            return "Smooth sensitivity with Gaussian noise needs δ > 0."
        problem, budget = self.summary.study.points[i]
        noise = MECHANISMS["smooth_gaussian_printed"].calibrate(problem, budget).scale
        turn = local_sensitivity(problem.gap, problem.d, problem.k, budget.adjacency)
        one = self.dataset.unit.one
        return (
            f"Smooth sensitivity: at this gap of {self.gap_text()} one {one} can move the basis of "
            f"the {self.space} by {significant(turn)} (Frobenius norm), and the noise of "
            f"{MECHANISMS['smooth_gaussian_printed'].name} is **{significant(noise)}** per entry "
            "of a direction (an entry is at most 1)."
        )

    def brief(self, i: int) -> str:
        """Answer and odds in a few characters, for a phone."""
        median = self.chosen.captured[i]
        kept = percent(median) if np.isfinite(median) else "no release"
        guarantee = self.total(i) if self.dataset.private else None
        if guarantee is None or guarantee.notion is Notion.NONE:
            return f"{kept} · not private" if not self.dataset.private else kept
        return f"{kept} · {int(np.ceil(guarantee.guess_probability() * 100 - 1e-9))} in 100"
