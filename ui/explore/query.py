"""What the Explore page is asked."""

from dataclasses import dataclass
from hashlib import sha256

from dpca_core.data.dataset import Dataset
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.privacy.budget import Adjacency


@dataclass(frozen=True)
class ExploreQuery:
    """Everything that defines the numbers measured, but not the chosen ε and the target.

    Its form in the address, with ε and the target, is ``ui.state.settings.Settings``.
    """

    mechanism: Mechanism
    k: int
    delta: float
    n: float
    adjacency: Adjacency
    seed: int

    def digest(self, dataset: Dataset) -> str:
        """Return a short name that is the same for the same data and query."""
        return sha256(repr((dataset.identity, self)).encode()).hexdigest()[:12]
