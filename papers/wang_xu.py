"""Wang & Xu 2020, Figures 1 to 4: directions without a curator, beside what is had by chance."""

from dataclasses import replace
from functools import cache, partial
from itertools import pairwise

import numpy as np

from dpca_core.privacy.budget import Budget
from dpca_core.problem import Problem
from dpca_core.text.listed import listed
from papers.card import (
    Axis,
    Card,
    Link,
    Panel,
    Role,
    Series,
    Setting,
    Statement,
    Verdict,
    released,
)
from papers.table import SURE, Table
from papers.wang_xu_errors import (
    DELTA,
    bounded,
    budget_of,
    dense_sample,
    largest_distance,
    projector_distance,
    random_distance,
)
from papers.wang_xu_tables import table_1, table_2
from sample_data import load_key
from sample_data.synthetic import DENSE_K, SPARSE_S, Sample, sample_moment

PAPER = "wang-xu"
LOCAL = "local_printed,local_gaussian,gaussian,random_projection,non_private"
"""Mechanisms that links compare."""
NO_PLACES = Setting("places along axes", "as drawn here", "not in the text at hand")


COLUMNS = 54
ALONG = {
    "n": (1e4, 5e4, 1e5, 2e5, 4e5, 581_012.0),
    "ε": (0.1, 0.2, 0.5, 1.0, 2.0),
}


def _tell_covertype(over: str, k: int, t: Table) -> tuple[str, str]:
    first, *_, last = t.xs("printed")
    start, end, chance = (
        t.mean("printed", first),
        t.mean("printed", last),
        t.mean("random", last),
    )
    what = f"{first:,.0f} to {last:,.0f} rows" if over == "n" else f"ε = {first:g} to {last:g}"
    # tr V̂V̂ᵀVVᵀ = k − error²/2
    found = [k - error**2 / 2 for error in (start, end, chance)]
    return (
        f"The error falls, from {start:.2f} to {end:.2f} over {what}. Of {k} directions that is "
        f"{found[0]:.1f} to {found[1]:.1f} found (k less half the squared error); random ones "
        f"count for {found[2]:.1f}.",
        "Rows of length 1 that are not centred share one direction, the average row: with it exact "
        f"and the others at random the error is {t.mean('one exact', last):.2f}, with all at "
        f"random {chance:.2f}. Calibrated to the stated (ε, δ) the error ends at "
        f"{t.mean('calibrated', last):.2f}; a curator’s Gaussian ends at "
        f"{t.mean('curator', last):.3f}.",
    )


def _covertype(over: str, k: int, epsilon: float) -> Card:
    """Errors against the directions of all rows; S is scaled to n."""
    people = over == "n"
    one_exact = random_distance(COLUMNS - 1, k - 1) if k > 1 else 0.0

    @cache
    def whole() -> Problem:
        return load_key("covtype_unit").problem(k)

    def point(series: Series, place: float) -> tuple[Problem, Budget]:
        data = whole().scaled(place) if people else whole()
        return data, budget_of(epsilon if people else place)

    series = (
        Series("printed", "As stated, no curator", Role.PRINTED, "local_printed"),
        Series("calibrated", "Calibrated, no curator", Role.REPAIRED, "local_gaussian"),
        Series("curator", "Gaussian of a curator", Role.REPAIRED, "gaussian"),
        Series("random", "Random directions", Role.REFERENCE, "random_projection", trials=60),
        Series(
            "one exact",
            "First direction exact, others random",
            Role.REFERENCE,
            formula=lambda place: one_exact,
        ),
    )
    ours, number = "not printed", 1 if people else 2
    more = "sample size increases" if people else "ϵ increases (i.e., becomes less private)"
    asked = {"data": "covtype_unit", "k": f"{k}", "epsilon": f"{epsilon:g}", "delta": f"{DELTA:g}"}
    compared = {"axis": "n" if people else "epsilon", "adjacency": "replace_one", "trials": "20"}
    return Card(
        key=f"wang-xu-fig-{number}",
        paper=PAPER,
        number=f"Figure {number}",
        title="Covertype, no curator",
        asks="What do more people buy?" if people else "What does a looser ε buy?",
        panels=(
            Panel(
                Axis(over, ALONG[over], log=True),
                bounded(k),
                series,
                point=point,
                statistic=lambda data, bases: projector_distance(whole().basis, bases),
            ),
        ),
        settings=(
            Setting("rows", "each divided by its own length"),
            Setting("k", f"{k}", ours, "k", (1.0, 2.0, 5.0, 10.0, 20.0), k),
            Setting("ε", f"{epsilon:g}", ours, "epsilon", (0.1, 0.5, 1.0, 2.0), epsilon)
            if people
            else Setting("n", "581,012: all", ours),
            Setting("δ", f"{DELTA:g}", "printed for Figure 3 only"),
            Setting("releases", "20"),
            Setting("subsets", "S of all rows, scaled", "stands for random subsets of the rows"),
            Setting("Buzz, Year", "left out", "no file at hand"),
        ),
        statements=(
            Statement(
                f"the error decreases as the {more}", "section 6.1", lambda t: t.falls("printed")
            ),
        ),
        tell=partial(_tell_covertype, over, k),
        verdict=Verdict.ALL_HOLD,
        links=(
            Link("local", {**asked, "source": "data"}),
            Link("explore", {"view": "all", **asked, **compared, "mechanisms": LOCAL}),
        ),
        seconds=2.0,
    )


