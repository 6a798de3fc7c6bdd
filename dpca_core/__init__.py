"""Differentially private PCA: mechanisms, exact guarantees, and what they cost."""

from dpca_core.budget import Adjacency, Budget, Guarantee, InfeasibleBudget, Notion, Standing
from dpca_core.mechanism import Mechanism, Noise, Release
from dpca_core.problem import Problem
from dpca_core.registry import MECHANISMS
from dpca_core.sweep import sweep

__all__ = [
    "MECHANISMS",
    "Adjacency",
    "Budget",
    "Guarantee",
    "InfeasibleBudget",
    "Mechanism",
    "Noise",
    "Notion",
    "Problem",
    "Release",
    "Standing",
    "sweep",
]
