"""Budgets that others have published with, each with its unit.

From the Differential Privacy Deployments Registry (Nanayakkara, Ghazi & Vadhan 2025) and from
Desfontaines' list of real-world uses of differential privacy.
"""

from typing import NamedTuple


class Published(NamedTuple):
    """One deployment: its ε, and whom, or what part of somebody's data, that protects."""

    name: str
    epsilon: float
    unit: str
    times: int = 1
    """How often it adds up for one of them in a year; 0 where their devices add the noise."""

    @property
    def epsilon_text(self) -> str:
        """ε as it was published."""
        return f"{self.epsilon:g}"

    @property
    def in_a_year(self) -> float:
        """What adds up for one of them in a year; 0 where that is not comparable."""
        return self.times * self.epsilon


PUBLISHED = (
    Published("Wikimedia page views", 1, "a user’s day", 365),
    Published("Apple Health types", 2, "a user’s day, local", 0),
    Published("Microsoft Assistive AI", 4, "a user"),
    Published("Israel, live births", 9.98, "a birth"),
    Published("US Census 2020", 19.6, "a person"),
    Published("LinkedIn audiences", 34.9, "a user’s month", 12),
)
