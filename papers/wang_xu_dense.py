"""Wang & Xu 2020, Figure 3: Algorithm 1 on its synthetic data, beside random directions."""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from math import isinf

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.registry import MECHANISMS, RANDOM_DEFAULT
from dpca_core.privacy.budget import Adjacency, Budget
from dpca_core.problem import Problem
from dpca_core.simulation.trials import TrialDraws
from dpca_core.text.listed import listed
from papers.experiment import (
    Axis,
    Experiment,
    Link,
    Panel,
    Results,
    Role,
    Scale,
    Series,
    Setting,
    Statement,
    Verdict,
)
from papers.predicates import below, rises
from papers.wang_xu_covertype import CURATOR, EPSILONS, LOCAL, RANDOM
from papers.wang_xu_errors import projector_distance, random_distance
from sample_data.wang_xu import DENSE_K, Sample, directions_of, sample_moment

DENSE_PEOPLE, DENSE_COLUMNS = (1e4, 2e4, 4e4, 6e4, 8e4, 1e5), (40.0, 60.0, 80.0, 100.0)
PRINTED_EPSILON = 0.5
MOST_PEOPLE_PRINTED, FIGURE_COLUMNS, PRINTED_DELTA = 1e5, 40, 1e-4
AXES = ("n", "p", "ε")
STRONGEST = "strongest data"
SLACK = 0.01
"""By how much of its size an error may lie below that of random directions, unseen in a figure."""


def printed_key(axis: str, k: int) -> str:
    """Name of a printed curve."""
    return f"{axis}: k={k}"


def _key(axis: str, what: str, k: int) -> str:
    return f"{axis}: {what}, k={k}"


@cache
def _sample(n: float, p: int, k: int, strength: float, seed: int) -> Sample:
    """Draw the design of the figure; with λ = ∞ all records have length 1, in the k directions."""
    if not isinf(strength):
        return sample_moment(n, p, k, p, strength=strength, seed=seed)
    directions = directions_of(p, k, p, np.random.default_rng(seed))
    return Sample(n / k * directions @ directions.T, directions, np.ones(p, dtype=bool))


def _expected(series: Series, place: float) -> float:
    """Return √(2k(p − k)/p), the root mean square of the error of random directions."""
    p = int(place) if series.panel == 1 else FIGURE_COLUMNS
    return random_distance(p, int(series.asked["k"]))


def _measure(series: Series, places: Sequence[float], trials: range, seed: int) -> Array:
    """Errors ‖V̂V̂ᵀ − VVᵀ‖_F (G, T): data, directions and noise are new in each trial."""
    k, strength = int(series.asked["k"]), series.asked.get("strength", 1.0)
    mechanism = MECHANISMS[series.mechanism or ""]
    if mechanism is RANDOM_DEFAULT:
        return np.array([[_expected(series, place)] for place in places])
    errors = np.empty((len(places), len(trials)))
    for i, place in enumerate(places):
        n = place if series.panel == 0 else MOST_PEOPLE_PRINTED
        p = int(place) if series.panel == 1 else FIGURE_COLUMNS
        epsilon = place if series.panel == 2 else PRINTED_EPSILON
        budget = Budget(epsilon, PRINTED_DELTA, Adjacency.REPLACE_ONE)
        for j, trial in enumerate(trials):
            # Each seed's samples are its own, and no other seed's.
            sample = _sample(n, p, k, strength, (seed << 16) + trial)
            problem = Problem(sample.moment, n, k)
            draws = TrialDraws(mechanism, seed, range(trial, trial + 1))
            bases = draws.release(problem, budget).bases
            errors[i, j] = float(projector_distance(sample.directions, bases)[0])
    return errors


def _series() -> tuple[Series, ...]:
    found = []
    for panel, axis in enumerate(AXES):
        found += [
            Series(printed_key(axis, k), f"k = {k}, as stated", Role.PRINTED, "local_printed",
                   {"k": k}, panel)
            for k in DENSE_K
        ]  # fmt: skip
        found += [
            Series(_key(axis, RANDOM, k), f"k = {k}, random directions", Role.REFERENCE,
                   "random_projection", {"k": k}, panel, trials=1)
            for k in DENSE_K
        ]  # fmt: skip
        least = DENSE_K[0]
        found += [
            Series(_key(axis, LOCAL, least), f"k = {least}, calibrated, local", Role.REPAIRED,
                   "local_gaussian", {"k": least}, panel),
            Series(_key(axis, CURATOR, least), f"k = {least}, Gaussian of a curator",
                   Role.REPAIRED, "gaussian", {"k": least}, panel),
        ]  # fmt: skip
    strongest = Series(
        _key("n", STRONGEST, DENSE_K[0]), f"k = {DENSE_K[0]}, as stated, strongest data",
        Role.REFERENCE, "local_printed", {"k": DENSE_K[0], "strength": float("inf")},
    )  # fmt: skip
    return (*found, strongest)


def _drop(results: Results, axis: str, k: int) -> float:
    """By what share of its size a printed curve falls from end to end."""
    means = results.means(printed_key(axis, k))
    return float(1 - means[-1] / means[0])


