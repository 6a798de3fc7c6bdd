"""What the Explore page says: its captions and notes, with **bold** and [[accents]].

The sentence at the top is in ``headline``, titles of the panels in ``chart_titles``, the guarantee
in ``guarantee_text``, the checklist of disclosures in ``disclosures``, and which directions survive
in ``reliability_text``.
"""

from dataclasses import dataclass

import numpy as np

from dpca_core.analysis.needed import PeopleNeeded
from dpca_core.mechanisms.registry import SMOOTH_PRINTED
from dpca_core.privacy.sensitivity import local_sensitivity
from dpca_core.runtime.cached_property import cached_property
from dpca_core.text.guarantee_sentences import neighbours, short_odds
from dpca_core.text.privacy_numbers import epsilon_text, power
from ui.explore.chart_titles import PanelTitles
from ui.explore.guarantee_text import GuaranteeText
from ui.explore.headline import Headline
from ui.explore.measurement_plan import RIVAL_TRIALS
from ui.explore.reliability_text import directions_by_number
from ui.explore.summary import MechanismSummary, Summary
from ui.text.certainty import CONFIDENCE_LEVEL
from ui.text.numbers import count, percent, significant, subspace_name

PAGE_NOT_PRIVATE = {
    "text": "**This page is not private.** It shows the true spectrum and directions of the data "
    "so that you can choose. Publish only a release.",
    "short": "**Not private:** shows the true data.",
    "public_label": "The data are public or synthetic",
    "public_short": "Public or synthetic",
}
LOADINGS_NOTE = (
    "bar: 80\u00a0% of releases; dot: one release; tick: PCA without privacy. Aligned to the "
    "true directions for display only."
)
IMAGES_NOTE = (
    "Top: PCA without privacy. Below: one release, aligned to it for display only. Orange: "
    "positive; violet: negative."
)
RELEASE_TITLE = "What a release looks like"
WHICH_EPSILON = (
    f"Beside each mechanism: the ε that surely keeps the target ({CONFIDENCE_LEVEL}, by the first "
    f"{RIVAL_TRIALS} releases per point), or after “about” what these releases estimate."
)


@dataclass(frozen=True)
class ExploreText:
    """The sentences of one query, by index of ε."""

    summary: Summary

    @cached_property
    def space(self) -> str:
        """Direction, plane or subspace."""
        return subspace_name(self.summary.study.query.k)

    @cached_property
    def titles(self) -> PanelTitles:
        """Titles of the panels."""
        return PanelTitles(self.summary)

    @cached_property
    def guarantee(self) -> GuaranteeText:
        """Sentences on the guarantee."""
        return GuaranteeText(self.summary)

    @property
    def chosen(self) -> MechanismSummary:
        """Chosen mechanism's numbers."""
        return self.summary.chosen

    def sentences(self, index: int, people: PeopleNeeded | None) -> dict[str, object]:
        """Return all sentences at one ε, by the place where the browser shows them.

        Parameters
        ----------
        people
            The answer to "how many people would I need"; None where it is not known.
        """
        titles, headline = self.titles, Headline(self.summary)
        before, _, after = titles.mechanisms(index).partition("{target}")
        return {
            "answer": headline.answer(index),
            "odds": self.guarantee.odds(index),
            "badge": self.guarantee.badge(index),
            "kept": titles.kept(index),
            "sin": titles.angle(index),
            "noise": titles.noise(index),
            "ladder": before,
            "ladder_after": after,
            "ladder_sub": titles.needed(index, people),
            "dots": titles.dots(index),
            "dots_sub": titles.dots_caption(index),
            "sin_dots": titles.angle_dots(index),
            "spectrum": titles.spectrum(index),
            "smooth_sensitivity": " ".join(
                filter(None, (self.centring(), self.smooth_sensitivity(index)))
            ),
            "brief": self.brief(index),
            "refused": headline.refusal(index),
        }

    def centring(self) -> str:
        """Say what subtracting a private mean would do, where a direction is mostly the mean."""
        numbers = Headline(self.summary).mean_directions
        if not numbers:
            return ""
        unit, k = self.summary.study.dataset.unit, self.summary.study.query.k
        what = "direction" if k == 1 else f"{k} directions"
        point, they_keep = ("points", "it keeps") if len(numbers) == 1 else ("point", "they keep")
        return (
            f"The rows are not centred: {directions_by_number(numbers)} {point} mostly towards the "
            f"average {unit.one}, and the variation {they_keep} says little about how {unit.many} "
            "differ. A private mean (page “Your data”) costs part of ε and leaves the "
            f"{what} to differences between {unit.many}, apart from the noise in the mean."
        )

    def gap(self) -> str:
        """Return the gap with its unit."""
        gap, unit = self.summary.gap, self.summary.study.dataset.unit
        return f"{significant(gap, 3)}\u00a0{unit.one if gap == 1 else unit.many}"

    def crossing(self, epsilon: float) -> str:
        """Label the ε at which noise and gap are equal."""
        return f"noise = gap at ε\u00a0=\u00a0{epsilon_text(float(f'{epsilon:.2g}'))}"

    def smooth_sensitivity(self, index: int) -> str:
        """Say how much noise smooth sensitivity would add at this gap, whatever is chosen."""
        study = self.summary.study
        if study.query.delta == 0:
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

    def brief(self, index: int) -> str:
        """Return answer and odds in a few characters, for a phone."""
        median = self.chosen.captured[index]
        kept = percent(median) if np.isfinite(median) else "no release"
        private = self.summary.study.dataset.private
        odds = short_odds(self.guarantee.total(index), private=private).replace("**", "")
        return f"{kept} · {odds}"

    def setting(self) -> str:
        """Name what is shown, for a phone, on which the controls are hidden."""
        study = self.summary.study
        return (
            f"{study.dataset.short}, **{study.query.mechanism.name}**, "
            f"k\u00a0=\u00a0{study.query.k}, δ\u00a0=\u00a0{power(study.query.delta)}"
        )

    def printed(self) -> str:
        """Name all settings but ε, for paper, on which there are no controls."""
        study = self.summary.study
        data, query = study.dataset, study.query
        return (
            f"{data.name}: {count(query.n)} {data.unit.many} × {study.problem.d} columns. "
            f"{query.mechanism.name}, k\u00a0=\u00a0{query.k}, "
            f"δ\u00a0=\u00a0{power(query.delta)}, "
            f"{neighbours(query.adjacency, data.unit.one)}, seed {query.seed}."
        )

    def footer(self) -> str:
        """Say what was measured, and how often."""
        study = self.summary.study
        data, query = study.dataset, study.query
        return (
            f"{data.name}, {count(data.people)} {data.unit.many} × {study.problem.d} columns, "
            f"{data.licence}. {self.chosen.measured.known()[1]} releases per point for "
            f"{query.mechanism.name}, seed {query.seed}. {WHICH_EPSILON}"
        )

    def projection_title(self) -> str:
        """Title of the scatter plots of rows on true and released directions."""
        many = self.summary.study.dataset.unit.many
        return f"The {many}, seen along true and released directions"

    def projection_note(self, rows: int) -> str:
        """Say what the scatter plots show."""
        return (
            f"{rows} {self.summary.study.dataset.unit.many} drawn at random, along the first two "
            "true and released directions. Not private: it shows records."
        )
