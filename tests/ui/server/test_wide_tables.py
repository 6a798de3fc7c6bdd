"""A very wide table's first answer: whatever takes long is done beside, while others are served."""

from collections.abc import Callable
from threading import Thread
from typing import Any

import numpy as np
import pytest

from dpca_core import MECHANISMS, Adjacency
from dpca_core.data.dataset import Dataset
from dpca_core.linalg.few_rows import COLUMNS_A_ROW
from dpca_core.linalg.symmetric import eigh_descending
from dpca_core.mechanisms import published_matrix
from dpca_core.mechanisms.registry import shown_by_default
from sample_data import load_key
from tests.ui.server.processes import SOON
from ui.explore.figures import page_content
from ui.explore.measurements import Study
from ui.explore.query import ExploreQuery
from ui.server.scheduler import Scheduler
from ui.state.slider_stops import EPSILON_STOPS

COLUMNS, STOP = 1990, 12


def first_answer(data: Dataset) -> dict[str, Any]:
    """Measure and compose what a visitor sees first."""
    added = Adjacency.ADD_OR_REMOVE_ONE
    query = ExploreQuery(MECHANISMS["gaussian"], 2, 1e-6, float(data.people), added, 0)
    study = Study(data, query, shown_by_default())
    study.first_paint(STOP)
    assert study.chosen.done[STOP, 0]
    return page_content(
        study,
        identity="",
        epsilon=EPSILON_STOPS[STOP],
        target=0.9,
        samples=None,
        public=False,
        sentences_within=2,
    )


@pytest.mark.parametrize("rows", [COLUMNS // COLUMNS_A_ROW, COLUMNS // COLUMNS_A_ROW + 1])
def test_others_are_answered_while_a_very_wide_table_is(
    rows: int, place: Callable[[Any], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One place for all: another visitor's whole answer fits into each piece that takes long."""
    values = np.random.default_rng(0).standard_normal((rows, COLUMNS))
    values /= np.linalg.norm(values, axis=1, keepdims=True)
    wide = Dataset("wide", "Wide", "Wide", values, tuple(f"c{j}" for j in range(COLUMNS)))
    gate, inside, asked, answered = Scheduler(1), [False], list[str](), list[dict[str, Any]]()

    def other() -> None:
        with gate.turn(urgent=True):
            answered.append(first_answer(load_key("wine")))

    def beside(work: Callable[..., Any], *given: Any) -> Any:
        asked.append(work.__name__)
        with gate.suspended():
            thread = Thread(target=other)
            thread.start()
            thread.join(SOON)
            assert not thread.is_alive(), "somebody waits for the wide table"
            inside[0] = True
            found = work(*given)
            inside[0] = False
        return found

    def solved(symmetric: np.ndarray, k: int = 0) -> Any:
        """Stand in for what takes a second and more at so many columns; only beside."""
        d = len(symmetric)
        if d < COLUMNS:
            return eigh_descending(symmetric)
        assert inside[0]
        return np.eye(d, k) if k else (np.diag(symmetric), np.eye(d))

    def norms(symmetric: np.ndarray) -> np.ndarray:
        assert symmetric.shape[-1] < COLUMNS, "norms are no part of a first answer"
        return plainly(symmetric)

    plainly = np.linalg.eigvalsh
    monkeypatch.setattr("dpca_core.problem.eigh_descending", solved)
    monkeypatch.setattr(published_matrix, "top_eigenvectors", solved)
    monkeypatch.setattr(np.linalg, "eigvalsh", norms)
    place(beside)
    with gate.turn(urgent=True, heavy=True):
        content = first_answer(wide)
    assert content["later"]
    few = COLUMNS_A_ROW * rows <= COLUMNS
    assert asked[: 1 if few else 2] == (["_release"] if few else ["solved", "_release"])
    assert len(answered) == len(asked)
