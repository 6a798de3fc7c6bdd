"""What the Explore page says: every sentence at every ε, with **bold** and [[accent]] marks."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dpca_core.budget import Guarantee, Notion, Standing
from dpca_core.dataset import Dataset
from dpca_core.inverse import PeopleNeeded
from dpca_core.order_statistics import lower_bound
from dpca_core.registry import MECHANISMS
from dpca_core.sensitivity import local_sensitivity
from ui.format import (
    CONFIDENCE,
    count,
    epsilon_text,
    percent,
    percent_floor,
    rounded_count,
    significant,
)
from ui.promises import LABELS, between, promise, question, total_guarantee
from ui.study import EPSILONS, View
from ui.summary import REFUSALS_DRAWN, Row, Summary


def space(k: int) -> str:
    """Name what k directions span."""
    return {1: "direction", 2: "plane"}.get(k, "subspace")


@dataclass(frozen=True)
class Words:
    """The sentences of one view, by number of the ε stop."""

    summary: Summary
    dataset: Dataset
    view: View

    @cached_property
    def name(self) -> str:
        """Chosen mechanism."""
        return self.view.mechanism.name

    @cached_property
    def space(self) -> str:
        """Direction, plane or subspace."""
        return space(self.view.k)

    @property
    def chosen(self) -> Row:
        """Chosen mechanism's numbers."""
        return self.summary.chosen

    def at(self, i: int, people: PeopleNeeded | None) -> dict[str, object]:
        """All sentences at stop i. ``people`` is the answer to "how many would I need"."""
        refused = self.refusal(i)
        return {
            "answer": refused or self.answer(i),
            "odds": self.odds(i),
            "badge": self.badge(i),
            "kept": self.kept(i),
            "sin": self.turned(i),
            "noise": self.noise(i),
            "ladder": self.ladder(i),
            "ladder_sub": self.ladder_sub(i, people),
            "dots": self.dots(i),
            "sin_dots": self.sin_dots(i),
            "spectrum": self.spectrum(i),
            "smooth": self.smooth(i),
            "brief": self.brief(i),
            "refused": refused,
        }

    def at_epsilon(self, i: int) -> str:
        """Return "At ε = 0.1", accented."""
        return f"At [[{at(i)}]]"

    def answer(self, i: int) -> str:
        """Return what a release keeps, and what 19 of 20 keep."""
        median = self.chosen.captured[i]
        if not np.isfinite(median):
            return f"{self.at_epsilon(i)} this release is being measured…"
        kept = f"keeps **{percent(median)}** of what PCA would capture"
        head = f"{self.at_epsilon(i)} this release {kept}"
        values = self.chosen.measured.captured[i]
        bound = lower_bound(values[self.chosen.measured.done[i]])
        if bound is None or bound <= 0:
            return f"{head}."
        return f"{head}; 19 of 20 releases keep at least **{percent_floor(bound)}**."

    def refusal(self, i: int) -> str | None:
        """Say that nothing, or not reliably anything, is released; None otherwise."""
        note = self.chosen.measured.notes.get(i)
        if note:
            return note
        share = float(self.chosen.refusals[i])
        if share <= REFUSALS_DRAWN:
            return None
        answers = np.flatnonzero(self.chosen.refusals <= REFUSALS_DRAWN)
        often = "refuses" if share > 0.995 else f"refuses {percent(share)} of the time"
        later = f" It answers 9 times in 10 from **{at(int(answers[0]))}**." if len(answers) else ""
        return (
            f"{self.at_epsilon(i)} {self.name} **{often}**: {self.view.mechanism.refusal}.{later}"
        )

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
        return total_guarantee(self.dataset, guarantee, self.summary.study.budget(EPSILONS[i]))

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
        guess = f"a guess {question(guarantee, one)}"
        times = int(np.ceil(guarantee.even_odds() * 100 - 1e-9))
        if times == 100:
            return f"Next to no promise: {guess} may be right 100\u00a0times in 100."
        return f"From even odds, {guess} is right at most **{times} times in 100**."

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
        claim = self.view.mechanism.claim(problem, budget)
        line = f"{promise(guarantee)}, {between(guarantee, self.dataset.unit.one)}"
        if claim is not None and abs(claim.epsilon / max(guarantee.epsilon, 1e-300) - 1) > 0.005:
            line += f"; the paper claims ε\u00a0=\u00a0{epsilon_text(claim.epsilon)}"
        reason = " ".join(x for x in (guarantee.erratum, f"Source: {guarantee.source}.") if x)
        return {"label": label, "kind": kind, "line": line, "reason": reason}

    def kept(self, i: int) -> str:
        """Title of the first panel: who keeps how much."""
        median = self.chosen.captured[i]
        if not np.isfinite(median):
            return self._no_release(i)
        rivals = [r for r in self.summary.rivals if r.ranked[i] and np.isfinite(r.captured[i])]
        good = [r for r in rivals if r.captured[i] >= 0.99]
        if len(good) >= 3:
            return f"{len(good)} of {len(self.summary.rivals)} mechanisms keep 99\u00a0% or more"
        best = max(rivals, key=lambda r: r.captured[i], default=self.chosen)
        if best is not self.chosen and best.captured[i] >= median + 0.01:
            head = f"{best.mechanism.name} would keep {percent(best.captured[i])}, "
            return head + f"{self.name} keeps {percent(median)}"
        alone = len(rivals) > 1 and best is self.chosen
        title = f"{self.name} keeps {'the most, ' if alone else ''}{percent(median)}"
        floor = self.summary.random.captured
        lost = [r.mechanism.name for r in rivals if r.captured[i] <= floor + 0.03]
        if alone and lost and median > floor + 0.1:
            names = lost[0] if len(lost) == 1 else f"{', '.join(lost[:-1])} and {lost[-1]}"
            title += f"; {names} no more than a random {self.space}" if len(lost) < 3 else ""
        return title

    def turned(self, i: int) -> str:
        """Title of the second panel: whether the subspace turns."""
        turn = self.chosen.sin_theta[i]
        if not np.isfinite(turn):
            return "No release to compare" if self.refusal(i) else "How far it turns"
        if turn > self.summary.random.sin_theta / 2:
            return f"…but the {self.space} turns: sin Θ = {turn:.2f}"
        return f"The {self.space} {'turns a little' if turn > 0.1 else 'stays put'}"

    def noise(self, i: int) -> str:
        """Title of the third panel: noise against gap."""
        ratio = self.summary.noise_over_gap(i)
        if ratio is None:
            return f"{self.name} {self.view.mechanism.does}"
        turn = self.chosen.sin_theta[i]
        because = "…because the" if turn > self.summary.random.sin_theta / 2 else "The"
        if not np.isfinite(ratio):
            return f"{because} noise meets no eigengap at all"
        if ratio >= 1:
            return f"{because} noise is {significant(ratio)} times the eigengap"
        return (
            f"The noise is {ratio * 100:.0f}\u00a0% of the eigengap"
            if ratio >= 0.005
            else ("The noise is less than 1\u00a0% of the eigengap")
        )

    def ladder(self, i: int) -> str:
        """Title of the fourth panel: how many mechanisms reach the target."""
        able = [r for r in self.summary.rivals if reaches(r, i)]
        if len(self.summary.rivals) < 2:
            return f"At {at(i)}, the other mechanisms are being measured: which keep {{target}}?"
        every = len(self.summary.rivals)
        who = {0: f"none of {every} mechanisms keeps", 1: f"1 of {every} mechanisms keeps"}.get(
            len(able), f"{len(able)} of {every} mechanisms keep"
        )
        head = f"At {at(i)}, {who}"
        return head + " {target} in 9 of 10 releases"

    def ladder_sub(self, i: int, people: PeopleNeeded | None) -> str:
        """Both inverse questions for the chosen mechanism."""
        needed, target = self.chosen.needed, percent_floor(self.summary.target)
        if needed is None:
            return ""
        if self.view.mechanism.family == "baseline":
            return f"{self.name} does not depend on ε."
        many = self.dataset.unit.many
        have = f"you have {count(self.view.n)}"
        first = (
            f"{self.name} does not keep {target} in 9 of 10 releases by ε\u00a0=\u00a0100"
            if needed.epsilon is None
            else f"{'' if needed.certain else 'about '}**ε\u00a0=\u00a0"
            f"{epsilon_text(needed.epsilon)}** keeps {target} in 9 of 10 releases"
            f"{CONFIDENCE if needed.certain else ''}"
        )
        if people is None or people.n is None:
            return f"{first}."
        about = "" if people.certain else "about "
        return f"{first}; at {at(i)} it takes {about}**{rounded_count(people.n)} {many}** ({have})."

    def dots(self, i: int) -> str:
        """Count the dots that reach the target."""
        if not np.isfinite(self.chosen.captured[i]):
            return self._no_release(i)
        kept = int((self.chosen.captured_dots[i] >= self.summary.target).sum())
        return f"{kept} of 25 releases keep {percent_floor(self.summary.target)} or more"

    def sin_dots(self, i: int) -> str:
        """Say how far half the releases turn."""
        turn = self.chosen.sin_theta[i]
        return f"Half of them turn by {turn:.2f} or more" if np.isfinite(turn) else ""

    def spectrum(self, i: int) -> str:
        """Compare gap and noise in one sentence."""
        ratio = self.summary.noise_over_gap(i)
        if ratio is None:
            return "The gap of the data"
        if ratio >= 1:
            return "The noise swallows the gap"
        return (
            "The gap stands clear of the noise" if ratio < 0.5 else "The noise reaches into the gap"
        )

    def smooth(self, i: int) -> str:
        """Say how much noise smooth sensitivity would add at this gap, whatever is chosen."""
        if self.view.delta == 0:
            return "Smooth sensitivity with Gaussian noise needs δ > 0."
        problem, budget = self.summary.study.points[i]
        noise = MECHANISMS["smooth_gaussian_printed"].calibrate(problem, budget).scale
        turn = local_sensitivity(problem.gap, problem.d, problem.k, budget.adjacency)
        one = self.dataset.unit.one
        return (
            f"Smooth sensitivity: at this gap of {self.gap_text()} one {one} can turn the "
            f"{self.space} by {significant(turn)}, and the printed noise is "
            f"**{significant(noise)}** per entry (an entry is at most 1)."
        )

    def brief(self, i: int) -> str:
        """Answer and odds in a few characters, for a phone."""
        median = self.chosen.captured[i]
        kept = percent(median) if np.isfinite(median) else "no release"
        guarantee = self.total(i) if self.dataset.private else None
        if guarantee is None or guarantee.notion is Notion.NONE:
            return f"{kept} · not private" if not self.dataset.private else kept
        return f"{kept} · {int(np.ceil(guarantee.even_odds() * 100 - 1e-9))} in 100"

    def _no_release(self, i: int) -> str:
        return "Nothing is released" if self.refusal(i) else "Measuring…"


def at(i: int) -> str:
    """Return "ε = 0.1" for stop i."""
    return f"ε\u00a0=\u00a0{epsilon_text(EPSILONS[i])}"


def reaches(row: Row, i: int) -> bool:
    """Tell whether a ranked mechanism keeps the target in 9 of 10 releases at stop i."""
    needed = None if row.needed is None else row.needed.epsilon
    return bool(row.ranked[i]) and needed is not None and needed <= EPSILONS[i]
