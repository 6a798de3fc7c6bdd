"""Differentially private PCA: mechanisms, exact guarantees, and what they cost.

Modules write ``import scipy`` and ``scipy.special.ndtr``: SciPy loads a subpackage when it is first
used. At the top of a module, ``scipy.special``, ``scipy.linalg`` and ``scipy.optimize`` would make
``import dpca_core`` four times as expensive (``benchmarks/import_cost.py``).
"""

from typing import TYPE_CHECKING, Any

from dpca_core.mechanisms.base import Mechanism, Noise, Release
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import (
    Adjacency,
    Budget,
    Guarantee,
    InfeasibleBudget,
    Notion,
    Standing,
)
from dpca_core.problem import Problem
from dpca_core.simulation.sweep import sweep

if TYPE_CHECKING:
    from dpca_core.estimator import PrivatePCA
    from dpca_core.figures.plot import plot

__all__ = [
    "MECHANISMS",
    "Adjacency",
    "Budget",
    "Guarantee",
    "InfeasibleBudget",
    "Mechanism",
    "Noise",
    "Notion",
    "PrivatePCA",
    "Problem",
    "Release",
    "Standing",
    "plot",
    "sweep",
]


def __getattr__(name: str) -> Any:
    """Import what few scripts need when they ask for it: the estimator, and figures."""
    if name == "plot":
        from dpca_core.figures.plot import plot

        return plot
    if name == "PrivatePCA":
        try:
            from dpca_core.estimator import PrivatePCA
        except ModuleNotFoundError as error:
            if not str(error.name).startswith("sklearn"):
                raise
            raise ImportError(
                "PrivatePCA needs scikit-learn: pip install 'scikit-learn>=1.6' adds it."
            ) from error
        return PrivatePCA
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
