"""The chart of what releases keep along ε, with some people and with several times as many."""

import numpy as np
from scipy.interpolate import PchipInterpolator

from dpca_core.figures.axes import Axis
from dpca_core.figures.colours import CHANCE, family_role
from dpca_core.figures.layout import Spec
from dpca_core.figures.panels import Curve, Dot
from dpca_core.figures.panels_chart import chart, level
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.registry import PURE_DEFAULT
from ui.learn.fields import Fields
from ui.text.numbers import count

LESSON_HEIGHT, LINE_WIDTH = 245.0, 2.4
"""Of a frame and of a curve on a lesson's chart, in pixels."""
_POINTS = 61
_ROLE = family_role(PURE_DEFAULT.family)


def kept_by_epsilon(fields: Fields, told: bool) -> Spec:
    """Return the chart: the curve at n people; with the answer, the one at ``more``.

    Parameters
    ----------
    fields
        ``curve_epsilons`` and ``curve`` (p,), ``kept`` at ``epsilon``, ``same``: the ε that keeps
        as much with ``more`` people, ``times`` as many as ``n``; ``random``.
    """
    measured, times = fields["curve_epsilons"], fields["times"]
    low, high = float(measured[0]) / times, float(measured[-1])
    x, people = np.geomspace(low, high, _POINTS), "{} people".format
    here = smooth(measured, fields["curve"], x)
    curves = [Curve("n", people(count(fields["n"])), here, _ROLE, width=LINE_WIDTH)]
    dots = [Dot(fields["epsilon"], fields["kept"], "" if told else "the same quality", "ink")]
    if told:
        there = smooth(measured / times, fields["curve"], x)
        name = people(count(fields["more"]))
        curves.append(Curve("more", name, there, "accent", dash="9px,3px", width=LINE_WIDTH))
        dots.append(Dot(fields["same"], fields["kept"], "the same quality", "accent"))
    curves.append(level("random", "at random", fields["random"], x, color=CHANCE))
    return chart(
        Axis(low, high, log=True, title="ε"),
        Axis(0.0, 1.0, title="kept", tick_format=".0%", hover_format=".0%"),
        x,
        curves,
        dots=dots,
        height=LESSON_HEIGHT,
        wide=True,
        hover="ε = %{x} → %{y}",
    )


def smooth(epsilons: Array, values: Array, x: Array) -> Array:
    """Interpolate monotonically in log ε; NaN outside of what was measured."""
    found = PchipInterpolator(np.log(epsilons), values, extrapolate=False)(np.log(x))
    return np.asarray(found)
