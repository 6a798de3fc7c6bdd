"""Guess whether a person is in the data: by hand, and then as well as anybody can."""

from collections.abc import Callable
from functools import lru_cache
from math import ceil

import numpy as np
import streamlit as st

from dpca_core.audit.absence import proves_absence
from dpca_core.figures.colours import family_role
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.neighbouring_pairs import Pair, worst_pair
from dpca_core.mechanisms.registry import DEFAULT, PURE_DEFAULT, REFUTED_DEFAULT
from dpca_core.privacy.budget import Budget
from dpca_core.text.privacy_numbers import GUESSES
from ui.learn.pictures import Fields, Figure, Picture, Say, piles
from ui.learn.releases import DELTA, rand_data

BUDGET = Budget(1.0, DELTA)
COLUMNS, ROUNDS, MACHINE, DRAWN = 2, 20, 4000, 200
"""Of the people; rounds of the question, of the machine, and those that are drawn."""
PLAYED = {
    each.name.removesuffix(", printed"): each for each in (DEFAULT, PURE_DEFAULT, REFUTED_DEFAULT)
}


def measure(mechanism: str, seed: int) -> Fields:
    """Play some thousand rounds against a mechanism."""
    noise = PLAYED[mechanism]
    played = remainders(noise, seed)
    # Fixed beforehand: where noise only adds, below 0 the person cannot be in.
    threshold = 0.0 if proves_absence(noise) else 0.5
    right = (played >= threshold) == [[True], [False]]
    low, high = np.quantile(played, [0.01, 0.99])
    bound = noise.guarantee(_pair(noise).with_person, BUDGET).guess_probability()
    return {
        "key": noise.key,
        "role": family_role(noise.family),
        "epsilon": BUDGET.epsilon,
        "columns": COLUMNS,
        "rounds": ROUNDS,
        "coin": ROUNDS / 2,
        "machine": MACHINE,
        "rate": GUESSES * right.mean(),
        "right": ROUNDS * right.mean(),
        "shown": DRAWN,
        "shown_right": right[:, : DRAWN // 2].sum(),
        "bound": GUESSES * bound,
        "at_most": ceil(10 * GUESSES * bound) / 10,
        "threshold": threshold,
        "low": low,
        "high": high,
        "played": played[:, : DRAWN // 2],
        "choices": (ROUNDS / 2, ROUNDS * bound, 0.75 * ROUNDS, ROUNDS),
        "truth": ROUNDS * right.mean(),
    }


def _pair(mechanism: Mechanism) -> Pair:
    return worst_pair(mechanism, COLUMNS, 1, rand_data().people, BUDGET)


@lru_cache(maxsize=64)
def remainders(mechanism: Mechanism, seed: int) -> Array:
    """Return a number of each release (2, T), with the person and without.

    What is left along the person once everybody else is subtracted: 1 with the person, 0 without,
    on average. That is the likelihood ratio of Gaussian noise. Where noise only adds, the smallest
    eigenvalue of what is left without the person.
    """
    rng, pair, found = np.random.default_rng(seed), _pair(mechanism), []
    for problem in (pair.with_person, pair.without_person):
        release = mechanism.simulate(problem, BUDGET, rng, MACHINE // 2, keep="moment")
        left = np.asarray(release.moment) - pair.without_person.moment
        if proves_absence(mechanism):
            found.append(np.linalg.eigvalsh(left - np.outer(pair.person, pair.person))[:, 0])
        else:
            found.append(left @ pair.person @ pair.person)
    return np.array(found)


def pictures(fields: Fields, told: bool, say: Say) -> list[Picture]:
    """Draw some rounds of the machine; before the answer somebody plays instead."""
    if not told:
        return []
    roles, mark = (fields["role"], "faint"), fields["threshold"]
    groups = [*zip(say("groups").split(", "), fields["played"], roles, strict=True)]
    drawn = piles(groups, fields["low"], fields["high"], [(mark, say("mark"))], mark)
    return [say.picture("told", drawn)]


def play(fields: Fields, seed: int, say: Say, show: Callable[[Figure, str], None]) -> None:
    """Let somebody play: a result at a time, in a random order, and say what was right."""
    values = fields["played"][:, : ROUNDS // 2].ravel()
    order = np.random.default_rng(seed).permutation(ROUNDS)
    was = (order < ROUNDS // 2).tolist()
    guesses: list[bool] = st.session_state.setdefault(f"learn.rounds.{seed}", [])
    played, words = len(guesses), say("guesses").split(", ")
    won = sum(guess == truth for guess, truth in zip(guesses, was, strict=False))
    if played == ROUNDS:
        st.markdown(say("won", won=won))
        st.button(words[2], on_click=guesses.clear)
        return
    title = say("round", round=played + 1)
    st.markdown(f"**{title}**  \n{say('round, below', present=1, absent=0)}")
    dot = [("", values[order[played]][None], "accent")]
    show(piles(dot, fields["low"], fields["high"], [(0.0, "0"), (1.0, "1")]), title)
    with st.container(horizontal=True):
        for word, guess in zip(words, (True, False), strict=False):
            st.button(word, on_click=guesses.append, args=(guess,))
        if guesses:
            told = say("was").split(", ")[not was[played - 1]]
            st.caption(say("last", won=won, played=played, was=told))
