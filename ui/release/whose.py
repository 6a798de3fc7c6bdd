"""Whose data: a table that was decided on, or a built-in set to practise on; and its check.

The check reads the table for its owner alone, on her click. What it finds stays on her screen: only
that she looked, and whether the recipe was changed afterwards, is recorded.
"""

import logging
import traceback
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from weakref import ref

import streamlit as st

from dpca_core.data.column_names import label
from dpca_core.data.dataset import Dataset
from dpca_core.data.errors import RecipeError, TableError
from dpca_core.data.recipe import Number, Recipe, Scaling, Source
from dpca_core.privacy.budget import Adjacency
from dpca_core.release.draw import NotFinished
from dpca_core.release.ledger import LedgerError
from dpca_core.release.plan import PlanError
from dpca_core.release.table_source import RowSource, TableSource
from dpca_core.release.table_source import Source as Rows
from dpca_core.tables.check import check
from dpca_core.text.release_statements import Answer, Declaration, sentence
from sample_data import CATALOGUE
from ui.page import markup
from ui.release import text
from ui.release.text import say
from ui.server.built_in import built_in
from ui.state.decision import (
    FOUND,
    SENT_BACK,
    Decision,
    Handover,
    SentBack,
    check_of,
    decided,
    note_check,
)
from ui.state.settings import DEFAULT_DATA
from ui.text.numbers import escape_markdown

YOUR_DATA = "pages/data.py"
KEPT, TABLE = "release.kept", "release.table"
"""Session keys: where controls were left; a mark of the table that was here last, with a number."""
REFRESH_SECONDS = 0.3
_CHECKS = ThreadPoolExecutor(2, "check")
T = TypeVar("T")


@dataclass(frozen=True)
class Whose:
    """What the first card says: what was decided, or what practice begins with."""

    handover: Handover
    practice: str
    """Name of the built-in set; "" for the owner's own table."""
    about: str
    """Which data of this session: what is kept about one table is not shown with the next."""
    source: Callable[[], Rows]
    """Makes what the rows are read from; called when they are spent on, not before."""
    declarations: tuple[Declaration, ...] = ()
    answered: bool = True
    """Whether every question has an answer."""

    @property
    def recipe(self) -> Recipe:
        """From the table to rows."""
        return self.handover.recipe

    @property
    def mean_share(self) -> float:
        """Share of the means that the recipe takes, of 1; 0 where it takes none."""
        return self.recipe.mean_share if self.recipe.scaling is Scaling.PRIVATE_MEAN else 0.0

    def kept(self, control: Callable[..., Any], label: str, usual: T, **options: Any) -> T:
        """Draw a control as ``kept`` does, and as it was left with these data."""
        name = f"{self.about}-{options.pop('name', label)}"
        return kept(control, label, usual, name, **options)


def note(words: str, kind: str = "release-note") -> None:
    """Draw a sentence, with its ``**`` marks; nothing where it is empty."""
    if words:
        st.html(markup.element("p", markup.sentence(words), class_=kind))


def error(words: str) -> None:
    """Draw what stands in the way."""
    note(words, "release-error")


def kept(control: Callable[..., Any], label: str, usual: T, name: str = "", **options: Any) -> T:
    """Draw a control where it was left, also before another page was opened; return where it is.

    It is one of Streamlit's, with its ``options``, and starts at its ``usual`` value: anew where
    that is another one, as with another decision. ``name`` is in its key, or else the label is.
    """
    left: dict[str, T] = st.session_state.setdefault(KEPT, {})
    key = f"release-{name or label}-{usual}"
    now, choices = left.get(key, usual), list(options.get("options", ()))
    start: dict[str, Any] = {"value": now}
    if control in (st.selectbox, st.radio):
        start = {"index": choices.index(now) if now in choices else None}
    elif control is st.segmented_control:
        start = {"default": now}
    left[key] = control(label, key=key, **start, **options)
    return left[key]


def choose_whose() -> Whose:
    """Draw card 1 and return what it says."""
    found, options = decided(), [say("own_table"), say("practice")]
    if found is None:
        note(say("no_decision"))
        if st.button(say("to_your_data"), key="release-to-data"):
            st.switch_page(YOUR_DATA)
    elif kept(st.radio, "Data", options[0], options=options, horizontal=True) == options[0]:
        return _own_table(found)
    # A release adds up rows: a set that comes as their sum has none.
    keys = [key for key, source in CATALOGUE.items() if source.has_rows]
    name = {key: CATALOGUE[key].name for key in keys}.__getitem__
    chosen = kept(st.selectbox, "Built-in set", DEFAULT_DATA, options=keys, format_func=name)
    note(say("public_data"))
    return practice_on(built_in(chosen))


