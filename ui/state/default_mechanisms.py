"""Which mechanisms stand beside each other where nobody has chosen: one rule for all pages."""

from dpca_core.mechanisms.base import Mechanism
from dpca_core.mechanisms.registry import MECHANISMS

MOST_RELATIVE_COST = 20.0
"""Eigendecompositions a release may cost; a slower mechanism is measured on request only."""


def usual() -> tuple[Mechanism, ...]:
    """Return the calibrated ones with a trusted curator whose releases are quick, in menu order."""
    return tuple(
        m
        for m in MECHANISMS.values()
        if m.family not in ("baseline", "local")
        and not m.printed
        and m.relative_cost <= MOST_RELATIVE_COST
    )
