"""Which exact sampler draws a matrix Bingham law soonest: the same choice on every machine.

The choice sets the speed and never the law (docs/bingham.md), so it may read private costs.
"""

from collections.abc import Callable, Iterator

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.sampling.matrix_bingham import (
    Complement,
    Direction,
    NearlyUniform,
    Sampler,
    best_concentration,
    log_proposals,
    reversed_costs,
)
from dpca_core.sampling.matrix_bingham_split import Split, Truncation, best_tilts

ENOUGH = 50.0
"""Proposals of a draw below which no other sampler is tried."""

_HOPELESS, _GLANCE, _ROUNDS, _DRAWS = 30.0, 60, 3, 64
_LOSSES = (0.3, 2.0, 8.0)
_WIDE, _LONG, _NEAR = 40, 1e6, 0.5

Inner = Callable[[Array, int], Sampler]


def subspace_sampler(costs: Array, k: int) -> tuple[Sampler, float]:
    """Choose an exact sampler for costs (d,), and predict how many proposals a draw takes.

    The first that takes few enough is taken, else the best of at most eight. Pilots have seeds of
    their own, and no clock is read.
    """
    ascending = np.sort(costs) - costs.min()
    if 2 * k > len(costs):
        sampler, proposals = subspace_sampler(reversed_costs(ascending), len(costs) - k)
        return Complement(sampler), proposals
    best: tuple[Sampler, float] | None = None
    for sampler in _candidates(ascending, k):
        proposals = sampler.proposals(_GLANCE)
        if proposals < (_LONG if best is None else 4 * best[1]):
            proposals = sampler.proposals()
        if best is None or proposals < best[1]:
            best = sampler, proposals
        if best[1] <= ENOUGH:
            break
    assert best is not None
    return best


def _candidates(costs: Array, k: int) -> Iterator[Sampler]:
    """Samplers in the order in which they are tried; k ≤ d/2."""
    d = len(costs)
    if k == 1:
        yield Direction(costs)
        return
    last = split(costs, k, k - 1, nearly_uniform) if costs[k - 2] < costs[k - 1] else None
    if last is not None:
        yield last
    yield nearly_uniform(costs, k)
    below, above = _cuts_below(costs, k), _cuts_above(costs, k)
    pairs = [(p, d) for p in below] + [(0, h) for h in above]
    pairs += list(zip(below, above, strict=False))
    for p, h in dict.fromkeys(pairs):
        found = _cut(costs, k, p, h)
        if found is not None:
            yield found


def _cut(costs: Array, k: int, p: int, h: int) -> Sampler | None:
    """Take off all but the first h coordinates, then the first p; the rest should be flat."""
    d = len(costs)

    def left(some: Array, few: int) -> Sampler:
        return (split(some, few, p, nearly_uniform) if p else None) or nearly_uniform(some, few)

    if h == d:
        return split(costs, k, p, nearly_uniform)
    if k <= d - h:
        return truncation(costs, k, h, left)
    dual = split(
        reversed_costs(costs),
        d - k,
        d - h,
        lambda some, few: Complement(left(reversed_costs(some), h - few)),
    )
    return None if dual is None else Complement(dual)


def nearly_uniform(costs: Array, k: int) -> Sampler:
    """Return a sampler that splits nothing off: for one direction, or for nearly flat costs."""
    costs, d = costs - costs[0], len(costs)
    dual = reversed_costs(costs)
    if k == 1:
        return Direction(costs)
    if k == d - 1:
        return Complement(Direction(dual))
    c = best_concentration(costs, k)
    sampler = NearlyUniform(costs, k, c)
    if d - k > max(k, _WIDE):
        return sampler
    other = best_concentration(dual, d - k)
    # Both count proposals up to the same unknown factor, E exp(−tr VᵀCV).
    beside = log_proposals(dual, d - k, other) + float((d - k) * costs[-1] - costs.sum())
    slower = 2 * float(np.log((d - k) / k))
    if beside + slower < log_proposals(costs, k, c):
        return Complement(NearlyUniform(dual, d - k, other))
    return sampler


