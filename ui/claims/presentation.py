"""What a room has beside the Claims page's matrices."""

from dpca_core.figures.colours import family_role
from dpca_core.privacy.budget import Budget
from ui.claims import text
from ui.claims.query import REFUTED, ClaimsQuery
from ui.figures.presentation_scene import Scene, SceneRow
from ui.state.slider_stops import EPSILON_STOPS
from ui.text.numbers import percent


def presentation_scene(query: ClaimsQuery, chosen: str) -> Scene:
    """Return the refuted mechanisms with the share of results that prove absence; a row chooses.

    Parameters
    ----------
    chosen
        Key of the mechanism that is shown.
    """
    budget = Budget(query.epsilon, query.delta)
    rows = tuple(
        SceneRow(
            mechanism.key,
            mechanism.name,
            percent(mechanism.guarantee(query.problem, budget).delta),
            family_role(mechanism.family),
            chosen=mechanism.key == chosen,
        )
        for mechanism in REFUTED
    )
    return Scene(text.ROOM_TITLE, rows, EPSILON_STOPS)