def figure_1(k: float = 5, epsilon: float = 0.5) -> Card:
    """Figure 1, left: error against the number of rows."""
    return replace(_covertype("n", int(k), epsilon), vary=figure_1)


def figure_2(k: float = 5) -> Card:
    """Figure 2, left: error against ε."""
    return replace(_covertype("ε", int(k), 0.5), vary=figure_2)


PLACES = {
    "n": (1e4, 2e4, 4e4, 6e4, 8e4, 1e5),
    "p": (40.0, 60.0, 80.0, 100.0),
    "ε": (0.1, 0.5, 1.0, 2.0),
}
AT = {"n": 1e5, "p": 40.0, "ε": 0.5}
"""The printed setting, from which one is moved at a time."""
LEAST_K = DENSE_K[0]
BARELY = 0.01
"""By how much of its size an error may fall, or lie below that of random directions, unseen in a
figure."""
_dense_sample = cache(dense_sample)


def _dense(over: str, series: Series, place: float, trials: range, seed: int) -> list[float]:
    """Errors (T,): data, directions and noise are new in each trial."""
    at, k = AT | {over: place}, int(series.own["k"])
    strength, found = series.own.get("strength", 1.0), list[float]()
    for trial in trials:
        # Each seed's samples are its own, and no other seed's.
        sample = _dense_sample(at["n"], int(at["p"]), k, strength, (seed << 16) + trial)
        data, one = Problem(sample.moment, at["n"], k), range(trial, trial + 1)
        bases = released(series, data, budget_of(at["ε"]), one, seed)
        found.append(float(projector_distance(sample.directions, bases)[0]))
    return found


def _dense_panel(over: str, title: str) -> Panel:
    def series(what: str, k: int, label: str, role: Role, mechanism: str) -> Series:
        return Series(f"{over}: {what}k={k}", f"k = {k}, {label}", role, mechanism, {"k": k})

    def by_chance(k: int, place: float) -> float:
        return random_distance(int((AT | {over: place})["p"]), k)

    def random(k: int) -> Series:
        key, label = "random, ", "random directions"
        ends = series(key, k, label, Role.REFERENCE, "random_projection")
        return replace(ends, formula=partial(by_chance, k))

    found = [series("", k, "as stated", Role.PRINTED, "local_printed") for k in DENSE_K]
    found += [random(k) for k in DENSE_K]
    found += [
        series("calibrated, ", LEAST_K, "calibrated, local", Role.REPAIRED, "local_gaussian"),
        series("curator, ", LEAST_K, "Gaussian of a curator", Role.REPAIRED, "gaussian"),
    ]
    if over == "n":
        label = "as stated, strongest data"
        strongest = series("strongest data, ", LEAST_K, label, Role.REFERENCE, "local_printed")
        found.append(replace(strongest, own={"k": LEAST_K, "strength": np.inf}))
    axis, error = Axis(over, PLACES[over], log=True), Axis("error ‖V̂V̂ᵀ − VVᵀ‖_F", low=0.0)
    return Panel(axis, error, tuple(found), title, measure=partial(_dense, over))


def _drop(t: Table, over: str, k: int) -> float:
    """By what share of its size a printed curve falls from end to end."""
    means = t.means(f"{over}: k={k}")
    return float(1 - means[-1] / means[0])


def _decreases(t: Table) -> bool:
    """Whether every curve falls by more than a figure leaves unseen."""
    return all(_drop(t, over, k) > BARELY for over in ("n", "ε") for k in DENSE_K)


def _increases(t: Table) -> bool:
    in_k = all(
        t.mean(f"{over}: k={a}", x) < t.mean(f"{over}: k={b}", x)
        for over in PLACES
        for a, b in pairwise(DENSE_K)
        for x in t.xs(f"{over}: k={a}")
    )
    return in_k and all(t.rises(f"p: k={k}") for k in DENSE_K)


def _as_random(t: Table) -> bool:
    """Whether no printed curve over n is surely below random directions, as a figure shows it."""
    pairs = [(f"n: k={k}", f"n: random, k={k}") for k in DENSE_K]
    return not any(
        t.below(ours, chance, x, BARELY * t.mean(chance, x))
        for ours, chance in pairs
        for x in t.xs(ours)
    )


