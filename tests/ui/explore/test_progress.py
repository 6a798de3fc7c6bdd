"""How far measuring is: curves counted, time left, a share that never falls."""

import numpy as np
import pytest

from dpca_core.simulation.trials import TrialMetrics
from tests.ui.explore.answers import FEW, begun
from ui.explore.measurement_plan import COARSE
from ui.explore.measurements import Study
from ui.explore.progress import progress_of


def draw_curves(study: Study, keys: list[str]) -> None:
    """Enter one release at every coarse stop for some mechanisms."""
    for key in keys:
        values = study.calibrations.scales(study.query.mechanism)[list(COARSE)][:, None] * 0 + 0.5
        found = TrialMetrics(
            values, values, values, values < 0, ("",) * len(COARSE), np.zeros((2, *values.shape))
        )
        study.measured[key].enter(list(COARSE), range(1), found)


@pytest.mark.parametrize(
    ("seconds", "written"),
    [(0.2, "1\u00a0s"), (12.4, "12\u00a0s"), (89, "89\u00a0s"), (150.1, "3\u00a0min")],
)
def test_the_time_left_is_in_seconds_or_minutes(
    monkeypatch: pytest.MonkeyPatch, seconds: float, written: str
) -> None:
    monkeypatch.setattr(Study, "seconds_left", seconds)
    assert progress_of(begun(rivals=FEW))["text"].endswith(f"; about {written} left")


def test_mechanisms_with_a_curve_are_counted_and_the_last_ones_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Study, "seconds_left", 7.0)
    study, about = begun(rivals=FEW), "; about 7\u00a0s left"
    assert progress_of(study) == {
        "share": 0.0,
        "text": f"Measured 0 of 4 mechanisms{about}",
        "complete": False,
        "waiting": [m.name for m in FEW],
    }
    draw_curves(study, ["gaussian"])
    assert progress_of(study)["text"] == f"Measured 1 of 4 mechanisms{about}"
    draw_curves(study, ["laplace"])
    found = progress_of(study)
    assert found["waiting"] == ["Wishart difference", "Smooth Gaussian"]
    names = "Wishart difference and Smooth Gaussian"
    assert found["text"] == f"Measured 2 of 4 mechanisms, not yet {names}{about}"
    draw_curves(study, [m.key for m in FEW])
    assert progress_of(study)["text"] == f"All 4 mechanisms measured; refining{about}"
    assert not progress_of(study)["complete"]


def test_a_mechanism_alone_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Study, "seconds_left", 7.0)
    study = begun()
    assert progress_of(study)["text"] == "Measuring; about 7\u00a0s left"
    draw_curves(study, ["gaussian"])
    assert progress_of(study)["text"] == "Refining; about 7\u00a0s left"


def test_the_share_never_falls_and_ends_at_one() -> None:
    study = begun("wine", rivals=FEW[:2])
    shares = [progress_of(study)["share"]]
    while not study.complete:
        assert study.seconds_left > 0
        study.advance(0.1)
        shares.append(progress_of(study)["share"])
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert len(shares) > 3
    assert 0 < shares[1] < 1
    assert study.seconds_left == pytest.approx(0, abs=1e-9)
    done = {"share": 1.0, "text": "", "complete": True, "waiting": []}
    assert progress_of(study) == done
