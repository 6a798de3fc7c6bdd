"""Budgets that others have published with, each with its unit: ``published.toml``.

From the Differential Privacy Deployments Registry (Nanayakkara, Ghazi & Vadhan 2025) and from
Desfontaines' list of real-world uses of differential privacy.
"""

import tomllib
from pathlib import Path
from typing import NamedTuple


class Published(NamedTuple):
    """One deployment: its ε, whom that protects, and what adds up for one of them in a year."""

    name: str
    epsilon_text: str
    unit: str
    in_a_year: float


_FOUND = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["published"]
PUBLISHED = tuple(Published(**one) for one in _FOUND)
