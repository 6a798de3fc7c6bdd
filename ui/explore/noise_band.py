"""The noise beside the eigengap: a band over the spectrum that follows the rule.

It is an element over the figure, as nothing in a figure can move without Plotly.
"""

from html import escape
from typing import Any

from dpca_core.figures.colours import family_role
from ui.explore.chart_words import FIGURE_WORDS
from ui.explore.spectrum_panel import SPECTRUM_HEIGHT
from ui.explore.summary import Summary
from ui.page.markup import role_style
from ui.text.numbers import significant

ABOVE, INSIDE = -17.0, 2.0
"""Pixels from the band's upper end to its words: above it, or inside where it leaves the axis."""
LINE, LIFT = 17.0, 25.0
"""Height of a line of words, and how far the band's words stand above the gap's, in pixels."""


def noise_bands(summary: Summary, layout: dict[str, Any]) -> list[dict[str, Any] | None] | None:
    """Return style, words and shape of the band at each ε; None where there is no noise on S.

    It is as long as the noise is large, and stands on the same foot as the gap. The shape is what
    a saved picture has in its place.

    Parameters
    ----------
    layout
        Of the figure with the spectrum.
    """
    chosen, study = summary.chosen, summary.study
    if chosen.noise is None:
        return None
    foot = float(study.problem.spectrum[study.query.k])
    top = layout["yaxis3"]["range"][1]
    gap = next((a for a in layout["annotations"] if a.get("name") == "gap"), None)
    gap_words = None
    if gap is not None:
        gap_words = _down(gap["y"], top) * SPECTRUM_HEIGHT - gap.get("yshift", 0)
    many = study.dataset.unit.many
    bands: list[dict[str, Any] | None] = []
    for noise in map(float, chosen.noise):
        if not noise >= 0:
            bands.append(None)
            continue
        over = foot + noise > top
        head, low = _down(foot + noise, top), _down(foot, top)
        words = INSIDE if over else ABOVE
        pixels = head * SPECTRUM_HEIGHT
        if gap_words is not None and abs(pixels + words + LINE / 2 - gap_words) < LINE:
            words = gap_words - LIFT - pixels
        style = (
            f"top: {head:.2%}; height: {low - head:.2%}; --words: {words:.0f}px; "
            f"{role_style(family_role(chosen.mechanism.family))}"
        )
        text = FIGURE_WORDS["noise"].format(value=significant(noise, 3), unit=many)
        said = f"{'↑ ' if over else ''}{text}"
        ends = foot, min(foot + noise, top)
        shape = _shape(ends, said, family_role(chosen.mechanism.family))
        bands.append({"style": style, "words": said, "shape": shape})
    return bands


def _shape(ends: tuple[float, float], words: str, role: str) -> dict[str, Any]:
    return {
        "type": "rect",
        "layer": "below",
        "xref": "x3 domain",
        "x0": 0,
        "x1": 1,
        "yref": "y3",
        "y0": ends[0],
        "y1": ends[1],
        "fillcolor": f"{role}/.14",
        "line": {"width": 0},
        "label": {
            "text": escape(words, quote=False),
            "textposition": "top right",
            "font": {"color": f"{role}/text"},
        },
    }


def _down(value: float, top: float) -> float:
    """Return how far below the upper end of an axis from 0 a value lies, as a share of it."""
    return 1 - min(max(value, 0.0), top) / top
