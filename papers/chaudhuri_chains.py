"""Chaudhuri, Sarwate & Sinha 2013, Figure 2: what their statistic of convergence measures."""

from functools import cache, lru_cache

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import orthonormal
from dpca_core.problem import Problem
from dpca_core.sampling.bingham import gibbs_sweeps
from dpca_core.simulation.trials import trial_generator
from papers.card import Axis, Card, Link, Panel, Role, Series, Setting, Statement, Verdict
from papers.data import INSURANCE, insurance_rows
from papers.table import Table
from sample_data import load_key

EPSILON = 0.1
BURNT_IN, LEVEL = 20_000, 0.01
"""Steps that the paper takes, and what it says the statistic is below by then."""
STEPS = (100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0, 10_000.0, float(BURNT_IN))
SWEEPS = (1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 50.0, 100.0)
CHAINS = 3
EARLY, STATIONARY = 500.0, 5.0
"""Steps early in a chain, and sweeps after which what it captures no longer changes."""
DIRECTIONS = {"kddcup": 4, "insurance": 11}
KEPT = "kddcup kept"


@cache
def _weights(name: str) -> Array:
    """Eigenvalues (d,) of ε/2·S, falling, with all rows of a data set."""
    k = DIRECTIONS[name]
    data = load_key(name).problem(k) if name == "kddcup" else Problem.from_rows(insurance_rows(), k)
    return np.asarray(EPSILON / 2 * data.spectrum)


class Chain:
    """A chain of the Gibbs sampler: F(T) and what its frame captures, at the steps shown."""

    def __init__(self, name: str, seed: int, trial: int) -> None:
        weights, k = _weights(name), DIRECTIONS[name]
        rng = trial_generator(seed, f"Gibbs chain on {name}", trial)
        start = orthonormal(rng.standard_normal((len(weights), k)))
        self._weights, self._step, self._total = weights, 0, np.zeros_like(start)
        self._sweeps = gibbs_sweeps(weights, start, rng)
        self._found = dict[float, tuple[float, float]]()

    def at(self, place: float) -> tuple[float, float]:
        """Return F(T) and the captured share at a step: the chain goes on as far as is asked."""
        while place not in self._found:
            frame = next(self._sweeps)
            self._step += 1
            self._total += frame
            if self._step in (*STEPS, *SWEEPS):
                k = frame.shape[1]
                captured = float((np.square(frame).T @ self._weights).sum())
                mean = float(np.linalg.norm(self._total)) / self._step / k**0.5
                self._found[self._step] = mean, captured / float(self._weights[:k].sum())
        return self._found[place]


chain = lru_cache(maxsize=2 * CHAINS)(Chain)
"""Keeps the chains while their places are measured one by one."""


def _measure(series: Series, place: float, trials: range, seed: int) -> list[float]:
    """F(T) of single chains, or what their frames capture (T,)."""
    name = "insurance" if series.key == "insurance" else "kddcup"
    return [chain(name, seed, trial).at(place)[series.key == KEPT] for trial in trials]


def _spread(t: Table, name: str) -> float:
    """Standard deviation of log F about its mean over chains, over all T."""
    logs = [np.log(t.values(name, x)) for x in t.xs(name)]
    return float(np.sqrt(np.mean([log.var(ddof=1) for log in logs])))


def _tell(t: Table) -> tuple[str, str]:
    early = np.concatenate([t.values(name, EARLY) for name in DIRECTIONS])
    first, *_ = xs = t.xs(KEPT)
    late = np.concatenate([t.values(KEPT, x) for x in xs if x > STATIONARY])
    return (
        "The sentences hold, and they say nothing of convergence: the statistic is one over √T "
        f"for independent draws, {BURNT_IN**-0.5:.4f} at T = {BURNT_IN:,}, and the chains are "
        f"there too ({t.mean('kddcup', BURNT_IN):.4f} and {t.mean('insurance', BURNT_IN):.4f}). It "
        f"is below {LEVEL:g} from T = {LEVEL**-2:,.0f} on, whatever is sampled.",
        "A column drawn given the others is as likely to be −y as y, so that signs average out "
        "even in a chain that never moves: the mean of F² is one over T at every T, from any "
        f"start. At T = {EARLY:,.0f} the chains have {early.min():.3f} to {early.max():.3f}, the "
        f"formula {EARLY**-0.5:.3f}. What a frame captures settles long before: "
        f"{t.mean(KEPT, first):.1%} of PCA’s after one sweep on kddcup, "
        f"{t.mean(KEPT, STATIONARY):.1%} after {STATIONARY:.0f}, {late.mean():.1%} later.",
    )


def figure_2() -> Card:
    """Figure 2: chains on kddcup and insurance, and what their frames capture."""

    def panel(key: str, x: Axis, y: Axis, title: str, *more: Series) -> Panel:
        chains = Series(key, "Gibbs chains", Role.PRINTED, "ppca_gibbs", approximate=True)
        return Panel(x, y, (chains, *more), title, measure=_measure)

    def independent(letter: str) -> Series:
        label = "1/√T: independent draws"
        return Series(f"1/√T, {letter}", label, Role.REFERENCE, formula=lambda steps: steps**-0.5)

    steps, statistic = Axis("steps T", STEPS, log=True), Axis("F(T)", log=True, low=0.005, high=0.2)
    captured = Axis("share of what PCA captures", low=0.9, high=1.0)
    title = "What a frame captures, kddcup"
    return Card(
        key="chaudhuri-fig-2",
        paper="chaudhuri",
        number="Figure 2",
        title="The Gibbs sampler of PPCA",
        asks="How many steps until a chain has forgotten where it began?",
        panels=(
            panel("kddcup", steps, statistic, "(a) kddcup, k = 4", independent("a")),
            panel("insurance", steps, statistic, "(b) insurance, k = 11", independent("b")),
            panel(KEPT, Axis("sweeps", SWEEPS, log=True), captured, title),
        ),
        settings=(
            Setting("n", "all rows: 494,021 and 9,822"),
            Setting("k", "4 and 11"),
            Setting("ε", f"{EPSILON:g}", "not printed here; that of Figure 3"),
            Setting("start", "uniformly random"),
            Setting("chains", f"{CHAINS}", "the paper runs 5; ours take minutes each"),
            Setting("steps", f"{BURNT_IN:,}", "the paper goes on to 40,000"),
            Setting("d of insurance", "139", "the paper has 150 and does not say how"),
        ),
        statements=(
            Statement(
                "[F] decreases rapidly after a few thousand iterations, and is less than 0.01 "
                "after T = 20,000 in both cases",
                "section 6.2",
                lambda t: all(t.mean(name, BURNT_IN) < LEVEL for name in DIRECTIONS),
            ),
            Statement(
                "log [F] also appears to have a larger variance for kddcup than for insurance",
                "section 6.2",
                lambda t: _spread(t, "kddcup") > _spread(t, "insurance"),
            ),
        ),
        tell=_tell,
        verdict=Verdict.ALL_HOLD,
        links=(
            Link(
                "explore",
                {
                    "data": "kddcup",
                    "k": "4",
                    "epsilon": "0.1",
                    "mechanism": "ppca_sequential",
                    "adjacency": "replace_one",
                },
            ),
        ),
        trials=CHAINS,
        seconds=600.0,
        needs=(INSURANCE,),
    )
