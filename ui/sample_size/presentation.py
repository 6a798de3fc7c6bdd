"""What a room has beside the Sample size page's chart."""

from dpca_core.figures.colours import family_role
from ui.figures.presentation_scene import Scene, SceneRow
from ui.sample_size import text
from ui.sample_size.figures import room_results
from ui.sample_size.measurements import MechanismResult
from ui.sample_size.query import EPSILON_CHOICES, SampleSizeQuery


def presentation_scene(query: SampleSizeQuery, results: list[MechanismResult]) -> Scene:
    """Return the people that each mechanism needs, as a list; a row lights its line."""
    shown = room_results(query, results)
    rows = tuple(
        SceneRow(
            result.mechanism.name,
            result.mechanism.name,
            text.people_text(result.needed.n or 1.0),
            family_role(result.mechanism.family),
            chosen=place == 0,
        )
        for place, result in enumerate(shown)
    )
    title = text.ROOM_TITLE.format(unit=query.unit.capitalize(), epsilon=query.epsilon)
    return Scene(title, rows, EPSILON_CHOICES, lights=True, chart="people-epsilon")
