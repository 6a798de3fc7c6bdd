"""The decision of this session: what a release would take, and the table it would read."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import streamlit as st

from dpca_core.data.recipe import ONE_ROW, Recipe
from dpca_core.privacy.budget import Adjacency
from dpca_core.tables.files import Upload
from dpca_core.text.release_statements import Answer, Declaration, Fact

DECISION, SENT_BACK = "decision", "decision.sent-back"
"""Session keys: what was decided, and a column at which *Prepare* opens next."""
CHECKED, FOUND = "decision.checked", "decision.found"
"""Session keys: recipes with which the owner looked at how well a table can be read, and what the
last such look found, or will find: that goes with the decision about the table."""


@dataclass(frozen=True)
class Handover:
    """What *Decide* hands over to a release: public choices alone, and what was seen before them.

    ``mechanism`` is the key of the recommended one, ``people_guess`` the owner's, never the table's
    own number; ``k`` directions are ``expected`` so, in words, if the shares are. ``seen``: values
    of a column were shown before it was described; ``looked``: curves of the table were, before
    deciding, or ``looked_after`` all of this was decided.
    """

    recipe: Recipe
    neighbours: Adjacency
    epsilon: float
    delta: float
    mechanism: str
    people_guess: float
    seen: bool = False
    looked: bool = False
    looked_after: bool = False
    k: int = 4
    # What is simulated comes later than the rest of a decision, and is no part of it.
    expected: str = field(default="", compare=False)

    @property
    def recorded(self) -> tuple[Declaration, ...]:
        """What the program itself knows to have happened before: printed, and not asked."""
        facts = {
            Fact.NOTHING_SHOWN: not (self.seen or self.looked or self.looked_after),
            Fact.VALUES: self.seen,
            Fact.CURVES: self.looked,
            Fact.CURVES_AFTER: self.looked_after,
        }
        return tuple(Declaration(fact, Answer.RECORDED) for fact, known in facts.items() if known)

    @property
    def asked(self) -> tuple[Fact, ...]:
        """What is to be answered with Yes or No before a release; a No is printed, not refused.

        That nobody read a file to fix ranges is asked only where the program cannot know it; where
        rows cannot be told apart a row is protected, and there is nothing to confirm.
        """
        unread = () if self.seen or self.looked else (Fact.UNREAD,)
        unit = () if self.recipe.unit == ONE_ROW else (Fact.UNIT,)
        return *unread, *unit, Fact.ACCOUNTS


@dataclass(frozen=True)
class Decision:
    """What was decided about one table: ``handover`` holds public choices alone.

    From ``table`` the rows are read again: the whole file as it was uploaded, or the path of a file
    or a folder on this server. Its name is private; it is never published. ``ids`` are columns that
    may name a person, where the recipe names none.
    """

    handover: Handover
    table: Upload | Path
    ids: tuple[str, ...] = ()


class SentBack(NamedTuple):
    """A column that could not be read: its owner mends how it is described, or leaves it out."""

    column: str
    leave_out: bool


def decided() -> Decision | None:
    """Return the decision of this session; None while there is none."""
    found: Decision | None = st.session_state.get(DECISION)
    return found


def keep_decision(decision: Decision | None) -> None:
    """Keep the decision in place of the last one; None forgets it, and what its look found."""
    if decision is not None:
        st.session_state[DECISION] = decision
        return
    for name in (DECISION, FOUND):
        st.session_state.pop(name, None)


def note_check(recipe: Recipe) -> None:
    """Note for good that the owner looked at how well a table can be read with a recipe."""
    st.session_state[CHECKED] = (*st.session_state.get(CHECKED, ()), recipe)


def check_of(recipe: Recipe) -> tuple[Declaration, ...]:
    """Return what is recorded of such looks; nothing where there was none at these columns.

    Rather a look too many than one lost: one at a table with any of these columns counts.
    """
    looks: tuple[Recipe, ...] = st.session_state.get(CHECKED, ())
    names = {column.name for column in recipe.columns}
    here = [of for of in looks if not names.isdisjoint(column.name for column in of.columns)]
    fact = Fact.CHECKED if all(of == recipe for of in here) else Fact.CHANGED
    return (Declaration(fact, Answer.RECORDED),) if here else ()
