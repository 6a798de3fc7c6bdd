"""Curves are measured a little at a time, coarse before fine, and are what a sweep would find."""

from contextlib import suppress
from itertools import count

import numpy as np
import pytest

from dpca_core import MECHANISMS, Budget
from dpca_core.mechanisms.registry import shown_by_default
from dpca_core.simulation import curves as engine
from dpca_core.simulation.trials import TrialDraws, TrialMetrics, noise_norms, run_trials
from sample_data import load_key

DEFAULTS = shown_by_default()
NAMES = ("gaussian", "wishart", "laplace", "smooth_gaussian", "ppca")
EPSILONS = tuple(10 ** (i / 6 - 1) for i in range(13))


def along(epsilons=EPSILONS, k=2, delta=1e-6):
    data = load_key("wine")
    return [data.point(k, None, Budget(e, delta)) for e in epsilons]


def begun(*names, trials=8, **more):
    return engine.Curves(along(), dict.fromkeys((MECHANISMS[n] for n in names), trials), 0, **more)


def measure(curves):
    for _ in curves.steps(0):
        pass


@pytest.fixture
def instantly(monkeypatch):
    """Releases that all keep one half; in what order they are asked for is returned."""
    asked = []

    def found(draws, points):
        block = np.full((len(points), len(draws.trials)), 0.5)
        asked.append((draws.mechanism.key, draws.trials, len(points)))
        return TrialMetrics(block, block, block, block < 0, ("",) * len(points))

    monkeypatch.setattr(engine, "run_trials", found)
    monkeypatch.setattr(engine, "noise_norms", lambda draws, d: None)
    return asked


def test_curves_thrown_away_at_every_step_are_those_of_one_sweep(monkeypatch):
    """Each generator does one step; of every third the work is broken off, as a visitor does."""
    numbers = count()

    def interrupted(draws, points):
        found = run_trials(draws, points)
        if next(numbers) % 3 == 0:
            raise KeyboardInterrupt
        return found

    monkeypatch.setattr(engine, "run_trials", interrupted)
    curves, shares = begun(*NAMES), [0.0]
    while not curves.complete:
        with suppress(KeyboardInterrupt):
            next(curves.steps(4))
        shares.append(curves.progress[0])
    assert shares == sorted(shares)
    assert curves.progress == (1, 0)
    for line in curves.lines:
        draws = TrialDraws(line.mechanism, 0, range(8))
        whole = run_trials(draws, along())
        for name in ("captured", "sin_theta", "refused"):
            expected = pytest.approx(getattr(whole, name), abs=1e-6, nan_ok=True)
            assert getattr(line, name)[:, :8] == expected
        assert line.captured.shape == (len(EPSILONS), 8), "no room for what is not measured"
        assert line.guarantees == [line.mechanism.guarantee(*point) for point in along()]
        if (norms := noise_norms(draws, 13)) is not None:
            assert line.norms[:8] == pytest.approx(norms)


def test_every_mechanism_is_measured_coarsely_before_any_is_refined(instantly):
    curves = engine.Curves(along(), dict.fromkeys(DEFAULTS, engine.RELEASES), 0)
    steps = curves.steps(5)
    coarse = sorted({5, *range(0, len(EPSILONS), engine.COARSE)})
    while not all(line.done[coarse, : engine.FEW].all() for line in curves.lines):
        next(steps)
    assert all(line.has_curve for line in curves.lines)
    assert sum(line.done.sum() for line in curves.lines) == len(coarse) * engine.FEW * len(DEFAULTS)
    first = list(dict.fromkeys(key for key, *_ in instantly))
    assert first[0] == "gaussian"
    assert first[-2:] == ["ppca", "ppca_sequential"], "the slow samplers are last"
    assert first.index("power") < first.index("laplace"), "no eigendecomposition each"
    slow, chosen = curves.lines[DEFAULTS.index(MECHANISMS["ppca_sequential"])], curves.chosen
    while slow.everywhere < engine.FIRST:
        next(steps)
        assert chosen.everywhere < engine.RELEASES
    assert chosen.everywhere >= engine.BANDS