def split(costs: Array, k: int, cut: int, inner: Inner) -> Split | None:
    """Return a split sampler with good β and t; None where its inner sampler would be hopeless."""
    head, tail = costs[:cut], costs[cut:]
    few, flat = k - cut, tail - tail[0]
    power, rng = (few - 1) / 2, np.random.default_rng(1)
    distances = tail - head[:, None]
    weights = np.ones(len(tail))
    weights[:few] = 0.1
    tilts = _off_ties(best_tilts(power, distances, weights), tail[0] - head)
    middle = tail[0] + (len(costs) - k) / 2 + 1
    share = float(np.clip(1 - 0.5 * (1 / (middle - head + tilts)).sum(), 0.05, 1))
    for _ in range(_ROUNDS):
        free = inner(share * flat, few)
        if flat[-1] == 0:
            break
        if free.proposals(_GLANCE) > _HOPELESS:
            return None
        weight = np.square(free.draw(rng, _DRAWS)).sum(axis=2)
        tilts = best_tilts(power, distances, np.maximum(1 - weight.mean(axis=0), 1e-3))
        tilts = _off_ties(tilts, tail[0] - head)
        trial = Split(costs, k, cut, share, tilts, free)
        spent = weight @ flat
        share = _quickest(trial.log_bound, share, -spent, (0.02, 1.0))
    return Split(costs, k, cut, share, tilts, inner(share * flat, few))


def truncation(costs: Array, k: int, cut: int, inner: Inner) -> Truncation | None:
    """Return a truncation with good s and t; None where its inner sampler would be hopeless."""
    head, tail = costs[:cut], costs[cut:]
    power, rng, ones = (cut - k - 1) / 2, np.random.default_rng(1), np.ones(len(tail))
    nearest = tail[0] - head[cut - k :]
    tilts = _off_ties(best_tilts(power, tail - head[:k, None], ones), nearest)
    slope = float((0.5 / (tail - head[:k, None] + tilts[:, None])).sum(axis=1).mean())
    slope = min(slope, 0.95)
    for _ in range(_ROUNDS):
        free = inner((1 - slope) * head, k)
        if head[-1] == 0:
            break
        if free.proposals(_GLANCE) > _HOPELESS:
            return None
        u = free.draw(rng, _DRAWS)
        values = np.linalg.eigvalsh(u.swapaxes(1, 2) @ (head[:, None] * u))
        middle = np.minimum(values.mean(axis=0), head[-1])
        tilts = _off_ties(best_tilts(power, tail - middle[:, None], ones), nearest)
        trial = Truncation(costs, k, cut, slope, tilts, free)
        slope = _quickest(trial.log_bound, slope, values.sum(axis=1), (0.0, 0.98))
    return Truncation(costs, k, cut, slope, tilts, inner((1 - slope) * head, k))


def _off_ties(tilts: Array, nearest: Array) -> Array:
    """Raise tilts (p,) where costs come as near as (p,): the bound is loose beside a tie."""
    return np.asarray(np.where(nearest < _NEAR, np.maximum(tilts, _NEAR), tilts))


def _quickest(
    log_bound: Callable[[float], float], start: float, scores: Array, ends: tuple[float, float]
) -> float:
    """Minimise log bound(x) + log E exp((x − start)·scores) near the start, over draws at it."""
    reach = 3 / max(float(scores.std()), 1e-9)
    centred = scores - scores.mean()
    tried = np.clip(np.linspace(start - reach, start + reach, 61), *ends)
    efforts = [
        log_bound(float(x))
        + (x - start) * scores.mean()
        + float(np.log(np.exp((x - start) * centred).mean()))
        for x in tried
    ]
    return float(tried[int(np.argmin(efforts))])


def _cuts_below(costs: Array, k: int) -> list[int]:
    """For each bearable loss the largest cut below k − 1 that loses no more, roughly predicted."""
    losses = []
    for p in range(1, k - 1):
        power = (k - p - 1) / 2
        entries = 0.5 / (costs[k:] - costs[:p, None] + power)
        losses.append(_loss(entries, power))
    kept = [[p for p, loss in enumerate(losses, 1) if loss <= most] for most in _LOSSES]
    return list(dict.fromkeys(max(some) for some in kept if some))


def _cuts_above(costs: Array, k: int) -> list[int]:
    """For each bearable loss the smallest cut above k that loses no more, roughly predicted."""
    d, losses = len(costs), []
    for h in range(k + 1, min(d, 4 * k + _WIDE)):
        power = (h - k - 1) / 2
        entries = 0.5 / (costs[h:] - costs[:k, None] + max(power, 0.25))
        losses.append(_loss(entries, power))
    kept = [[h for h, loss in enumerate(losses, k + 1) if loss <= most] for most in _LOSSES]
    return list(dict.fromkeys(min(some) for some in kept if some))


def _loss(entries: Array, power: float) -> float:
    """−log of the acceptance of Y with variances (p, r) of its entries, to second order."""
    rest = 1 - entries.sum(axis=1)
    if rest.min() <= 0.05:
        return float("inf")
    return float((power / 2 + 0.25) * np.square((entries / rest[:, None]).sum(axis=0)).sum())
