"""Curves that a visitor pinned, to compare other settings of the same data with."""

from dataclasses import dataclass
from typing import Any

from dpca_core.data.provenance import Unit
from dpca_core.text.guarantee_sentences import neighbours
from dpca_core.text.privacy_numbers import power
from ui.explore.measurements import Study
from ui.explore.query import ExploreQuery
from ui.explore.summary import summarize
from ui.text.numbers import count


@dataclass(frozen=True)
class PinnedCurves:
    """The chosen mechanism's curves of one query.

    Attributes
    ----------
    identity
        Of the data (``Dataset.identity``).
    unit
        Of the data.
    kept, sin
        Variation kept and ‖sin Θ‖_F at each ε, (p,).
    """

    identity: str
    unit: Unit
    query: ExploreQuery
    kept: list[float]
    sin: list[float]

    @classmethod
    def of(cls, study: Study, target: float) -> "PinnedCurves":
        """Pin what a study has measured so far of the chosen mechanism."""
        dataset, chosen = study.dataset, summarize(study, target).chosen
        kept, sin = chosen.captured.tolist(), chosen.sin_theta.tolist()
        return cls(dataset.identity, dataset.unit, study.query, kept, sin)

    def beside(self, present: ExploreQuery) -> dict[str, Any]:
        """Return the curves, with a name that tells them from those of the present query.

        Pictures can be saved: the name of somebody's file stays out of them.
        """
        query, unit = self.query, self.unit
        words = [
            query.mechanism.name,
            f"k\u00a0=\u00a0{query.k}",
            f"δ\u00a0=\u00a0{power(query.delta)}",
        ]
        if query.n != present.n:
            words.append(f"{count(query.n)} {unit.many}")
        if query.adjacency != present.adjacency:
            words.append(neighbours(query.adjacency, unit.one))
        return {"label": ", ".join(words), "kept": self.kept, "sin": self.sin}
