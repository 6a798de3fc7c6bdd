"""Many releases along an axis, as a tidy table."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dpca_core.data.dataset import Dataset
from dpca_core.mechanisms.equalise import equalised
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.registry import mechanism_of
from dpca_core.privacy.budget import Adjacency, Budget, InfeasibleBudget
from dpca_core.problem import Problem
from dpca_core.simulation.trials import Point, TrialDraws, TrialMetrics, run_trials

if TYPE_CHECKING:
    from pandas import DataFrame

_BLOCK_ENTRIES = 16_000_000
"""Entries of unit noise that are in memory at once."""


def sweep(
    mechanisms: Sequence[str | Mechanism],
    problem: Problem | Dataset,
    *,
    epsilon: float | Sequence[float],
    delta: float | Sequence[float],
    n: float | Sequence[float] | None = None,
    k: int | Sequence[int] | None = None,
    adjacency: Adjacency = Adjacency.ADD_OR_REMOVE_ONE,
    trials: int = 20,
    seed: int = 0,
    equalise: bool = False,
) -> "DataFrame":
    """Release many times along one axis and measure every release.

    Parameters
    ----------
    mechanisms
        Registry keys, or instances with settings of their own; each key once.
    problem
        The data; a data set with a private mean pays for it at each point.
    epsilon, delta, n, k
        Exactly one is a sequence: the axis. ``n`` scales the spectrum; None is the problem's.
    trials
        Releases a point. Trial t uses the generator of (seed, mechanism, t) at every point.
    equalise
        Ask printed mechanisms for the ε at which their true ε is the one stated.

    Returns
    -------
    DataFrame
        A row a trial: mechanism, standing, epsilon, delta, n, k, trial, captured (share of what PCA
        captures), captured_of_all, sin_theta (Frobenius), refused, note. Where a mechanism cannot
        meet a budget the metrics are NaN and ``note`` says why.

    Raises
    ------
    ValueError
        For settings that make no sense. ImportError without pandas.
    """
    try:
        from pandas import DataFrame, concat
    except ModuleNotFoundError as error:
        raise ImportError(
            "sweep returns a pandas DataFrame: "
            "pip install '.[tables]' in this project’s folder adds pandas."
        ) from error
    if not isinstance(problem, Problem | Dataset):
        raise ValueError(
            "sweep needs a problem, not rows: Problem.from_rows(rows, k=2), for example, makes one."
        )
    if trials < 1:
        raise ValueError(f"Ask for at least one trial, not {trials}.")
    if k is None and isinstance(problem, Dataset):
        raise ValueError("Say how many directions k a data set is asked for.")
    whole = problem.people if isinstance(problem, Dataset) else problem.n
    settings = _settings(
        epsilon=epsilon,
        delta=delta,
        n=whole if n is None else n,
        k=problem.k if k is None and isinstance(problem, Problem) else k,
    )
    resolved = _all_resolved(mechanisms)
    points = [_point(problem, s, adjacency, seed) for s in settings]
    if not (points and resolved):
        return DataFrame()
    some = max(1, _BLOCK_ENTRIES // problem.d**2)
    blocks = [range(t, min(t + some, trials)) for t in range(0, trials, some)]
    frames = []
    for mechanism in resolved:
        run_at = [_equalised(mechanism, *point) for point in points] if equalise else points
        parts = [run_trials(TrialDraws(mechanism, seed, block), run_at) for block in blocks]
        for i, (setting, point) in enumerate(zip(settings, run_at, strict=True)):
            frames.append(DataFrame(_rows(mechanism, setting, point, parts, i)))
    return concat(frames, ignore_index=True)


def _equalised(mechanism: Mechanism, problem: Problem, budget: Budget) -> Point:
    try:
        return problem, equalised(mechanism, problem, budget)
    except InfeasibleBudget:
        return problem, budget


def _point(
    data: Problem | Dataset, setting: dict[str, float], adjacency: Adjacency, seed: int
) -> Point:
    budget = Budget(setting["epsilon"], setting["delta"], adjacency)
    if isinstance(data, Problem):
        return data.with_k(setting["k"]).scaled(setting["n"]), budget
    return data.point(setting["k"], setting["n"], budget, seed)


def _settings(**axes: Any) -> list[dict[str, float]]:
    """One setting for each point of the axis: the only one of ``axes`` that is a sequence."""
    for name, value in axes.items():
        if np.asarray(value).dtype.kind not in "iuf":
            raise ValueError(f"{name} must be a number or a list of numbers, not {value!r}.")
    moving = [name for name, value in axes.items() if not np.isscalar(value)]
    if len(moving) != 1:
        raise ValueError(
            f"Exactly one of epsilon, delta, n, k must be a sequence, not {moving or 'none'}."
        )
    return [
        {name: float(x if name in moving else value) for name, value in axes.items()}
        for x in np.ravel(axes[moving[0]])
    ]


def _all_resolved(mechanisms: Sequence[str | Mechanism]) -> list[Mechanism]:
    if isinstance(mechanisms, str | Mechanism):
        key = mechanisms if isinstance(mechanisms, str) else mechanisms.key
        raise ValueError(f"mechanisms must be a list, such as [{key!r}].")
    found = [mechanism_of(mechanism) for mechanism in mechanisms]
    keys = [mechanism.key for mechanism in found]
    if twice := [key for key in dict.fromkeys(keys) if keys.count(key) > 1]:
        raise ValueError(
            f"{', '.join(twice)} would stand for two curves: sweep settings of one mechanism one "
            "after the other."
        )
    return found


def _rows(
    mechanism: Mechanism,
    setting: dict[str, float],
    point: Point,
    parts: Sequence[TrialMetrics],
    i: int,
) -> dict[str, Any]:
    """Columns of the table at point i, all trials one below the other."""
    note = parts[0].notes[i]
    measured = {
        name: np.concatenate([getattr(part, name)[i] for part in parts])
        for name in ("captured", "captured_of_all", "sin_theta", "refused")
    }
    return {
        "mechanism": mechanism.key,
        "standing": "" if note else str(mechanism.guarantee(*point).standing),
        **setting,
        "trial": np.arange(len(measured["refused"])),
        **measured,
        "note": note,
    }
