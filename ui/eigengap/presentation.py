"""What a room has beside the Eigengap page's picture."""

import numpy as np

from dpca_core.analysis.choose_k import gaps
from ui.eigengap import text
from ui.eigengap.query import EigengapQuery
from ui.figures.presentation_scene import SCENE_ROWS, Scene, SceneRow
from ui.state.slider_stops import EPSILON_STOPS


def presentation_scene(query: EigengapQuery) -> Scene:
    """Return the gap behind each number of directions as a list; a row sets k."""
    found = np.asarray(gaps(query.problem, min(SCENE_ROWS, query.most_directions)))
    rows = tuple(
        SceneRow(str(k), f"k\u00a0=\u00a0{k}", query.with_unit(float(gap)), chosen=k == query.k)
        for k, gap in enumerate(found, 1)
    )
    return Scene(text.ROOM_TITLE, rows, EPSILON_STOPS)
