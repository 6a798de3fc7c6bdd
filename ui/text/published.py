"""Budgets that others have published with, each with its unit.

From the Differential Privacy Deployments Registry (Nanayakkara, Ghazi & Vadhan 2025) and from
Desfontaines' list of real-world uses of differential privacy; the advice is that of Cowan,
Shoemate & Pereira 2024, Hands-On Differential Privacy, chapter 9.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Published:
    """One deployment.

    Attributes
    ----------
    epsilon
        Of the unit: a day's adds up over days.
    unit
        Whom, or what part of somebody's data, it protects.
    """

    name: str
    epsilon: float
    unit: str

    @property
    def epsilon_text(self) -> str:
        """ε as it was published."""
        return f"{self.epsilon:g}"

    @property
    def in_a_year(self) -> float | None:
        """What adds up for one of them in a year; None where their devices add the noise."""
        times = {"a user’s day": 365, "a user’s month": 12}.get(self.unit, 1)
        return None if self.unit.endswith("local") else times * self.epsilon


PUBLISHED = (
    Published("Wikimedia page views", 1, "a user’s day"),
    Published("Apple Health types", 2, "a user’s day, local"),
    Published("Microsoft Assistive AI", 4, "a user"),
    Published("Israel, live births", 9.98, "a birth"),
    Published("US Census 2020", 19.6, "a person"),
    Published("LinkedIn audiences", 34.9, "a user’s month"),
)
