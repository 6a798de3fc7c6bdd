"""What a sentence says of curves, decided on a table of single releases.

Sampling error is never a finding: a sentence fails only where the table contradicts it by more than
``SURE`` standard errors.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from papers.experiment import Judge, Results, Statement, Verdict

SURE = 3.0
"""Standard errors beyond which a difference is no accident: one in 740 by chance, for a normal."""


def difference(results: Results, first: str, second: str, x: float) -> tuple[float, float]:
    """Mean of ``first`` less mean of ``second`` at a place, and its standard error."""
    error = np.hypot(results.error(first, x), results.error(second, x))
    return results.mean(first, x) - results.mean(second, x), float(error)


def below(results: Results, first: str, second: str, x: float, slack: float = 0.0) -> bool:
    """Whether ``first`` is surely below ``second`` at a place, by more than ``slack``."""
    mean, error = difference(results, first, second, x)
    return mean + slack < -SURE * error


def above(results: Results, first: str, second: str, x: float, slack: float = 0.0) -> bool:
    """Whether ``first`` is surely above ``second`` at a place, by more than ``slack``."""
    return below(results, second, first, x, slack)


def never_below(
    results: Results, first: str, second: str, xs: Iterable[float], slack: float = 0.0
) -> bool:
    """Whether ``first`` is surely below ``second`` nowhere, and surely above it somewhere."""
    places = [x for x in xs if np.isfinite(difference(results, first, second, x)[0])]
    somewhere = any(above(results, first, second, x, slack) for x in places)
    return somewhere and not any(below(results, first, second, x, slack) for x in places)


def rises(results: Results, series: str) -> bool:
    """Whether means never surely fall from one place to the next, and rise from end to end."""
    means, xs = results.means(series), results.xs(series)
    errors = np.array([results.error(series, x) for x in xs])
    steps, noise = np.diff(means), np.hypot(errors[1:], errors[:-1])
    whole = means[-1] - means[0] > SURE * np.hypot(errors[-1], errors[0])
    return bool(whole and (steps >= -SURE * noise).all())


def falls(results: Results, series: str) -> bool:
    """Whether means never surely rise from one place to the next, and fall from end to end."""
    table = results.table.assign(value=-results.table["value"])
    return rises(Results(table), series)


def crossing(results: Results, series: str, level: float) -> float:
    """Place at which means first reach a level, between places on a logarithmic axis.

    NaN where they never do; the first place where they are there from the start.
    """
    xs, means = results.xs(series), results.means(series)
    reached = np.flatnonzero(means >= level)
    if not len(reached):
        return float("nan")
    i = int(reached[0])
    if i == 0:
        return float(xs[0])
    share = (level - means[i - 1]) / (means[i] - means[i - 1])
    return float(np.exp(np.log(xs[i - 1]) + share * np.log(xs[i] / xs[i - 1])))


def exponent(results: Results, series: str, least: float) -> float:
    """Power of x with which means grow: the least-squares slope of logs from a place on."""
    xs, means = results.xs(series), results.means(series)
    some = xs >= least
    return float(np.polyfit(np.log(xs[some]), np.log(means[some]), 1)[0])


def all_hold(verdict: Verdict) -> Judge:
    """Return a judge: this verdict where every statement holds, else that one fails."""

    def judge(results: Results, statements: Sequence[Statement]) -> Verdict:
        every = all(statement.holds(results) for statement in statements)
        return verdict if every else Verdict.ONE_FAILS

    return judge
