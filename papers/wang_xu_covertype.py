"""Wang & Xu 2020, Figures 1 and 2 on Covertype: Algorithm 1, beside what one direction explains."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Adjacency, Budget
from dpca_core.simulation.trials import TrialDraws
from papers.experiment import (
    Axis,
    Experiment,
    Link,
    Measure,
    Panel,
    Results,
    Role,
    Scale,
    Series,
    Setting,
    Statement,
    Verdict,
)
from papers.predicates import falls
from papers.wang_xu_errors import largest_distance, projector_distance, random_distance
from papers.wang_xu_runs import DELTA
from sample_data import load_key

DATA, COLUMNS, PEOPLE = "covtype_unit", 54, 581_012.0
PEOPLE_DRAWN = (1e4, 5e4, 1e5, 2e5, 4e5, PEOPLE)
EPSILONS_DRAWN = (0.1, 0.2, 0.5, 1.0, 2.0)
K, EPSILON = 5, 0.5
DIRECTIONS, EPSILONS = (1.0, 2.0, 5.0, 10.0, 20.0), (0.1, 0.5, 1.0, 2.0)
PRINTED, LOCAL, CURATOR, RANDOM, ONE = "printed", "calibrated", "curator", "random", "one exact"

SERIES = (
    Series(PRINTED, "As stated, no curator", Role.PRINTED, "local_printed"),
    Series(LOCAL, "Calibrated, no curator", Role.REPAIRED, "local_gaussian"),
    Series(CURATOR, "Gaussian of a curator", Role.REPAIRED, "gaussian"),
    Series(RANDOM, "Random directions", Role.REFERENCE, "random_projection", trials=60),
    Series(ONE, "First direction exact, others random", Role.REFERENCE, trials=1),
)


def _measured(k: int, epsilon: float, over_people: bool) -> Measure:
    """Errors ‖V̂V̂ᵀ − VVᵀ‖_F against the directions of all rows; S is scaled to n."""

    def measure(series: Series, places: Sequence[float], trials: range, seed: int) -> Array:
        if series.mechanism is None:
            rest = random_distance(COLUMNS - 1, k - 1) if k > 1 else 0.0
            return np.full((len(places), 1), rest)
        whole = load_key(DATA).problem(k)
        draws = TrialDraws(MECHANISMS[series.mechanism], seed, trials)
        errors = []
        for place in places:
            problem = whole.scaled(place) if over_people else whole
            budget = Budget(epsilon if over_people else place, DELTA, Adjacency.REPLACE_ONE)
            errors.append(projector_distance(whole.basis, draws.release(problem, budget).bases))
        return np.array(errors)

    return measure


def _found(error: float, k: int) -> float:
    """How many of k directions an error leaves: tr V̂V̂ᵀVVᵀ = k − error²/2."""
    return k - error**2 / 2


def _facts(k: int, results: Results) -> dict[str, object]:
    first, last = (float(results.xs(PRINTED)[i]) for i in (0, -1))
    return {
        "k": k,
        "found_first": _found(results.mean(PRINTED, first), k),
        "found_last": _found(results.mean(PRINTED, last), k),
        "found_random": _found(results.mean(RANDOM, last), k),
        "first": first,
        "last": last,
        "at_first": results.mean(PRINTED, first),
        "at_last": results.mean(PRINTED, last),
        "local": results.mean(LOCAL, last),
        "curator": results.mean(CURATOR, last),
        "random": results.mean(RANDOM, last),
        "one": results.mean(ONE, last),
    }


def _settings(k: int, epsilon: float, over_people: bool) -> tuple[Setting, ...]:
    ours = "not printed"
    found = [
        Setting("rows", "each divided by its own length", True),
        Setting("k", f"{k}", False, ours, "k", DIRECTIONS, k),
        Setting("δ", f"{DELTA:g}", False, "printed for Figure 3 only"),
        Setting("releases", "20", True),
        Setting("subsets", "S of all rows, scaled", False, "stands for random subsets of the rows"),
        Setting("Buzz, Year", "left out", False, "no file at hand"),
    ]
    if over_people:
        found.insert(2, Setting("ε", f"{epsilon:g}", False, ours, "epsilon", EPSILONS, epsilon))
    else:
        found.insert(2, Setting("n", "581,012: all", False, ours))
    return tuple(found)


def _figure(key: str, number: str, over_people: bool, k: int, epsilon: float) -> Experiment:
    over = "sample size increases" if over_people else "ϵ increases (i.e., becomes less private)"
    axis = Axis("n", Scale.LOG, PEOPLE_DRAWN) if over_people else Axis(
        "ε", Scale.LOG, EPSILONS_DRAWN
    )  # fmt: skip
    what = "{first:,.0f} to {last:,.0f} rows" if over_people else "ε = {first:g} to {last:g}"
    asked = {"data": DATA, "k": f"{k}", "epsilon": f"{epsilon:g}", "delta": f"{DELTA:g}"}
    return Experiment(
        key=key,
        paper="wang-xu",
        number=number,
        title="Covertype, no curator",
        asks="What do more people buy?" if over_people else "What does a looser ε buy?",
        panels=(Panel("", axis),),
        y=Axis(
            "error ‖V̂V̂ᵀ − VVᵀ‖_F", low=0.0, ceiling=largest_distance(k), ceiling_name="√(2k)"
        ),
        series=SERIES,
        settings=_settings(k, epsilon, over_people),
        statements=(
            Statement(
                f"the error decreases as the {over}",
                "section 6.1",
                lambda results: falls(results, PRINTED),
            ),
        ),
        verdict=Verdict.ALL_HOLD,
        sentence=(
            f"The error falls, from {{at_first:.2f}} to {{at_last:.2f}} over {what}. Of {{k}} "
            "directions that is {found_first:.1f} to {found_last:.1f} found (k less half the "
            "squared error); random ones count for {found_random:.1f}."
        ),
        because=(
            "Rows of length 1 that are not centred share one direction, the average row: with it "
            "exact and the others at random the error is {one:.2f}, with all at random "
            "{random:.2f}. Calibrated to the stated (ε, δ) the error ends at {local:.2f}; a "
            "curator’s Gaussian ends at {curator:.3f}."
        ),
        facts=partial(_facts, k),
        measure=_measured(k, epsilon, over_people),
        links=(
            Link("local", {**asked, "source": "data"}),
            Link("compare", {
                **asked, "axis": "n" if over_people else "epsilon",
                "adjacency": "replace_one", "trials": "20",
                "mechanisms": "local_printed,local_gaussian,gaussian,random_projection,non_private",
            }),
        ),
        trials=20,
        seconds=2.0,
    )  # fmt: skip


def figure_1(chosen: Mapping[str, float] | None = None) -> Experiment:
    """Figure 1, left: error against the number of rows."""
    found = {"k": K, "epsilon": EPSILON, **(chosen or {})}
    figure = _figure("wang-xu-fig-1", "Figure 1", True, int(found["k"]), found["epsilon"])
    return replace(figure, vary=figure_1)


def figure_2(chosen: Mapping[str, float] | None = None) -> Experiment:
    """Figure 2, left: error against ε."""
    found = {"k": K, **(chosen or {})}
    return replace(
        _figure("wang-xu-fig-2", "Figure 2", False, int(found["k"]), EPSILON), vary=figure_2
    )


FIGURES = (figure_1(), figure_2())
