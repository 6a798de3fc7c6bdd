"""The chart of errors of a printed method, between nothing and the largest there can be."""

import numpy as np

from dpca_core.figures.axes import Axis
from dpca_core.figures.colours import CHANCE, family_role
from dpca_core.figures.curve_panels import curve_panels
from dpca_core.figures.layout import Spec
from dpca_core.figures.panels import Band, Curve, Panel, Reference, Rule
from dpca_core.figures.panels_chart import WIDE_SIZES
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.registry import LOCAL_PRINTED
from ui.learn.fields import Fields
from ui.learn.pictures.kept_by_epsilon import LESSON_HEIGHT, LINE_WIDTH

_ABOVE = 1.15
"""How far above the largest error the chart goes, relative to it: the wall."""


def errors_by_people(people: Array, fields: Fields, told: bool) -> Spec:
    """Return the chart: the ceiling as a wall, chance as a band; with the answer, the curve.

    Parameters
    ----------
    people
        (p,) Where ``curve`` of the fields has values.
    fields
        ``curve``, ``ceiling``, ``random`` with its limits, and ``n`` of the printed setting.
    """
    role, x = family_role(LOCAL_PRINTED.family), np.asarray(people, dtype=np.float64)
    low, high = (np.full(len(x), fields[f"random_{end}"]) for end in ("low", "high"))
    wall = np.full(len(x), fields["ceiling"])
    curve = Curve("error", "the printed method", fields["curve"], role, width=LINE_WIDTH)
    panel = Panel(
        key="error",
        y=Axis(0.0, _ABOVE * fields["ceiling"], title="error", ticks=(0.0, 1.0, 2.0, 3.0)),
        height=LESSON_HEIGHT,
        curves=[curve] if told else [],
        bands=[Band(low, high, f"{CHANCE}/band50"), Band(wall, _ABOVE * wall, "ink/band50")],
        references=[
            Reference(
                fields["ceiling"], width=2.4, text="no error can be larger", text_color="ink"
            ),
        ],
        rules=[Rule(fields["n"], "the printed setting", low=True)],
    )
    axis = Axis(float(x[0]), float(x[-1]), log=True, title="people", tick_format="~s")
    return curve_panels(axis, x, [panel], f"errors {told}", WIDE_SIZES)
