"""In which order Explore measures: every mechanism coarsely, then each of them refined."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from dpca_core import MECHANISMS, Adjacency
from dpca_core.data.dataset import Dataset
from dpca_core.mechanisms.registry import shown_by_default
from dpca_core.simulation import draws
from tests.ui.explore.answers import FEW, begun
from ui.explore import measurements
from ui.explore.example_loadings_and_projections import SampleReleases
from ui.explore.measurement_plan import COARSE, FEW_TRIALS, FIRST_TRIALS, planned
from ui.explore.measurement_tasks import MeasurementTask, Pace
from ui.explore.measurements import BAND_TRIALS, CHOSEN_TRIALS, Study
from ui.explore.query import ExploreQuery
from ui.state.slider_stops import EPSILON_STOPS

WIDE = 401


def wide_plan(bands_early: bool = False) -> list[MeasurementTask]:
    chosen, *others = shown_by_default()
    return planned(chosen, others, Pace(WIDE), 9, bands_early)


def at(plan: list[MeasurementTask], key: str, releases: int) -> int:
    """Where in a plan a mechanism has at least so many releases at every ε."""
    done = np.zeros((len(EPSILON_STOPS), CHOSEN_TRIALS), dtype=bool)
    for place, task in enumerate(plan):
        if task.mechanism.key == key:
            done[np.ix_(task.points, task.trials)] = True
        if done[:, :releases].all():
            return place
    raise AssertionError(f"{key} has fewer than {releases} releases")


@pytest.mark.parametrize("bands_early", [True, False])
def test_every_mechanism_is_measured_coarsely_before_any_is_refined(bands_early: bool) -> None:
    plan, seen = wide_plan(bands_early), set()
    for task in plan:
        if task.trials.stop > FEW_TRIALS or not set(task.points) <= {9, *COARSE}:
            break
        seen |= {(task.mechanism.key, i, t) for i in task.points for t in task.trials}
    keys = {m.key for m in shown_by_default()}
    assert seen == {(k, i, t) for k in keys for i in {9, *COARSE} for t in range(FEW_TRIALS)}


def test_the_chosen_mechanism_is_first_and_slow_samplers_are_last() -> None:
    first = list(dict.fromkeys(task.mechanism.key for task in wide_plan()))
    assert first[0] == shown_by_default()[0].key
    assert first[-2:] == ["ppca", "ppca_sequential"]
    for quick in ("power", "power_pure", "gap_release", "smooth_cauchy"):
        for other in ("laplace", "wishart", "wishart_difference"):
            assert first.index(quick) < first.index(other), "no eigendecomposition each"


def test_bands_come_early_only_where_releases_are_quick() -> None:
    early, late = wide_plan(bands_early=True), wide_plan(bands_early=False)
    assert at(early, "gaussian", BAND_TRIALS) < at(early, "power", FIRST_TRIALS)
    assert at(late, "ppca_sequential", FIRST_TRIALS) < at(late, "gaussian", BAND_TRIALS)
    for plan in (early, late):
        assert at(plan, "ppca_sequential", FIRST_TRIALS) < at(plan, "gaussian", CHOSEN_TRIALS)


def test_a_sampler_in_another_process_gets_all_trials_at_once() -> None:
    """It would prepare itself at each ε again; noise on S comes trial by trial."""
    trials = {
        (task.mechanism.key, len(task.trials)) for task in wide_plan() if task.trials.start == 0
    }
    assert ("ppca", FEW_TRIALS) in trials
    assert ("gaussian", 1) in trials
    assert ("gaussian", FEW_TRIALS) not in trials
    narrow = Pace(8)
    assert narrow.trials(MECHANISMS["gaussian"], len(EPSILON_STOPS), FIRST_TRIALS) == FIRST_TRIALS
    assert narrow.trials(MECHANISMS["ppca"], len(EPSILON_STOPS), FIRST_TRIALS) < FIRST_TRIALS


def wide_study(monkeypatch: pytest.MonkeyPatch) -> tuple[Study, list[tuple[str, int]]]:
    """Study of made-up data with many columns whose releases cost nothing, and what was asked."""
    rows = np.random.default_rng(0).standard_normal((50, WIDE)) / 40
    data = Dataset("wide", "Wide", "Wide", rows, tuple(f"c{j}" for j in range(WIDE)))
    query = ExploreQuery(MECHANISMS["gaussian"], 2, 1e-6, 50.0, Adjacency.ADD_OR_REMOVE_ONE, 0)
    asked: list[tuple[str, int]] = []

    def instantly(found: draws.TrialDraws, points: list[Any], precision: Any) -> Any:
        asked.append((found.mechanism.key, len(points) * len(found.trials)))
        block = np.full((len(points), len(found.trials)), 0.5)
        return SimpleNamespace(
            captured=block,
            sin_theta=block,
            refused=block < 0,
            notes=[""] * len(points),
            errors=np.zeros((2, *block.shape)),
        )

    monkeypatch.setattr(measurements, "run_trials", instantly)
    monkeypatch.setattr(measurements, "noise_norms", lambda found, d: None)
    return Study(data, query, shown_by_default()), asked


def test_a_wide_table_has_all_curves_after_a_few_hundred_releases(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of 14,600 in all: whatever a release takes, the first curves of all take 3 % of it."""
    study, asked = wide_study(monkeypatch)
    study.first_paint(12)
    while not study.has_all_curves:
        study.advance(60.0, should_yield=lambda: True)
    few = len({12, *COARSE}) * FEW_TRIALS
    released = sum(size for key, size in asked if key != "gaussian")
    assert released <= few * (len(shown_by_default()) - 1)
    assert study.chosen.done[:, 0].any()
    assert study.chosen.trials() <= FIRST_TRIALS
    assert not study.complete


