"""A cloud of people with two columns, and a line that is turned by hand."""

from typing import Any

import numpy as np

from dpca_core.figures.chart import Axis, Dot
from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import top_basis
from ui.learn.pictures import HEIGHT, Fields, Figure, Picture, Say, curves, figure, lines, picture
from ui.learn.releases import angles_degrees, rand_data, rand_problem

PEOPLE, ANGLE, LONG, SHORT = 300, 35.0, 1.0, 0.35
"""A made-up cloud: its people, its turn in degrees, and how long and wide it is."""
TURNED = np.arange(0.0, 180.0)


def measure(value: Any, seed: int) -> Fields:
    """Draw a cloud, and compute what lies along the line and along the best one."""
    cloud = np.random.default_rng(seed).standard_normal((PEOPLE, 2)) * (LONG, SHORT)
    cloud = cloud @ np.stack([_line(ANGLE), _line(ANGLE + 90)])
    moment, rand = cloud.T @ cloud, rand_problem(2)
    values, vectors = np.linalg.eigh(moment)
    best, shares = vectors[:, -1], values[::-1] / values.sum()
    line = _line(float(value))
    return {
        "people": PEOPLE,
        "angle": float(value),
        "cloud": cloud,
        "share": float(line @ moment @ line / values.sum()),
        "best": float(np.degrees(np.arctan2(best[1], best[0])) % 180),
        "best_share": float(shares[0]),
        "least_share": float(shares[1]),
        "shares": np.array([_line(a) @ moment @ _line(a) for a in TURNED]) / values.sum(),
        "data": rand_data().name,
        # By how many degrees centring turns RAND's plane.
        "centred": float(angles_degrees(rand, top_basis(np.cov(rand_data().rows.T), 2)[None])[0]),
        "choices": (50.0, 70.0, 90.0, 100.0),
        "truth": 100 * float(shares[0]),
    }


def _line(degrees: float) -> Array:
    return np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])


def pictures(fields: Fields, told: bool, say: Say) -> list[Picture]:
    """Draw the cloud with the line; with the answer also the best, and what each line holds."""
    yours = [(fields["angle"], "ink")]
    if not told:
        return [picture(say, "cloud", fields, _drawn(fields, yours))]
    across = Axis(0, 180, title="angle of the line, in degrees", ticks=(0, 45, 90, 135, 180))
    yours_dot = Dot(fields["angle"], fields["share"], "yours", "ink")
    dots = [yours_dot, Dot(fields["best"], fields["best_share"], "best")]
    line = [("", fields["shares"], "ink", "solid")]
    shares = curves(across, Axis(0, 1.05, tick_format=".0%"), TURNED, line, dots)
    both = _drawn(fields, [*yours, (fields["best"], "accent")])
    return [picture(say, "told", fields, both), picture(say, "shares", fields, shares)]


def _drawn(fields: Fields, through: list[tuple[float, str]]) -> Figure:
    """Return the cloud with lines at angles, each in the colour of a role."""
    x, y = fields["cloud"].T
    dots = {"mode": "markers", "x": x, "y": y,
            "marker": {"color": "faint", "size": 6, "opacity": 0.7}}  # fmt: skip
    reach = 3.2
    ends = [(reach * np.stack([_line(angle), -_line(angle)]), role) for angle, role in through]
    square = {"visible": False, "fixedrange": True, "range": [-reach, reach]}
    return figure(
        [dots, *(lines(both, role, 3.0) for both, role in ends)],
        height=HEIGHT + 40,
        xaxis=square,
        yaxis=square | {"scaleanchor": "x", "constrain": "domain", "range": [-2.4, 2.4]},
    )
