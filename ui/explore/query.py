"""Which mechanisms Explore measures and draws, and the curves that a visitor pins."""

from dataclasses import dataclass

from dpca_core.analysis.recommendation import Recommendation, recommended_mechanism
from dpca_core.data.dataset import Dataset
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.registry import MECHANISMS, shown_by_default
from dpca_core.text.guarantee_sentences import neighbours
from dpca_core.text.privacy_numbers import power
from ui.explore.along import Along
from ui.text.numbers import count

_KEYS = ("gaussian", "wishart_difference", "ppca", "laplace")
COMPANIONS, MOST_CURVES = tuple(MECHANISMS[key] for key in _KEYS), 5
"""Drawn beside the chosen and the recommended mechanism: always the same, as there is room."""


def recommended(data: Dataset, asked: Along, people: float | None = None) -> Recommendation:
    """Return what is recommended by public settings; of ``people``, as asked if None."""
    return recommended_mechanism(
        asked.n if people is None else people,
        data.d,
        data.mechanism_budget(asked.budget),
        k=asked.k,
        rows_per_person=data.rows_per_person,
        rows_read_again=data.summed is None,
    )


def mechanisms_of(data: Dataset, asked: Along, chosen: Mechanism) -> tuple[Mechanism, ...]:
    """Return what is measured along ε: the chosen one, then the usual and what may be recommended.

    Whatever may be, at some ε and for some number of people: the list stays while these move.
    """
    named = (*shown_by_default(), *recommended(data, asked.at(1.0)).may_keep_most)
    others = [m for m in MECHANISMS.values() if m in named and m.key != chosen.key]
    return (chosen, *others)


def drawn_of(data: Dataset, asked: Along, chosen: Mechanism) -> tuple[Mechanism, ...]:
    """Return whose curves are drawn unless all are: chosen, what may be recommended, companions."""
    named = recommended(data, asked.at(1.0)).may_keep_most
    others = dict.fromkeys(m for m in (*named, *COMPANIONS) if m.key != chosen.key)
    return (chosen, *others)[:MOST_CURVES]


def identity_of(data: Dataset, asked: Along, chosen: Mechanism, target: float) -> str:
    """Return a name that is the same for every refinement of one answer, wherever ε stands."""
    return f"{asked.digest(data)} {chosen} {target:g}"


@dataclass(frozen=True)
class Pinned:
    """The chosen mechanism's curves of settings that a visitor keeps, to compare others with.

    Attributes
    ----------
    identity
        Of the data (``Dataset.identity``).
    captured, sin_theta
        Medians at each ε.
    """

    identity: str
    mechanism: Mechanism
    asked: Along
    captured: Array
    sin_theta: Array

    def name(self, present: Along, data: Dataset) -> str:
        """Return a name that tells it from the present curves: the name of a file stays out."""
        asked = self.asked
        words = [
            f"Pinned: {self.mechanism.name}",
            f"k\u00a0=\u00a0{asked.k}",
            f"δ\u00a0=\u00a0{power(asked.delta)}",
        ]
        if asked.n != present.n:
            words.append(f"{count(asked.n)} {data.unit.many}")
        if asked.adjacency != present.adjacency:
            words.append(neighbours(asked.adjacency, data.unit.one))
        return ", ".join(words)