def test_noise_is_drawn_and_turned_once_for_a_trial(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one slice, though its points take several tasks; and not kept after the slice."""
    study, drawn = begun("digits", rivals=()), []
    plainly = draws._units
    monkeypatch.setattr(
        draws,
        "_units",
        lambda m, s, trials, d, k: drawn.append(trials) or plainly(m, s, trials, d, k),
    )
    monkeypatch.setattr(Pace, "take_slice", one_point_at_a_time)
    monkeypatch.setattr(measurements, "noise_norms", lambda found, d: None)
    steps = study._steps()
    for _ in COARSE:
        next(steps)
    assert study.chosen.done.any(axis=1).sum() == len(COARSE)
    assert drawn == [range(drawn[0].stop)]
    study.advance(0.0)
    assert study._draws._draws is None


def one_point_at_a_time(
    pace: Pace, task: MeasurementTask
) -> tuple[MeasurementTask, MeasurementTask]:
    return task._replace(points=task.points[:1]), task._replace(points=task.points[1:])


def test_single_releases_are_drawn_once_for_an_epsilon(monkeypatch: pytest.MonkeyPatch) -> None:
    study, drawn = begun(), []
    plainly = draws.TrialDraws.release
    monkeypatch.setattr(
        draws.TrialDraws, "release", lambda *given: drawn.append(given[2]) or plainly(*given)
    )
    first = SampleReleases(study, 9).loadings()
    again = SampleReleases(study, 9).loadings()
    assert first is not None
    assert again is not None
    assert len(drawn) == 1
    assert (first.released == again.released).all()
    SampleReleases(study, 12).projections()
    SampleReleases(study, 9).loadings()
    assert len(drawn) == 3, "those of one ε are kept: they take memory"


def test_a_view_takes_few_slices_that_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    lengths: list[float] = []
    monkeypatch.setattr(
        "ui.server.growing_slices.take_steps", lambda steps, seconds, _: lengths.append(seconds)
    )
    study = begun(rivals=FEW)
    for _ in range(8):
        study.advance()
    assert lengths[0] == measurements.SLICE_SECONDS
    assert lengths == sorted(lengths)
    assert lengths[-1] == measurements.COARSE_SECONDS, "until all have curves"
    monkeypatch.setattr(Study, "has_all_curves", True)
    for _ in range(20):
        study.advance()
    assert lengths[-1] == measurements.LONGEST_SECONDS


def test_what_is_measured_does_not_depend_on_what_came_before() -> None:
    """A whole axis at once, or point by point with kept noise: the same."""
    study = begun("digits")
    points = study.points
    mechanism = MECHANISMS["gaussian"]
    whole = measurements.run_trials(draws.TrialDraws(mechanism, 0, range(2)), points)
    kept = draws.TrialDraws(mechanism, 0, range(2))
    for i in (30, 0, 15):
        one = measurements.run_trials(kept, [points[i]])
        assert one.captured[0] == pytest.approx(whole.captured[i], abs=1e-9)
    other = study.dataset.problem(2, 2.0 * study.dataset.people)
    assert kept.turned(other) is kept.turned(points[0][0]), "the same eigenvectors"
