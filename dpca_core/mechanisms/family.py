"""Families of mechanisms: what a mechanism adds noise to, and how. Each has one colour."""

from enum import StrEnum


class Family(StrEnum):
    """A family of mechanisms; a palette gives each member one colour."""

    GAUSSIAN = "gaussian"
    GAUSSIAN_TRIANGLE = "gaussian triangle"
    LAPLACE = "laplace"
    WISHART = "wishart"
    EXPONENTIAL = "exponential"
    SMOOTH = "smooth"
    GAP_RELEASE = "gap release"
    SULQ = "sulq"
    POWER = "power"
    LOCAL = "local"
    BASELINE = "baseline"
