"""Wang & Xu 2020, Figures 1 to 4: directions without a curator, beside what is had by chance."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from itertools import pairwise
from math import isinf
from typing import Any

import numpy as np

from dpca_core.privacy.budget import Budget
from dpca_core.problem import Problem
from dpca_core.text.listed import listed
from papers.card import Card, Fields, Panel, Role, Series, declare, of_releases, released, replaced
from papers.table import SURE, Table
from papers.wang_xu_errors import largest_distance, projector_distance, random_distance
from papers.wang_xu_tables import DELTA, table_1, table_2
from sample_data import load_key
from sample_data.synthetic import DENSE_K, SPARSE_S, Sample, directions_of, sample_moment

COLUMNS = 54


def _covertype(number: int, over: str) -> Callable[..., Card]:
    """Return the maker of a card: errors against the directions of all rows; S is scaled to n."""

    def make(k: float = 5, epsilon: float = 0.5) -> Card:
        k = int(k)
        one_exact = random_distance(COLUMNS - 1, k - 1) if k > 1 else 0.0
        whole = cache(lambda: load_key("covtype_unit").problem(k))

        def point(series: Series, place: float) -> tuple[Problem, Budget]:
            if over == "n":
                return whole().scaled(place), replaced(epsilon, DELTA)
            return whole(), replaced(place, DELTA)

        def fields(t: Table) -> Fields:
            """tr V̂V̂ᵀVVᵀ = k − error²/2, the directions found."""
            first, *_, last = t.xs("printed")
            errors = {"found": t.mean("printed", first), "found_last": t.mean("printed", last)}
            errors |= {"found_random": t.mean("random", last)}
            return {name: k - error**2 / 2 for name, error in errors.items()}

        label = "First direction exact, others random"
        series = (
            Series("printed", "As stated, no curator", Role.PRINTED, "local_printed"),
            Series("calibrated", "Calibrated, no curator", Role.REPAIRED, "local_gaussian"),
            Series("curator", "Gaussian of a curator", Role.REPAIRED, "gaussian"),
            Series("random", "Random directions", Role.REFERENCE, "random_projection", trials=60),
            Series("one exact", label, Role.REFERENCE, formula=lambda place: one_exact),
        )
        measure = of_releases(point, lambda _, bases: projector_distance(whole().basis, bases))
        return declare(
            f"wang-xu-fig-{number}",
            Panel(series, measure, largest_distance(k)),
            holds=[lambda t: t.rises("printed", -1)],
            fields=fields,
            vary=make,
            chosen={"k": k, "epsilon": epsilon},
        )

    return make


figure_1, figure_2 = _covertype(1, "n"), _covertype(2, "ε")


DENSE = {"n": 1e5, "p": 40.0, "ε": 0.5}
"""The printed setting, from which one is moved at a time."""
LEAST_K = DENSE_K[0]
BARELY = 0.01
"""By how much of its size an error may fall, or lie below that of random directions, unseen in a
figure."""


@cache
def _sample(n: float, p: int, k: int, s: int, strength: float, seed: int) -> Sample:
    """Draw a design; with λ = ∞ all records have length 1, in the k directions."""
    if not isinf(strength):
        return sample_moment(n, p, k, s, strength=strength, seed=seed)
    directions = directions_of(p, k, p, np.random.default_rng(seed))
    return Sample(n / k * directions @ directions.T, directions, np.ones(p, dtype=bool))


def _errors(
    printed: Mapping[str, float], over: str, series: Series, place: float, trials: range, seed: int
) -> list[float]:
    """Errors (T,): data, directions and noise are new in each trial."""
    at = {**printed, **series.own, over: place}
    n, p, k = at["n"], int(at["p"]), int(at["k"])
    s, strength, found = int(at.get("s", p)), at.get("strength", 1.0), list[float]()
    for trial in trials:
        # Each seed's samples are its own, and no other seed's.
        sample = _sample(n, p, k, s, strength, (seed << 16) + trial)
        data, one = Problem(sample.moment, n, k), range(trial, trial + 1)
        if series.mechanism is None:
            bases = data.basis[None]
        else:
            bases = released(series, data, replaced(at["ε"], DELTA), one, seed)
        found.append(float(projector_distance(sample.directions, bases)[0]))
    return found


def _dense_panel(over: str) -> Panel:
    def series(what: str, k: int, label: str, role: Role, mechanism: str, **own: Any) -> Series:
        name = f"k = {k}, {label}"
        return Series(f"{over}: {what}k={k}", name, role, mechanism, {"k": k} | own)

    def by_chance(k: int, place: float) -> float:
        return random_distance(int((DENSE | {over: place})["p"]), k)

    found = [series("", k, "as stated", Role.PRINTED, "local_printed") for k in DENSE_K]
    for k in DENSE_K:
        ends = k, "random directions", Role.REFERENCE, "random_projection"
        found.append(replace(series("random, ", *ends), formula=partial(by_chance, k)))
    found += [
        series("calibrated, ", LEAST_K, "calibrated, local", Role.REPAIRED, "local_gaussian"),
        series("curator, ", LEAST_K, "Gaussian of a curator", Role.REPAIRED, "gaussian"),
    ]
    if over == "n":
        ends = LEAST_K, "as stated, strongest data", Role.REFERENCE, "local_printed"
        found.append(series("strongest data, ", *ends, strength=np.inf))
    return Panel(tuple(found), partial(_errors, DENSE, over))


def figure_3() -> Card:
    """Figure 3: dense directions, over n, p and ε."""

    def drop(t: Table, over: str, k: int) -> float:
        """By what share of its size a printed curve falls from end to end."""
        means = t.means(f"{over}: k={k}")
        return float(1 - means[-1] / means[0])

    def decreases(t: Table) -> bool:
        """Whether every curve falls by more than a figure leaves unseen."""
        return all(drop(t, over, k) > BARELY for over in ("n", "ε") for k in DENSE_K)

    def increases(t: Table) -> bool:
        in_k = all(
            t.mean(f"{over}: k={a}", x) < t.mean(f"{over}: k={b}", x)
            for over in ("n", "p", "ε")
            for a, b in pairwise(DENSE_K)
            for x in t.xs(f"{over}: k={a}")
        )
        return in_k and all(t.rises(f"p: k={k}") for k in DENSE_K)

    def as_random(t: Table) -> bool:
        """Whether no curve over n is surely below random directions, as a figure shows it."""
        pairs = [(f"n: k={k}", f"n: random, k={k}") for k in DENSE_K]
        return not any(
            t.below(ours, chance, x, BARELY * t.mean(chance, x))
            for ours, chance in pairs
            for x in t.xs(ours)
        )

    def fields(t: Table) -> Fields:
        def error(what: str, k: int = LEAST_K) -> float:
            return t.mean(f"n: {what}k={k}", DENSE["n"])

        told = {"chance": "random, ", "strongest": "strongest data, "}
        told |= {"calibrated": "calibrated, ", "curator": "curator, "}
        return {name: error(what) for name, what in told.items()} | {
            "k": LEAST_K,
            "ks": listed([str(k) for k in DENSE_K]),
            "errors": listed([f"{error('', k):.3f}" for k in DENSE_K]),
            "random": listed([f"{error('random, ', k):.3f}" for k in DENSE_K]),
            "fall": max(drop(t, "n", k) for k in DENSE_K),
        }

    return declare(
        "wang-xu-fig-3",
        *map(_dense_panel, ("n", "p", "ε")),
        holds=[decreases, increases],
        fields=fields,
        # No curve of directions as good as random can fall: the paper says that its own do.
        impossible=lambda t: as_random(t) and not decreases(t),
    )


SPARSE = {"n": 2000.0, "p": 400.0, "ε": 1.0, "k": 10}
FEWEST = SPARSE_S[0]
UNSEEN = 0.05
"""By how much of its size an error may change along an axis, unseen in a figure."""


def _sparse_panel(over: str) -> Panel:
    def series(what: str, s: int, label: str, role: Role, mechanism: str | None) -> Series:
        return Series(f"{over}: {what}", f"s = {s}, {label}", role, mechanism, {"s": s})

    def by_chance(place: float) -> float:
        return random_distance(int((SPARSE | {over: place})["p"]), int(SPARSE["k"]))

    few, all_columns = FEWEST, "all columns, no curator"
    found = [series(f"s={s}", s, "no curator", Role.PRINTED, "local_sparse") for s in SPARSE_S]
    found += [
        Series(f"{over}: random", "Random directions", Role.REFERENCE, formula=by_chance),
        series("all columns", few, all_columns, Role.REPAIRED, "local_gaussian"),
        series("curator", few, "Gaussian of a curator", Role.REPAIRED, "gaussian"),
    ]
    if over == "n":
        for s in (FEWEST, SPARSE_S[-1]):
            found.append(series(f"s={s}, no noise", s, "PCA without noise", Role.REFERENCE, None))
    measure = partial(_errors, SPARSE, over)
    return Panel(tuple(found), measure, largest_distance(int(SPARSE["k"])))


def figure_4() -> Card:
    """Figure 4: over n, p and ε, for four numbers of columns used."""

    def changes(t: Table, over: str) -> list[tuple[float, float]]:
        """Means at the ends of curves over those at their starts, less 1, and standard errors."""
        found = []
        for series in (f"{over}: s={s}" for s in SPARSE_S):
            first, *_, last = t.xs(series)
            start, end = t.mean(series, first), t.mean(series, last)
            error = float(np.hypot(t.error(series, first), t.error(series, last)))
            found.append((end / start - 1, error / start))
        return found

    def may_fall(t: Table, over: str) -> bool:
        """Whether no curve surely fails to fall by what a figure shows."""
        return all(change - SURE * error < -UNSEEN for change, error in changes(t, over))

    def fields(t: Table) -> Fields:
        curves = [t.means(f"{over}: s={s}") for over in ("n", "ε") for s in SPARSE_S]
        errors, last = np.concatenate(curves), t.xs("n: random")[-1]
        names = {"random": "random", "curator": "curator", "no_noise": f"s={FEWEST}, no noise"}
        told = {name: t.mean(f"n: {what}", last) for name, what in names.items()}
        ends = {"least": errors.min(), "most": errors.max()}
        return told | ends | {"ceiling": largest_distance(int(SPARSE["k"]))}

    return declare(
        "wang-xu-fig-4",
        *map(_sparse_panel, ("n", "p", "ε")),
        holds=[
            lambda t: may_fall(t, "n"),
            lambda t: all(change + SURE * error > 0 for change, error in changes(t, "p")),
            lambda t: may_fall(t, "ε"),
        ],
        fields=fields,
    )


CARDS = (figure_1(), figure_2(), figure_3(), figure_4(), table_1(), table_2())