def _tell_dense(t: Table) -> tuple[str, str]:
    n = AT["n"]

    def errors(what: str) -> str:
        return listed([f"{t.mean(f'n: {what}k={k}', n):.3f}" for k in DENSE_K])

    return (
        f"At the printed setting this cannot be so: with {n:,.0f} people the errors for "
        f"k = {listed([str(k) for k in DENSE_K])} are {errors('')}, those of random directions "
        f"{errors('random, ')}. From {PLACES['n'][0]:,.0f} people on they fall by "
        f"{max(_drop(t, 'n', k) for k in DENSE_K):.1%} at most: a curve that can be seen to fall "
        "does not come from this noise on these data.",
        "On the strongest data of this shape, records of length 1 in the k directions, the curve "
        f"for k = {LEAST_K} would fall to {t.mean(f'n: strongest data, k={LEAST_K}', n):.2f}, "
        f"against {t.mean(f'n: random, k={LEAST_K}', n):.2f} at random. Calibrated noise of each "
        f"person’s own leaves {t.mean(f'n: calibrated, k={LEAST_K}', n):.2f}; with a curator the "
        f"error is {t.mean(f'n: curator, k={LEAST_K}', n):.3f}.",
    )


def figure_3() -> Card:
    """Figure 3: dense directions, over n, p and ε."""
    asked = {"epsilon": "0.5", "delta": "0.0001", "k": "5"}
    compared = {"data": "wangxu", "axis": "n", "adjacency": "replace_one", "trials": "20"}
    return Card(
        key="wang-xu-fig-3",
        paper=PAPER,
        number="Figure 3",
        title="Synthetic data, no curator",
        asks="Does the error fall with more people?",
        panels=(
            _dense_panel("n", "over n: p = 40, ε = 0.5"),
            _dense_panel("p", "over p: n = 100,000, ε = 0.5"),
            _dense_panel("ε", "over ε: n = 100,000, p = 40"),
        ),
        settings=(
            Setting("Σ", "λVVᵀ/(5p(λ + 1)) + I/(5p(λ + 1)), λ = 1"),
            Setting("k", "5, 10, 15, 20"),
            Setting("p", "40"),
            Setting("n", "100,000"),
            Setting("ε", "0.5"),
            Setting("δ", "0.0001"),
            NO_PLACES,
            Setting("releases", "20, each with data of its own"),
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
        tell=_tell_dense,
        verdict=Verdict.CANNOT_BE,
        # No curve of directions as good as random can fall: the paper says that its own do.
        impossible=lambda t: _as_random(t) and not _decreases(t),
        links=(
            Link("local", {**asked, "n": "100000"}),
            Link("explore", {"view": "all", **asked, **compared, "mechanisms": LOCAL}),
        ),
        seconds=9.0,
    )


SPARSE_K, SPARSE_AT = 10, {"n": 2000.0, "p": 400.0, "ε": 1.0}
SPARSE_PLACES = {
    "n": (500.0, 2000.0, 4000.0),
    "p": (100.0, 200.0, 400.0),
    "ε": (0.5, 1.0, 2.0),
}
FEWEST = SPARSE_S[0]
UNSEEN = 0.05
"""By how much of its size an error may change along an axis, unseen in a figure."""
REPEATED = 3


@cache
def _sparse_sample(n: float, p: int, s: int, seed: int) -> Sample:
    return sample_moment(n, p, SPARSE_K, s, seed=seed)


def _sparse(over: str, series: Series, place: float, trials: range, seed: int) -> list[float]:
    """Errors (T,): data, directions and noise are new in each trial."""
    at, s, found = SPARSE_AT | {over: place}, int(series.own["s"]), list[float]()
    for trial in trials:
        sample = _sparse_sample(at["n"], int(at["p"]), s, (seed << 16) + trial)
        data, one = Problem(sample.moment, at["n"], SPARSE_K), range(trial, trial + 1)
        if series.mechanism is None:
            bases = data.basis[None]
        else:
            bases = released(series, data, budget_of(at["ε"]), one, seed)
        found.append(float(projector_distance(sample.directions, bases)[0]))
    return found


def _sparse_panel(over: str, title: str, low: float) -> Panel:
    def by_chance(place: float) -> float:
        return random_distance(int((SPARSE_AT | {over: place})["p"]), SPARSE_K)

    few, label = {"s": FEWEST}, f"s = {FEWEST}"
    found = [
        Series(f"{over}: s={s}", f"s = {s}, no curator", Role.PRINTED, "local_sparse", {"s": s})
        for s in SPARSE_S
    ]
    found += [
        Series(f"{over}: random", "Random directions", Role.REFERENCE, formula=by_chance),
        Series(
            f"{over}: all columns",
            f"{label}, all columns, no curator",
            Role.REPAIRED,
            "local_gaussian",
            few,
        ),
        Series(
            f"{over}: curator", f"{label}, Gaussian of a curator", Role.REPAIRED, "gaussian", few
        ),
    ]
    if over == "n":
        found += [
            Series(
                f"n: s={s}, no noise",
                f"s = {s}, PCA without noise",
                Role.REFERENCE,
                own={"s": s},
            )
            for s in (FEWEST, SPARSE_S[-1])
        ]
    axis = Axis(over, SPARSE_PLACES[over], log=True)
    return Panel(axis, bounded(SPARSE_K, low), tuple(found), title, measure=partial(_sparse, over))


def _changes(t: Table, over: str) -> list[tuple[float, float]]:
    """Means at the ends of curves over those at their starts, less 1, and standard errors."""
    found = []
    for series in (f"{over}: s={s}" for s in SPARSE_S):
        first, *_, last = t.xs(series)
        start, end = t.mean(series, first), t.mean(series, last)
        error = float(np.hypot(t.error(series, first), t.error(series, last)))
        found.append((end / start - 1, error / start))
    return found


def _surely_flat(t: Table, over: str) -> bool:
    """Whether some curve surely fails to fall by what a figure shows."""
    return not all(change - SURE * error < -UNSEEN for change, error in _changes(t, over))


def _tell_sparse(t: Table) -> tuple[str, str]:
    errors = np.concatenate([t.means(f"{over}: s={s}") for over in ("n", "ε") for s in SPARSE_S])
    last = t.xs(f"n: s={FEWEST}")[-1]
    return (
        "The curves do not fall: over n and over ε all errors lie between "
        f"{errors.min():.2f} and {errors.max():.2f}, those of random directions are "
        f"{t.mean('n: random', last):.2f}, and no error exceeds {largest_distance(SPARSE_K):.3f}.",
        "Next to this noise the records do not count, and λ follows the noise, so that n and ε "
        "cancel out: the same columns are chosen whatever they are. With "
        f"{last:,.0f} records even a curator’s Gaussian errs by {t.mean('n: curator', last):.2f}, "
        f"PCA without noise by {t.mean(f'n: s={FEWEST}, no noise', last):.2f}. The text calls this "
        "one Figure 3.",
    )


def figure_4() -> Card:
    """Figure 4: over n, p and ε, for four numbers of columns used."""
    asked = {"data": "wangxu", "epsilon": "1", "delta": f"{DELTA:g}", "k": f"{SPARSE_K}"}
    sparse = {"source": "sparse", "p": "400", "columns": "15", "n": "2000"}
    compared = {"axis": "n", "adjacency": "replace_one", "trials": "20"}
    mechanisms = "local_gaussian,gaussian,random_projection,non_private"
    return Card(
        key="wang-xu-fig-4",
        paper=PAPER,
        number="Figure 4",
        title="Sparse synthetic data, no curator",
        asks="Does sparsity help where there is no curator?",
        panels=(
            # All errors lie near the ceiling: the axes begin above 0.
            _sparse_panel("n", "over n: p = 400, ε = 1", 1.5),
            _sparse_panel("p", "over p: n = 2,000, ε = 1", 4.0),
            _sparse_panel("ε", "over ε: n = 2,000, p = 400", 4.0),
        ),
        settings=(
            Setting("k", f"{SPARSE_K}"),
            Setting("n", "2,000"),
            Setting("p", "400"),
            Setting("s", "15, 20, 40, 80"),
            Setting("ε", "1"),
            Setting("δ", f"{DELTA:g}", "printed for Figure 3 only"),
            Setting("noise", "calibrated to (ε, δ)", "printed: larger off the diagonal"),
            Setting("λ", "noise of an entry times √ln p", "not printed"),
            NO_PLACES,
            Setting("releases", f"{REPEATED}", "the paper averages 20"),
        ),
        statements=(
            Statement(
                "as the term of k/n increases (n decreases), the error increases accordingly",
                "section 6.2",
                lambda t: not _surely_flat(t, "n"),
            ),
            Statement(
                "the error slightly increases when the dimensionality p increases",
                "section 6.2",
                lambda t: all(change + SURE * error > 0 for change, error in _changes(t, "p")),
            ),
            Statement(
                "the error decreases when ϵ increases",
                "section 6.2",
                lambda t: not _surely_flat(t, "ε"),
            ),
        ),
        tell=_tell_sparse,
        verdict=Verdict.ONE_FAILS,
        links=(
            Link("local", {**asked, **sparse}),
            Link("explore", {"view": "all", **asked, **compared, "mechanisms": mechanisms}),
        ),
        trials=REPEATED,
        seconds=150.0,
    )


CARDS = (figure_1(), figure_2(), figure_3(), figure_4(), table_1(), table_2())
