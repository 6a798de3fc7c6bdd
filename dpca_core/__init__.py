"""Differentially private PCA: mechanisms, exact guarantees, and what they cost.

Modules write ``import scipy`` and ``scipy.special.ndtr``: SciPy loads a subpackage when it is first
used. At the top of a module its subpackages would make ``import dpca_core`` four times as dear.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dpca_core.estimator import PrivatePCA
    from dpca_core.figures.plot import plot
    from dpca_core.mechanisms.mechanism import Mechanism, Noise, Release
    from dpca_core.mechanisms.registry import MECHANISMS
    from dpca_core.privacy.budget import (
        Adjacency,
        Budget,
        Guarantee,
        InfeasibleBudget,
        Notion,
        PrivacyWarning,
        Standing,
    )
    from dpca_core.problem import Problem
    from dpca_core.simulation.sweep import sweep

    __version__: str

__all__ = [
    "MECHANISMS", "Adjacency", "Budget", "Guarantee", "InfeasibleBudget", "Mechanism", "Noise",
    "Notion", "PrivacyWarning", "PrivatePCA", "Problem", "Release", "Standing", "plot", "sweep",
]  # fmt: skip
if find_spec("sklearn") is None:
    # It is named when it is asked for, not when everything is.
    __all__.remove("PrivatePCA")

_HOMES = {
    "MECHANISMS": "mechanisms.registry",
    "Mechanism": "mechanisms.mechanism",
    "Noise": "mechanisms.mechanism",
    "PrivatePCA": "estimator",
    "Problem": "problem",
    "Release": "mechanisms.mechanism",
    "plot": "figures.plot",
    "sweep": "simulation.sweep",
}
"""Where names are defined; all others in ``privacy.budget``."""


def __dir__() -> list[str]:
    """Name what is public, imported or not."""
    return [*__all__, "__version__"]


def __getattr__(name: str) -> Any:
    """Import what is asked for: ``dpca_core.verify`` is to be read without all the rest."""
    if name == "__version__":
        return import_module(f"{__name__}.version").VERSION
    if name not in {*__all__, *_HOMES}:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        home = _HOMES.get(name, "privacy.budget")
        return getattr(import_module(f"{__name__}.{home}"), name)
    except ModuleNotFoundError as error:
        if not str(error.name).startswith("sklearn"):
            raise
        raise ImportError(
            "PrivatePCA needs scikit-learn: "
            "pip install '.[sklearn]' in this project’s folder adds it."
        ) from error
