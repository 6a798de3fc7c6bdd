"""Budgets that others have published with, each with its unit.

From the Differential Privacy Deployments Registry (Nanayakkara, Ghazi & Vadhan 2025) and from
Desfontaines' list of real-world uses of differential privacy.
"""

from typing import NamedTuple


class Published(NamedTuple):
    """One deployment: its ε, and whom, or what part of somebody's data, that protects.

    What adds up for one of them ``in_a_year`` is 0 where their devices add the noise.
    """

    name: str
    epsilon_text: str
    unit: str
    in_a_year: float


PUBLISHED = (
    Published("Wikimedia page views", "1", "a user’s day", 365),
    Published("Apple Health types", "2", "a user’s day, local", 0),
    Published("Microsoft Assistive AI", "4", "a user", 4),
    Published("Israel, live births", "9.98", "a birth", 9.98),
    Published("US Census 2020", "19.6", "a person", 19.6),
    Published("LinkedIn audiences", "34.9", "a user’s month", 12 * 34.9),
)
