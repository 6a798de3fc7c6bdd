"""Lesson: a published mechanism whose results prove that somebody is absent."""

from functools import lru_cache
from typing import Any

import numpy as np

from dpca_core.audit.absence import RECORD, RELEASES_SHOWN, released_remainders, sticks_out
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.registry import MECHANISMS, PURE_DEFAULT, REFUTED_DEFAULT
from dpca_core.privacy.budget import Budget
from dpca_core.privacy.inference_risk import guess_probability
from dpca_core.text.privacy_numbers import GUESSES
from ui.learn.fields import Fields, fill
from ui.learn.lesson import Choice, Control, Lesson, Picture
from ui.learn.lessons.common import rand_problem
from ui.learn.pictures.ellipses import ellipses
from ui.state.settings import Settings

_ABSENT, _PRESENT = "not in the data", "in the data"
_CLAIMED, _SMALL = Budget(1.0), Budget(0.1)
_OTHER = MECHANISMS["wishart_jiang"]


def measure(value: Any, seed: int) -> Fields:
    """Count proofs of absence among 100 results, and compute how many there are on average."""
    absent, present = (_results(REFUTED_DEFAULT, there, seed) for there in (False, True))
    repaired = [_results(PURE_DEFAULT, there, seed)[1] for there in (False, True)]
    shown = present if value == _PRESENT else absent
    return {
        "epsilon": _CLAIMED.epsilon,
        "small": _SMALL.epsilon,
        "place": value,
        "published": RELEASES_SHOWN,
        "scale": REFUTED_DEFAULT.calibrate(rand_problem(2), _CLAIMED).scale,
        "matrices": shown[0],
        "proved": shown[1],
        "shown": int(shown[1].sum()),
        "proofs": int(absent[1].sum()),
        "proofs_present": int(present[1].sum()),
        "expected": _expected(REFUTED_DEFAULT, _CLAIMED),
        "expected_small": _expected(REFUTED_DEFAULT, _SMALL),
        "expected_other": _expected(_OTHER, _CLAIMED),
        "repaired": PURE_DEFAULT.name,
        "hints_absent": int(repaired[0].sum()),
        "hints_present": int(repaired[1].sum()),
        "wrong": GUESSES * (1 - guess_probability(_CLAIMED.epsilon, 0.0)),
    }


def _expected(mechanism: Mechanism, budget: Budget) -> float:
    """Proofs in 100 results: the total variation between both data sets."""
    return RELEASES_SHOWN * mechanism.guarantee(rand_problem(2), budget).delta


@lru_cache(maxsize=64)
def _results(mechanism: Mechanism, present: bool, seed: int) -> tuple[Array, np.ndarray]:
    """Return remainders (100, 2, 2), and out of which of them the needle sticks."""
    found = released_remainders(mechanism, _CLAIMED, present, RELEASES_SHOWN, seed)
    return found, sticks_out(found, RECORD)


def pictures(fields: Fields, told: bool) -> tuple[Picture, ...]:
    """Draw the needle a hundred times; with the answer the ellipses that must hold it."""
    if not told:
        title = fill("{published:count} results, and one person in question", fields)
        caption = "the needle is the person’s own part; the rest of each result is not shown yet"
        hidden = np.zeros(fields["published"], dtype=bool)
        return (Picture(title, caption, ellipses(None, hidden, fields["scale"], title)),)
    title = fill(
        "{shown:count} of {published:count} needles stick out; the person is {place}", fields
    )
    caption = (
        "ellipse: a result less everybody else’s records; needle: the person; red: impossible if "
        "that person is there"
    )
    drawn = ellipses(fields["matrices"], fields["proved"], fields["scale"], title)
    return (Picture(title, caption, drawn),)


LESSON = Lesson(
    key="needles",
    title="A promise that fails",
    minutes=5,
    question="A published mechanism claims ε = {epsilon:epsilon}. In how many of "
    "{published:count} results can anyone prove that this person is absent?",
    choices=(
        Choice("None", lambda f: 0.0, "published and reviewed, so private"),
        Choice("{value:count}", lambda f: f["published"] / 100, "proofs are rare accidents"),
        Choice("{value:.0f}", lambda f: float(f["wrong"]), "what ε leaves to a wrong guess"),
        Choice("{value:.0f}", lambda f: float(f["expected"]), "this noise only ever adds"),
    ),
    right=3,
    truth=lambda fields: float(fields["proofs"]),
    control=Control("person", "person", (_ABSENT, _PRESENT), _ABSENT, spec="{}"),
    measure=measure,
    pictures=pictures,
    answer="In **{proofs:count}** of these {published:count}, and in {expected:.0f} on average. "
    "With the person in the data it is **{proofs_present:count}**.",
    explanation="This noise only ever adds, so a result smaller than the person’s own part is "
    "impossible if that person is there. One impossible result is a proof, and no ε allows proofs.",
    notes=(
        "Purpose: a promise is worth its proof. One counterexample that anybody can check ends it.",
        "Most will say none: the mechanism was published and reviewed. It has been withdrawn.",
        "Ask next: does a smaller ε help? At ε = {small:epsilon} there are still "
        "{expected_small:.1f} proofs in {published:count}; another paper’s form, with three times "
        "the noise, has {expected_other:.0f} at ε = {epsilon:epsilon}. The repaired one, "
        "“{repaired}”, also takes away: its needles stick out in {hints_absent:count} results with "
        "the person absent and in {hints_present:count} with the person present: a hint, no proof.",
        "Not true in this picture: that two columns matter. The share of proofs is the same for "
        "any number of columns.",
    ),
    page="claims",
    settings=lambda fields: {
        **Settings(epsilon=fields["epsilon"]).to_query(),
        "mechanism": REFUTED_DEFAULT.key,
    },
)
