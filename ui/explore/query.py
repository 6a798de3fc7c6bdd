"""What the Explore page asks for."""

from dataclasses import dataclass
from hashlib import sha256

from dpca_core.data.dataset import Dataset
from dpca_core.mechanisms.base import Mechanism
from dpca_core.privacy.budget import Adjacency


@dataclass(frozen=True)
class ExploreQuery:
    """Everything that defines the picture but not the chosen ε and the target."""

    mechanism: Mechanism
    k: int
    delta: float
    n: float
    adjacency: Adjacency
    seed: int


def query_digest(dataset: Dataset, query: ExploreQuery) -> str:
    """Name the picture: same data and query give the same short digest."""
    text = repr((dataset.identity, query))
    return sha256(text.encode()).hexdigest()[:12]
