"""What the Results page draws: for each data set what is lost at each ε, as three lines."""

from typing import Any

import numpy as np

from dpca_core.figures.axes import Axis
from dpca_core.figures.colours import family_role
from dpca_core.figures.line_styles import CHOSEN_WIDTH
from dpca_core.figures.panels import Curve
from dpca_core.figures.panels_chart import chart
from dpca_core.mechanisms.registry import DEFAULT
from dpca_core.text.privacy_numbers import epsilon_text
from ui.results import text
from ui.results.measurements import Panel, panels
from ui.results.query import ResultsSettings

HEIGHT = 190.0
"""Of the frames, in pixels."""
_LEAST_LOSS, _MARGIN = 1e-5, 1.08
_LOSSES = (1e-4, 1e-3, 1e-2, 0.1, 1.0)


def page_content(settings: ResultsSettings) -> dict[str, Any]:
    """Compose the page's charts and sentences."""
    found = panels(settings.directions, settings.pure)
    return {
        "id": f"{settings.directions} {settings.pure}",
        "complete": True,
        "answer": text.answer(found, settings),
        "under": text.summary(found),
        "charts": [_chart(panel, settings) for panel in found],
        "footer": text.footer(found),
        "settings": text.footer(found),
    }


def _chart(panel: Panel, settings: ResultsSettings) -> dict[str, Any]:
    epsilons = [cell.epsilon for cell in panel.cells]
    losses = {
        text.PAPERS_BEST: [cell.papers.lost for cell in panel.cells],
        text.ONE_LOOK: [cell.one_look.lost for cell in panel.cells],
        text.RECOMMENDED: [cell.recommended.lost for cell in panel.cells],
    }
    styles = {
        text.PAPERS_BEST: ("grey", "solid", 1.6),
        text.ONE_LOOK: ("grey", "2px,3px", 1.3),
        text.RECOMMENDED: (family_role(DEFAULT.family), "solid", CHOSEN_WIDTH),
    }
    curves = [
        Curve(name, name, _drawn(values), color, dash, width, chosen=name == text.RECOMMENDED)
        for (name, values), (color, dash, width) in zip(
            losses.items(), styles.values(), strict=True
        )
    ]
    return {
        "key": f"lost-{panel.data}",
        "figure": chart(
            Axis(
                epsilons[0] / _MARGIN,
                epsilons[-1] * _MARGIN,
                log=True,
                title=text.EPSILON_AXIS,
                ticks=tuple(epsilons),
                tick_texts=tuple(map(epsilon_text, epsilons)),
            ),
            Axis(
                _LEAST_LOSS,
                1.0,
                log=True,
                ticks=_LOSSES,
                tick_texts=tuple(f"{100 * loss:g}\u00a0%" for loss in _LOSSES),
                hover_format=".2%",
            ),
            np.array(epsilons),
            curves,
            height=HEIGHT,
            revision=f"{panel.data} {settings.directions} {settings.pure}",
        ),
        **text.panel_labels(panel),
    }


def _drawn(losses: list[float]) -> np.ndarray:
    """Losses as drawn: what rounds to none is a gap."""
    values = np.array(losses)
    return np.where(values >= _LEAST_LOSS, values, np.nan)