def _decreases(results: Results) -> bool:
    """Whether every curve falls by more than a figure leaves unseen."""
    axes = (AXES[0], AXES[2])
    return all(_drop(results, axis, k) > SLACK for axis in axes for k in DENSE_K)


def _increases(results: Results) -> bool:
    in_p = all(rises(results, printed_key(AXES[1], k)) for k in DENSE_K)
    in_k = all(
        results.mean(printed_key(axis, a), x) < results.mean(printed_key(axis, b), x)
        for axis in AXES
        for a, b in pairwise(DENSE_K)
        for x in results.xs(printed_key(axis, a))
    )
    return in_p and in_k


def as_random(results: Results) -> bool:
    """Whether no printed curve over n is surely below random directions, as a figure shows it."""
    return not any(
        below(
            results,
            printed_key("n", k),
            _key("n", RANDOM, k),
            x,
            SLACK * results.mean(_key("n", RANDOM, k), x),
        )
        for k in DENSE_K
        for x in results.xs(printed_key("n", k))
    )


def _judge(results: Results, statements: Sequence[Statement]) -> Verdict:
    """No curve of directions as good as random can fall: the paper says that its own do."""
    if as_random(results) and not statements[0].holds(results):
        return Verdict.CANNOT_BE
    return Verdict.ALL_HOLD if all(s.holds(results) for s in statements) else Verdict.ONE_FAILS


def _facts(results: Results) -> dict[str, object]:
    n, least = MOST_PEOPLE_PRINTED, DENSE_K[0]
    errors = [results.mean(printed_key("n", k), n) for k in DENSE_K]
    randoms = [results.mean(_key("n", RANDOM, k), n) for k in DENSE_K]
    return {
        "n": n,
        "errors": listed([f"{v:.3f}" for v in errors]),
        "randoms": listed([f"{v:.3f}" for v in randoms]),
        "ks": listed([str(k) for k in DENSE_K]),
        "least": least,
        "drop": max(_drop(results, AXES[0], k) for k in DENSE_K),
        "few": DENSE_PEOPLE[0],
        "strong": results.mean(_key("n", STRONGEST, least), n),
        "printed": errors[0],
        "random": randoms[0],
        "curator": results.mean(_key("n", CURATOR, least), n),
        "local": results.mean(_key("n", LOCAL, least), n),
    }


def figure_3() -> Experiment:
    """Figure 3: dense directions, over n, p and ε."""
    return Experiment(
        key="wang-xu-fig-3",
        paper="wang-xu",
        number="Figure 3",
        title="Synthetic data, no curator",
        asks="Does the error fall with more people?",
        panels=(
            Panel("over n: p = 40, ε = 0.5", Axis("n", Scale.LOG, DENSE_PEOPLE)),
            Panel("over p: n = 100,000, ε = 0.5", Axis("p", Scale.LOG, DENSE_COLUMNS)),
            Panel("over ε: n = 100,000, p = 40", Axis("ε", Scale.LOG, EPSILONS)),
        ),
        y=Axis("error ‖V̂V̂ᵀ − VVᵀ‖_F", low=0.0),
        series=_series(),
        settings=(
            Setting("Σ", "λVVᵀ/(5p(λ + 1)) + I/(5p(λ + 1)), λ = 1", True),
            Setting("k", "5, 10, 15, 20", True),
            Setting("p", "40", True),
            Setting("n", "100,000", True),
            Setting("ε", "0.5", True),
            Setting("δ", "0.0001", True),
            Setting("places along axes", "as drawn here", False, "not in the text at hand"),
            Setting("releases", "20, each with data of its own", True),
        ),
        statements=(
            Statement(
                "the error decreases as the sample size increases or ε increases",
                "section 6.1",
                _decreases,
            ),
            Statement(
                "the error increases as the dimensionality p increases or the dimensionality k of "
                "the target subspace increases",
                "section 6.1",
                _increases,
            ),
        ),
        verdict=Verdict.CANNOT_BE,
        judge=_judge,
        sentence=(
            "At the printed setting this cannot be so: with {n:,.0f} people the errors for "
            "k = {ks} are {errors}, those of random directions {randoms}. From {few:,.0f} people "
            "on they fall by {drop:.1%} at most: a curve that can be seen to fall does not "
            "come from this noise on these data."
        ),
        because=(
            "On the strongest data of this shape, records of length 1 in the k directions, the "
            "curve for k = {least} would fall to {strong:.2f}, against {random:.2f} at random. "
            "Calibrated noise of each person’s own leaves {local:.2f}; with a curator the error is "
            "{curator:.3f}."
        ),
        facts=_facts,
        measure=_measure,
        links=(
            Link("local", {"epsilon": "0.5", "delta": "0.0001", "k": "5", "n": "100000"}),
            Link("compare", {
                "data": "wangxu", "axis": "n", "epsilon": "0.5", "delta": "0.0001", "k": "5",
                "adjacency": "replace_one", "trials": "20",
                "mechanisms": "local_printed,local_gaussian,gaussian,random_projection,non_private",
            }),
        ),
        trials=20,
        seconds=9.0,
    )  # fmt: skip


FIGURES = (figure_3(),)
