"""A cloud of people with two columns, and a line that is turned by hand."""

import numpy as np

from dpca_core.figures.chart import Axis, Dot
from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import top_basis
from ui.learn.pictures import HEIGHT, HIDDEN, Fields, Figure, Picture, Say, curves, figure
from ui.learn.releases import angles_degrees, rand_data, rand_problem

PEOPLE, TURN, SPREAD = 300, 35.0, (1.0, 0.35)
"""A made-up cloud: its people, its turn in degrees, and how long and wide it is."""
ANGLES = np.arange(0.0, 180.0)
REACH = 3.2
"""Of the picture to both sides, in units of the longer spread."""


def measure(angle: float, seed: int) -> Fields:
    """Draw a cloud, and compute what lies along the line and along the best one."""
    drawn = np.random.default_rng(seed).standard_normal((PEOPLE, 2)) * SPREAD
    cloud = drawn @ np.stack([_along(TURN), _along(TURN + 90)])
    moment = cloud.T @ cloud
    values, vectors = np.linalg.eigh(moment)
    least_share, best_share = values / values.sum()
    centred = top_basis(np.cov(rand_data().rows.T), 2)

    def share(degrees: float) -> float:
        return float(_along(degrees) @ moment @ _along(degrees) / values.sum())

    return {
        "people": PEOPLE,
        "cloud": cloud,
        "share": share(angle),
        "shares": np.array([*map(share, ANGLES)]),
        "best": np.degrees(np.arctan2(*vectors[::-1, -1])) % 180,
        "best_share": best_share,
        "least_share": least_share,
        # By how many degrees centring turns RAND's plane.
        "centred": angles_degrees(rand_problem(2), centred[None])[0],
        "choices": (50.0, 70.0, 90.0, 100.0),
        "truth": 100 * best_share,
    }


def _along(degrees: float) -> Array:
    """Return the unit vector (2,) at an angle."""
    return np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])


def pictures(fields: Fields, told: bool, say: Say) -> list[Picture]:
    """Draw the cloud with the line; with the answer also the best, and what each line holds."""
    line = (fields["angle"], "ink")
    if not told:
        return [say.picture("cloud", _cloud(fields["cloud"], line))]
    dots = [
        Dot(fields["angle"], fields["share"], "yours", "ink"),
        Dot(fields["best"], fields["best_share"], "best"),
    ]
    across = Axis(0, 180, title="angle of the line, in degrees", ticks=(0, 45, 90, 135, 180))
    up = Axis(0, 1.05, tick_format=".0%")
    shares = curves(across, up, ANGLES, [("", fields["shares"], "ink", "solid")], dots)
    both = _cloud(fields["cloud"], line, (fields["best"], "accent"))
    return [say.picture("told", both), say.picture("shares", shares)]


def _cloud(cloud: Array, *lines: tuple[float, str]) -> Figure:
    """Return people as dots with lines through the middle: the angle and the role of each."""
    marker = {"color": "faint", "size": 6, "opacity": 0.7}
    traces = [{"mode": "markers", "x": cloud[:, 0], "y": cloud[:, 1], "marker": marker}]
    for angle, role in lines:
        x, y = np.outer(_along(angle), [-REACH, REACH])
        traces.append({"mode": "lines", "x": x, "y": y, "line": {"color": role, "width": 3}})
    up = {"scaleanchor": "x", "constrain": "domain", "range": [-0.75 * REACH, 0.75 * REACH]}
    xaxis = HIDDEN | {"range": [-REACH, REACH]}
    return figure(traces, height=HEIGHT + 40, xaxis=xaxis, yaxis=HIDDEN | up)
