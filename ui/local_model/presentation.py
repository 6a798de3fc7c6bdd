"""What a room has beside the Local model page's charts."""

from dpca_core.figures.colours import family_role
from papers.wang_xu_errors import largest_distance, random_distance
from ui.figures.presentation_scene import Scene, SceneRow
from ui.local_model import text
from ui.local_model.figures import LINE_FAMILIES
from ui.local_model.measurements import (
    LOCAL_KEY,
    ErrorMeasurements,
    MechanismPoint,
    mechanism_keys,
)
from ui.local_model.query import EPSILON_CHOICES, LocalModelQuery


def presentation_scene(query: LocalModelQuery, measured: ErrorMeasurements) -> Scene:
    """Return the error of each line at the chosen setting; a row lights its line."""
    rows = [
        SceneRow(
            key or "sample",
            text.LINE_NAMES[key],
            text.error_text(measured.mean(MechanismPoint(query, key))),
            family_role(family) if (family := LINE_FAMILIES[key]) else "ink",
            chosen=key == LOCAL_KEY,
        )
        for key in mechanism_keys(query)
    ]
    limits = (
        ("random", text.RANDOM_LINE, random_distance(query.d, query.k), "faint"),
        ("ceiling", text.CEILING_LINE, largest_distance(query.k), "ink"),
    )
    rows += [SceneRow(key, name, text.error_text(value), role) for key, name, value, role in limits]
    return Scene(text.ROOM_TITLE, tuple(rows), EPSILON_CHOICES, lights=True, chart="local-epsilon")
