"""What libraries draw: the last section of Claims, which depends on no setting."""

from functools import lru_cache

import numpy as np

from dpca_core.audit.divided_rejection import Spent, Sphere, bounded_laplace_loss, spent
from dpca_core.figures.chart import Axis, Band, Curve, chart
from dpca_core.figures.rows import Mark, Row, rows_chart
from dpca_core.linalg.arrays import Array
from ui.page.content import Chart
from ui.text.numbers import count, rounded_count, significant

PEOPLE = (10, 100, 1000)
"""Sizes at which both laws are compared; the second is drawn."""
SHARES = np.array([0.6, 0.3, 0.1])
"""Eigenvalues of S/n there."""
THREE = (np.array([144.25, 143.02, 65.69]), np.array([145.25, 142.02, 65.69]))
TEN = (np.array([1000.0, 1000, 0]), np.array([1001.0, 999, 0]))
"""Eigenvalues of S of three and of ten columns, before and after one person's row is another."""
ROLE, OURS = "laplace", "exponential"
LEGEND = (
    "one person replaced. Ring: claimed; dot: what the right law spends at most; bar: what an "
    "attack by one event shows; diamond: the largest loss, so that no smaller ε holds"
)


@lru_cache(maxsize=1)
def libraries_charts() -> tuple[Chart, Chart]:
    """Return the law that two libraries draw beside the right one, and what it spends."""
    three, ten = Sphere.of(3), Sphere.of(10)
    return _laws(three), _losses(
        spent(three, *THREE, 1.0, divided=True), spent(ten, *TEN, 1.0, divided=True)
    )


def _laws(sphere: Sphere) -> Chart:
    degrees = np.degrees(sphere.angles)
    drawn, right = (_of_degrees(sphere, divided=divided) for divided in (True, False))
    apart = [f"**{sphere.total_variation(n * SHARES, 1.0):.2f}** at {count(n)}" for n in PEOPLE]
    figure = chart(
        Axis(0.0, 90.0, title="degrees from the first direction of S"),
        Axis(0.0, 1.05 * float(drawn.max()), title="density a degree", tick_format=".0%"),
        degrees,
        [
            Curve("drawn", "drawn by the libraries", drawn, ROLE, width=2.0),
            Curve("right", "that the proof is about", right, OURS, width=2.0),
        ],
        bands=[Band(np.minimum(drawn, right), np.maximum(drawn, right), f"{ROLE}/.14")],
        height=300,
        hover="%{y:.2%} a degree at %{x:.0f}°",
    )
    return Chart(
        "drawn",
        figure,
        "What libraries draw",
        f"a direction of three columns at ε\u00a0=\u00a01, S\u00a0=\u00a0n·diag(.6, .3, .1), "
        f"n\u00a0=\u00a0{PEOPLE[1]}",
        "diffprivlib 0.6.6 and OpenDP 0.16.0 draw the directions of their PCA by rejection, and "
        "divide by a factor by which they have to multiply. The law is then narrower than the one "
        f"that is proved private: the total variation between both is {', '.join(apart)} "
        "people. Sources, proof and what is not shown: “What libraries draw”, among the proofs.",
    )


def _of_degrees(sphere: Sphere, *, divided: bool) -> Array:
    density = sphere.density(PEOPLE[1] * SHARES, 1.0, divided=divided)
    return sphere.of_angle(density) * np.pi / 180


def _losses(three: Spent, ten: Spent) -> Chart:
    """Draw ε claimed and spent: of one direction, and of PCA with one direction and eigenvalues.

    Those are drawn apart from it, so that losses add up: two of them differ by 1 in both data sets.
    """
    beside = {"OpenDP": 1.0, "diffprivlib": bounded_laplace_loss(1.0)}
    right = Mark(0.5, "½", "dot", "the right law")
    rows = [
        Row("One direction, the right law", OURS, [Mark(1.0, "", "ring", "claimed"), right]),
        Row("One direction of three columns", ROLE, _marks(1.0, three.largest, three.shown)),
        Row("One direction of ten columns", ROLE, _marks(1.0, ten.largest, ten.shown)),
    ]
    for name, eigenvalues in beside.items():
        marks = _marks(2.0, ten.largest + eigenvalues)
        rows.append(Row(f"{name}’s PCA of ten columns", ROLE, marks))
    return Chart(
        "spent",
        rows_chart(Axis(0.0, 5.0, title="ε"), rows),
        f"[[Refuted]]: what is said to cost ε\u00a0=\u00a01 costs at least **{ten.largest:.1f}**",
        LEGEND,
        "Of 2,000 people 1,000 lie along each of two of ten columns, and one moves to the other: "
        f"{_event(ten)}. With three columns, S with the eigenvalues 144.25, 143.02 and 65.69 or "
        f"145.25, 142.02 and 65.69: {_event(three)}. PCA splits its ε: here half is for one "
        "direction and half for the eigenvalues. OpenDP counts a person replaced as this ε; "
        "diffprivlib says of no two data sets that they are neighbours. Not shown: what holds "
        "instead, and directions after the first.",
    )


def _event(found: Spent) -> str:
    chances = f"{found.likely * 100:.1f}\u00a0% against {found.unlikely * 100:.1f}\u00a0%"
    return f"an event has **{chances}**, which about **{rounded_count(found.draws())}** draws show"


def _marks(claimed: float, largest: float, shown: float | None = None) -> list[Mark]:
    """Return a ring, a diamond and, where an attack shows something, the bar up to it."""
    marks = [
        Mark(claimed, "", "ring", "claimed"),
        Mark(largest, significant(largest, 3), "diamond", "largest loss", bold=True),
    ]
    if shown is not None:
        marks.append(Mark(shown, "", "stroke", "shown", trail="interval", high=shown))
    return marks
