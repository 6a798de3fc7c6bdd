"""What more people do for privacy at the same quality."""

from functools import lru_cache
from math import exp

import numpy as np
from scipy.interpolate import PchipInterpolator

from dpca_core.analysis.needed import round_up
from dpca_core.figures.chart import Axis, Dot
from dpca_core.figures.colours import CHANCE, family_role
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.registry import PURE_DEFAULT
from dpca_core.metrics import random_baseline
from dpca_core.privacy.budget import Budget
from dpca_core.simulation.trials import TrialDraws, run_trials
from ui.learn.pictures import Fields, Picture, Say, curves
from ui.learn.releases import EPSILON, noise_scale, rand_problem
from ui.state.settings import Settings

TARGET, TIMES, TRIALS, POINTS = Settings().target, 10, 160, 61
MEASURED = (0.02, 0.04, 0.065, 0.1, 0.16, 0.4, 2.0)
"""Values of ε at which releases are measured."""


def measure(n: float, seed: int) -> Fields:
    """Measure what 9 of 10 releases keep along ε, and scale it to n people and ten times n."""
    problem, kept = rand_problem(2), _kept(seed)
    # What is kept follows from noise over people alone, and this noise from 1/ε.
    curve = np.array(MEASURED) * problem.n / n
    needed = exp(float(PchipInterpolator(kept, np.log(curve))(TARGET)))
    same = same_quality(EPSILON)
    return {
        "times": TIMES,
        "more": TIMES * n,
        "mechanism": PURE_DEFAULT.name,
        "target": TARGET,
        "trials": TRIALS,
        "curve_epsilons": curve,
        "curve": kept,
        "kept": float(_smooth(curve, kept, np.array(EPSILON))),
        "same": same,
        "needed": round_up(needed),
        "needed_more": round_up(same_quality(needed)),
        "random": random_baseline(problem).captured,
        "fewer": n / TIMES,
        "needed_fewer": round_up(same_quality(needed, 1 / TIMES)),
        "choices": (EPSILON, EPSILON / 2, EPSILON / TIMES**0.5, same),
        "truth": same,
    }


def same_quality(epsilon: float, times: float = TIMES) -> float:
    """Return the ε at which the noise is so many times as large, so the same share of people."""
    more = noise_scale(epsilon / times, PURE_DEFAULT)
    return epsilon * noise_scale(epsilon, PURE_DEFAULT) / more


@lru_cache(maxsize=64)
def _kept(seed: int) -> Array:
    """What 9 of 10 releases keep at each ε, at RAND's own size."""
    points = [(rand_problem(2), Budget(epsilon)) for epsilon in MEASURED]
    captured = run_trials(TrialDraws(PURE_DEFAULT, seed, range(TRIALS)), points).captured
    return np.asarray(np.quantile(captured, 0.1, axis=-1))


def _smooth(epsilons: Array, kept: Array, x: Array) -> Array:
    """Interpolate monotonically in log ε; NaN outside of what was measured."""
    return np.asarray(PchipInterpolator(np.log(epsilons), kept, extrapolate=False)(np.log(x)))


def pictures(fields: Fields, told: bool, say: Say) -> list[Picture]:
    """Draw the curve at n people, and with the answer the one at ten times as many."""
    measured, kept = fields["curve_epsilons"], fields["curve"]
    x = np.geomspace(measured[0] / TIMES, measured[-1], POINTS)
    role, dot = family_role(PURE_DEFAULT.family), "" if told else say("dot")
    lines = [(say("curve", people=fields["n"]), _smooth(measured, kept, x), role, "solid")]
    dots = [Dot(fields["epsilon"], fields["kept"], dot, "ink")]
    if told:
        more = _smooth(measured / TIMES, kept, x)
        lines.append((say("curve", people=fields["more"]), more, "accent", "dash"))
        dots.append(Dot(fields["same"], fields["kept"], say("dot")))
    lines.append((say("random"), np.full(POINTS, fields["random"]), CHANCE, "dot"))
    axes = Axis(x[0], x[-1], log=True, title="ε"), Axis(0, 1.02, tick_format=".0%")
    drawn = curves(*axes, x, lines, dots)
    return [say.picture("told" if told else "asked", drawn)]
