"""First answers at one direction more and at one fewer, composed before they are asked for.

Whoever has seen k directions mostly looks at a neighbour of k next. To measure and compose what it
shows at first takes most of the server's part of an answer, and a moment of the time in which
nobody waits.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from ui.explore.measurement_plan import FIRST_TRIALS
from ui.explore.measurements import Study
from ui.explore.query import ExploreQuery
from ui.state.slider_stops import EPSILON_STOPS

MOST_SECONDS = 0.1
"""Seconds that the releases of such an answer may take: perhaps nobody will look at it."""
REFINED = 2
"""The stage of a study after its first refinement."""


class View(NamedTuple):
    """What the page shows of a study, beside what is pinned; names as in ``page_content``."""

    identity: str
    epsilon: float
    target: float
    public: bool


def neighbours_of(query: ExploreQuery, most: int) -> list[ExploreQuery]:
    """Return the same query at one direction more, of ``most``, and at one fewer."""
    return [replace(query, k=k) for k in (query.k + 1, query.k - 1) if 1 <= k <= most]


def may_follow(study: Study) -> bool:
    """Tell whether first answers like that of a study may be made ahead.

    Where they are quick, and not before it is refined once: while the browser draws the first
    answer, it needs the processor, and whoever is in haste has pressed the next key.
    """
    seconds = study.pace.average(study.query.mechanism) * len(EPSILON_STOPS) * FIRST_TRIALS
    return study.stage >= REFINED and seconds <= MOST_SECONDS


class AnswersAhead:
    """Studies whose first answer is measured, each with the content that a view shows of it."""

    def __init__(self) -> None:
        self._made: dict[str, tuple[View, Study, dict[str, Any]]] = {}

    def __len__(self) -> int:
        """Return how many answers are made."""
        return len(self._made)

    def make(
        self,
        views: dict[str, View],
        begun: Callable[[str], Study],
        composed: Callable[[View, Study], dict[str, Any]],
        should_yield: Callable[[], bool],
    ) -> None:
        """Make the first answers to some queries, and drop all others.

        Parameters
        ----------
        views
            What is shown, by the digests of the queries.
        begun, composed
            Begins the study of such a query, and composes its content.
        should_yield
            Whether others are waiting; asked before every part of the work.
        """
        made = self._made.items()
        self._made = {name: answer for name, answer in made if views.get(name) == answer[0]}
        for name, view in views.items():
            if name in self._made or should_yield():
                continue
            study = begun(name)
            study.first_paint(EPSILON_STOPS.index(view.epsilon))
            if should_yield():
                return
            self._made[name] = view, study, composed(view, study)

    def study(self, name: str) -> Study | None:
        """Return the study of a query, by its digest, if its answer is made."""
        return self._made[name][1] if name in self._made else None

    def content(self, name: str, view: View) -> dict[str, Any] | None:
        """Hand over the content of a query's answer, if that is what the view shows."""
        known, _, content = self._made.pop(name, (None, None, None))
        return content if known == view else None
