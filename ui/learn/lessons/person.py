"""Lesson: one person leaves, and ordinary PCA gives another answer."""

from functools import lru_cache
from typing import Any

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import top_basis
from dpca_core.privacy.budget import Adjacency
from dpca_core.privacy.sensitivity import local_sensitivity
from ui.learn.fields import Fields, fill
from ui.learn.lesson import Choice, Control, Lesson, Picture
from ui.learn.lessons.common import (
    ALL_PEOPLE_A_ROW,
    PEOPLE_A_ROW,
    angles_degrees,
    rand_data,
    rand_problem,
)
from ui.learn.pictures.people import people, turned_people
from ui.state.settings import Settings

_K, _OTHER_K = 2, 3
_SEEN = 1e-9
"""Degrees from which on an angle is no rounding error."""
_EVERY = 5
"""Of the columns that the notes name."""
_ODD = 0.01
"""Share of people that "the few odd ones" stands for."""


def measure(value: Any, seed: int) -> Fields:
    """Turn the true directions by leaving each person out, one after the other."""
    k = int(value)
    angles, others = _turns(k), _turns(_OTHER_K)
    return {
        "k": k,
        "n": len(angles),
        "angles": angles,
        "changed": int((angles > _SEEN).sum()),
        "smallest": float(angles.min()),
        "median": float(np.median(angles)),
        "largest": float(angles.max()),
        "bound": _bound(k),
        "data": rand_data().name,
        "columns": rand_data().d,
        "such_as": ", ".join(rand_data().columns[::_EVERY]),
        "other_k": _OTHER_K,
        "other_largest": float(others.max()),
        "other_bound": _bound(_OTHER_K),
    }


@lru_cache(maxsize=8)
def _turns(k: int) -> Array:
    """Return the largest angle (n,) between all people's directions and those without each one."""
    problem, rows = rand_problem(k), rand_data().rows
    without = problem.moment - rows[:, :, None] * rows[:, None, :]
    return angles_degrees(problem, top_basis(without, k))


def _bound(k: int) -> float:
    """Return the angle by which no person can turn the directions, in degrees."""
    problem = rand_problem(k)
    most = local_sensitivity(problem.gap, problem.d, k, Adjacency.ADD_OR_REMOVE_ONE)
    return float(np.degrees(np.arcsin(min(1.0, most))))


def pictures(fields: Fields, told: bool) -> tuple[Picture, ...]:
    """Draw all people; with the answer each one at the angle that they turn the directions by."""
    n = fields["n"]
    if not told:
        title = fill("{n:count} people, one dot each", fields)
        caption = "one of them leaves the table; who changes the answer?"
        wide, narrow = (
            people(n, (), title, columns=columns) for columns in (ALL_PEOPLE_A_ROW, PEOPLE_A_ROW)
        )
        return (Picture(title, caption, wide, narrow),)
    title = fill(
        "All {changed:count} turn the directions, half of them by {median:fine_floor} or more",
        fields,
    )
    caption = (
        "each dot one person, at the angle by which the directions turn when that person leaves"
    )
    wide, narrow = (turned_people(fields["angles"], title, wide=wide) for wide in (True, False))
    return (Picture(title, caption, wide, narrow),)


LESSON = Lesson(
    key="person",
    title="One person",
    minutes=4,
    question="One of {n:count} people leaves the table. For how many of them does ordinary PCA "
    "give another answer?",
    choices=(
        Choice("None", lambda f: 0.0, "a sum over thousands is anonymous"),
        Choice("The few odd ones", lambda f: _ODD * f["n"], "only outliers matter"),
        Choice("About half", lambda f: f["n"] / 2, "the others lie in the middle"),
        Choice("Every one", lambda f: float(f["n"]), "each record is a part of the sum"),
    ),
    right=3,
    truth=lambda fields: float(fields["changed"]),
    control=Control("k", "directions", (1, 2, 3, 4, 5), _K, "fewer", "more", spec="count"),
    measure=measure,
    pictures=pictures,
    answer="**{changed:count} of {n:count}**: each turns the directions, by up to "
    "{largest:fine_ceil}.",
    explanation="PCA sums up a table by the few directions along which people differ most. Their "
    "change is small, but a computer sees it: whoever knows everybody else can compare both "
    "answers and tell whether you took part. Tables that differ in one person are called "
    "neighbours, and privacy means that their results look alike.",
    notes=(
        "Purpose: an exact result depends on everybody, and so tells of everybody. The table is "
        "that of the {data}: {n:count} people, and {columns:count} columns such as {such_as}.",
        "Most will say none, or the few odd ones: a sum over thousands seems anonymous.",
        "Ask next: how far can one person turn it? No person at all can turn {k:word} directions "
        "by more than {bound:fine_ceil}; with {other_k:word} the largest turn is "
        "{other_largest:fine_ceil}, the bound {other_bound:fine_ceil}. The last lesson recovers a "
        "person’s record, not only their presence.",
        "Not true in this picture: that what is small does no harm. The result is exact, so even "
        "the smallest turn, {smallest:fine_floor}, can be seen.",
    ),
    page="eigengap",
    settings=lambda fields: Settings(k=fields["k"]).to_query(),
    draws=False,
)
