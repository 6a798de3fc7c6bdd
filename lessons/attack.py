"""Guess whether a person is in the data: by hand, and then as well as anybody can."""

from collections.abc import Callable
from functools import lru_cache
from math import ceil, floor
from typing import Any

import numpy as np
import streamlit as st

from dpca_core.audit.absence import proves_absence
from dpca_core.audit.audit import audit
from dpca_core.figures.colours import family_role
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.neighbouring_pairs import Pair, worst_pair
from dpca_core.mechanisms.registry import DEFAULT, MECHANISMS, PURE_DEFAULT, REFUTED_DEFAULT
from dpca_core.privacy.budget import Budget
from dpca_core.text.privacy_numbers import GUESSES
from ui.learn.pictures import Fields, Figure, Picture, Say, picture, piles
from ui.learn.releases import DELTA, rand_problem

BUDGET = Budget(1.0, DELTA)
COLUMNS, ROUNDS, MACHINE, DRAWN = 2, 20, 4000, 200
"""Of the people; rounds of the question, of the machine, and those that are drawn."""
AUDITED = {
    "acquitted": DEFAULT,
    "convicted": REFUTED_DEFAULT,
    "also_convicted": MECHANISMS["wishart_jiang"],
}


def _name(mechanism: Mechanism) -> str:
    return mechanism.name.removesuffix(", printed")


PLAYED = {_name(mechanism): mechanism for mechanism in (DEFAULT, PURE_DEFAULT, REFUTED_DEFAULT)}


def measure(value: Any, seed: int) -> Fields:
    """Play some thousand rounds against a mechanism; audit three of them."""
    mechanism = PLAYED[value]
    played, threshold = _played(mechanism, seed), _threshold(mechanism)
    rate, shown = _right(played, threshold), played[:, : DRAWN // 2]
    low, high = np.quantile(played, [0.01, 0.99])
    bound = mechanism.guarantee(_pair(mechanism).with_person, BUDGET).guess_probability()
    found: dict[str, Any] = {
        "mechanism": value,
        "key": mechanism.key,
        "role": family_role(mechanism.family),
        "epsilon": BUDGET.epsilon,
        "columns": COLUMNS,
        "rounds": ROUNDS,
        "coin": ROUNDS / 2,
        "machine": MACHINE,
        "rate": GUESSES * rate,
        "right": ROUNDS * rate,
        "shown": DRAWN,
        "shown_right": round(DRAWN * _right(shown, threshold)),
        "bound": GUESSES * bound,
        "at_most": ceil(10 * GUESSES * bound) / 10,
        "threshold": threshold,
        "low": float(low),
        "high": float(high),
        "present": shown[0],
        "absent": shown[1],
        "choices": (ROUNDS / 2, ROUNDS * bound, 0.75 * ROUNDS, float(ROUNDS)),
        "truth": ROUNDS * rate,
    }
    for verdict, one in AUDITED.items():
        found[verdict] = floor(100 * _audited(one, seed)) / 100
        found[f"{verdict}_name"] = _name(one)
    return found


def _pair(mechanism: Mechanism) -> Pair:
    return worst_pair(mechanism, COLUMNS, 1, int(rand_problem(1).n), BUDGET)


@lru_cache(maxsize=64)
def _played(mechanism: Mechanism, seed: int) -> Array:
    """Return a number of each release (2, T), with the person and without.

    What is left along the person once everybody else is subtracted: 1 with the person, 0 without,
    on average. That is the likelihood ratio of Gaussian noise. Where noise only adds, the smallest
    eigenvalue of what is left without the person: below 0 the person cannot be in.
    """
    rng, values, pair = np.random.default_rng(seed), [], _pair(mechanism)
    for problem in (pair.with_person, pair.without_person):
        release = mechanism.simulate(problem, BUDGET, rng, MACHINE // 2, keep="moment")
        left = np.asarray(release.moment) - pair.without_person.moment
        if proves_absence(mechanism):
            values.append(np.linalg.eigvalsh(left - np.outer(pair.person, pair.person))[:, 0])
        else:
            values.append(left @ pair.person @ pair.person)
    return np.array(values)


def _threshold(mechanism: Mechanism) -> float:
    """Return the number from which on the player says "in", fixed beforehand."""
    return 0.0 if proves_absence(mechanism) else 0.5


def _right(played: Array, threshold: float) -> float:
    """Share of the rounds in which the player is right."""
    return float(((played[0] >= threshold).mean() + (played[1] < threshold).mean()) / 2)


@lru_cache(maxsize=64)
def _audited(mechanism: Mechanism, seed: int) -> float:
    """Return the ε that an audit proves spent, at 95 % confidence: a lower bound."""
    return audit(mechanism, _pair(mechanism), BUDGET, releases=MACHINE, seed=seed).epsilon_lower


def pictures(fields: Fields, told: bool, say: Say) -> list[Picture]:
    """Draw some rounds of the machine; before the answer somebody plays instead."""
    if not told:
        return []
    there, gone = say("groups", fields).split(", ")
    groups = [(there, fields["present"], fields["role"]), (gone, fields["absent"], "faint")]
    mark = fields["threshold"]
    drawn = piles(groups, fields["low"], fields["high"], [(mark, say("mark", fields))], mark)
    return [picture(say, "told", fields, drawn)]


def play(fields: Fields, seed: int, say: Say, show: Callable[[Figure, str], None]) -> None:
    """Let somebody play: a result at a time, in a random order, and say what was right."""
    values = _played(PLAYED[fields["mechanism"]], seed)[:, : ROUNDS // 2].ravel()
    order = np.random.default_rng(seed).permutation(ROUNDS)
    was = (order < ROUNDS // 2).tolist()
    guesses: list[bool] = st.session_state.setdefault(f"learn.rounds.{seed}", [])
    played, words = len(guesses), say("guesses", fields).split(", ")
    won = sum(guess == truth for guess, truth in zip(guesses, was, strict=False))
    own = {**fields, "won": won, "played": played, "round": played + 1, "present": 1, "absent": 0}
    if played == ROUNDS:
        st.markdown(say("won", own))
        st.button(words[2], on_click=guesses.clear)
        return
    title = say("round", own)
    st.markdown(f"**{title}**  \n{say('round, below', own)}")
    dot = [("", values[order[played]][None], "accent")]
    show(piles(dot, fields["low"], fields["high"], [(0.0, "0"), (1.0, "1")]), title)
    with st.container(horizontal=True):
        for word, guess in zip(words, (True, False), strict=False):
            st.button(word, on_click=guesses.append, args=(guess,))
        if guesses:
            told = say("was", own).split(", ")[not was[played - 1]]
            st.caption(say("last", {**own, "was": told}))
