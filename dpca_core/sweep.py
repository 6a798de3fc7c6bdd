"""Many releases along an axis, as a tidy table."""

from collections.abc import Callable, Sequence
from os import cpu_count
from typing import TYPE_CHECKING

import numpy as np

from dpca_core.budget import Adjacency, Budget
from dpca_core.mechanism import Mechanism
from dpca_core.problem import Problem
from dpca_core.registry import MECHANISMS
from dpca_core.trace import Draws, Point, Trace, trace

if TYPE_CHECKING:
    from pandas import DataFrame


def sweep(
    mechanisms: Sequence[str | Mechanism],
    problem: Problem,
    *,
    epsilon: float | Sequence[float],
    delta: float | Sequence[float],
    n: float | Sequence[float] | None = None,
    k: int | Sequence[int] | None = None,
    adjacency: Adjacency = Adjacency.ADD_OR_REMOVE_ONE,
    trials: int = 20,
    seed: int = 0,
    on_progress: Callable[[float], bool | None] | None = None,
) -> "DataFrame":
    """Release many times along one axis and measure every release.

    Parameters
    ----------
    mechanisms
        Registry keys, or instances with settings of their own.
    epsilon, delta, n, k
        Exactly one is a sequence: the axis. ``n`` scales the spectrum; None is the problem's.
    trials
        Releases a point. Trial t uses the stream (seed, mechanism, t) at every point.
    on_progress
        Called with the share done, from 0 to 1; returning False stops, and what is done is kept.

    Returns
    -------
    DataFrame
        A row a trial: mechanism, standing, epsilon, delta, n, k, trial, captured (share of what PCA
        captures), captured_of_all, sin_theta (Frobenius), refused, note. Where a mechanism cannot
        meet a budget the metrics are NaN and ``note`` says why.

    Raises
    ------
    ValueError
        Unless exactly one axis is a sequence, for unknown keys, and for fewer than one trial.
    """
    from pandas import DataFrame, concat

    if trials < 1:
        raise ValueError(f"Ask for at least one trial, not {trials}.")
    settings = _settings(
        problem, adjacency, epsilon=epsilon, delta=delta, n=problem.n if n is None else n,
        k=problem.k if k is None else k,
    )  # fmt: skip
    points = [
        (problem.with_k(s["k"]).scaled(s["n"]), Budget(s["epsilon"], s["delta"], adjacency))
        for s in settings
    ]
    frames, step, done = [], 2 * (cpu_count() or 1), 0
    for mechanism in [_known(m) for m in mechanisms]:
        draws = Draws(mechanism, seed, range(trials))
        for start in range(0, len(points), step):
            chunk = points[start : start + step]
            measured = trace(draws, chunk)
            frames += [
                _frame(mechanism, settings[start + i], point, measured, i)
                for i, point in enumerate(chunk)
            ]
            done += len(chunk)
            share = done / (len(points) * len(mechanisms))
            if on_progress is not None and on_progress(share) is False:
                return concat(frames, ignore_index=True)
    return concat(frames, ignore_index=True) if frames else DataFrame()


def _settings(
    problem: Problem, adjacency: Adjacency, **axes: float | Sequence[float]
) -> list[dict[str, float]]:
    """One setting for each point of the axis: the only one of ``axes`` that is a sequence."""
    moving = [name for name, value in axes.items() if not np.isscalar(value)]
    if len(moving) != 1:
        raise ValueError(
            f"Exactly one of epsilon, delta, n, k must be a sequence, not {moving or 'none'}."
        )
    axis = moving[0]
    return [
        {name: float(x if name == axis else value) for name, value in axes.items()}  # type: ignore[arg-type]
        for x in np.ravel(axes[axis])
    ]


def _known(mechanism: str | Mechanism) -> Mechanism:
    if isinstance(mechanism, Mechanism):
        return mechanism
    if mechanism not in MECHANISMS:
        raise ValueError(f"No mechanism {mechanism!r}; choose from {', '.join(MECHANISMS)}.")
    return MECHANISMS[mechanism]


def _frame(
    mechanism: Mechanism, setting: dict[str, float], point: Point, measured: Trace, i: int
) -> "DataFrame":
    from pandas import DataFrame

    note = measured.notes[i]
    standing = "" if note else str(mechanism.guarantee(*point).standing)
    return DataFrame(
        {
            "mechanism": mechanism.key,
            "standing": standing,
            **setting,
            "trial": np.arange(measured.trials),
            "captured": measured.captured[i],
            "captured_of_all": measured.captured_of_all[i],
            "sin_theta": measured.sin_theta[i],
            "refused": measured.refused[i],
            "note": note,
        }
    )