def practice_on(data: Dataset) -> Whose:
    """Return a built-in set: its rows are in the unit ball already, between public ranges."""
    recipe = Recipe(
        numbers=tuple(Number(name, -1.0, 1.0, source=Source.CODEBOOK) for name in data.columns),
        scaling=Scaling.NORM_ONLY,
        radius=1.0,
        bounds_are_public=True,
        unit=data.unit,
        row_length=data.row_length,
    )
    begin = Handover(recipe, Adjacency.ADD_OR_REMOVE_ONE, 0.5, 1e-6, "gaussian", data.people, k=2)
    return Whose(begin, data.name, data.name, lambda: RowSource(data.rows, data.columns))


def _own_table(decision: Decision) -> Whose:
    """Say what is printed without being asked, and ask the rest, with no answer to begin with."""
    handover, recipe = decision.handover, decision.handover.recipe
    # A mark that keeps no table alive, nor its name.
    table, (last, number) = decision.table, st.session_state.get(TABLE, (None, 0))
    mark = hash(table) if isinstance(table, Path) else ref(table)
    number += mark != last
    st.session_state[TABLE] = mark, number
    names = recipe.unit.one, recipe.unit.many, recipe.person
    note(say("about_own"))
    recorded = (*handover.recorded, *check_of(recipe))
    note(say("recorded"))
    for known in recorded:
        note(text.plain(sentence(known.fact, *names)), "release-note release-listed")
    note(say("confirm"))
    given, places = list[Declaration](), list[str]()
    for fact in handover.asked:
        asked = escape_markdown(sentence(fact, *names))
        # Of this recipe alone: ranges may be changed after an answer.
        places.append(f"{number}-{hash(recipe)}-{asked}")
        answer = kept(st.segmented_control, asked, None, places[-1], options=["Yes", "No"])
        if answer is not None:
            given.append(Declaration(fact, Answer(answer.lower())))
    answered = len(given) == len(handover.asked)
    if not given:
        st.button(say("yes_to_all"), key="release-yes", on_click=_yes_to_all, args=(places,))
    source = partial(TableSource, [decision.table], recipe)
    return Whose(handover, "", str(number), source, (*recorded, *given), answered)


def _yes_to_all(places: list[str]) -> None:
    for place in places:
        st.session_state[f"release-{place}-None"] = "Yes"


def draw_check(whose: Whose, decision: Decision) -> bool:
    """Draw card 2: the check, the columns that it finds lost, and what shall become of them.

    Returns whether no such column waits for an answer; every answer is allowed.
    """
    recipe = decision.handover.recipe
    of, job = st.session_state.get(FOUND, (None, None))
    job = job if of == recipe else None
    note(say("check_note"))
    if job is None or job.done():
        button = say("check_button") if job is None else say("check_again")
        if st.button(button, key="release-check"):
            # Noted before anything is read: who leaves in between has looked.
            note_check(recipe)
            read = partial(check, decision.table, recipe, decision.ids)
            st.session_state[FOUND] = recipe, apart(_CHECKS, read, say("check_failed"))
            st.rerun()
    if job is None:
        return True
    if not job.done():
        wait_for(job, lambda: note(say("checking")))
        return True
    found = job.result()
    if isinstance(found, str):
        error(found)
        return True
    lost = {said for column in found.lost for said in column.sentences()}
    for said in found.sentences():
        (error if said in lost else note)(text.plain(said))
    loses = any(one.unread or one.cut or not one.filled for one in found.columns)
    if found.records and not found.wrong and not loses:
        note(say("nothing_lost"))
    about = f"{whose.about}-{hash(recipe)}"
    return all([_is_answered(about, column.name) for column in found.lost])


def _is_answered(about: str, name: str) -> bool:
    """Ask what shall become of a column that could not be read; ``about`` is of which table."""
    asked = say("lost", name=escape_markdown(label(name)))
    options = [say("as_it_is"), say("leave_out"), say("mend")]
    answer = kept(st.segmented_control, asked, None, f"lost-{about}-{name}", options=options)
    if answer in (say("leave_out"), say("mend")):
        # Asked anew when its owner comes back.
        del st.session_state[KEPT][f"release-lost-{about}-{name}-None"]
        st.session_state[SENT_BACK] = SentBack(name, answer == say("leave_out"))
        st.switch_page(YOUR_DATA)
    return answer is not None


@st.fragment(run_every=REFRESH_SECONDS)
def wait_for(made: Future[T], draw: Callable[[], None]) -> None:
    """Draw what a thread is doing, again and again, and the page anew once it is done."""
    draw()
    if made.done():
        st.rerun()


def apart(threads: ThreadPoolExecutor, work: Callable[[], T], failed: str) -> "Future[T | str]":
    """Do work in a thread; where there is no result, a sentence on why takes its place."""

    def result() -> T | str:
        try:
            return work()
        except (PlanError, LedgerError, RecipeError, TableError, NotFinished) as refused:
            return str(refused)
        except Exception as error:
            # The log gets the error's type and place, never its message: it may quote a cell.
            place = "".join(traceback.format_tb(error.__traceback__))
            logging.getLogger(__name__).error("%s\n%s: %s", failed, type(error).__name__, place)
            return failed

    return threads.submit(result)
