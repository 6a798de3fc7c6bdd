"""Card 1: whose data, from which account, and what is confirmed."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import streamlit as st

from dpca_core.data.dataset import Dataset
from dpca_core.privacy.budget import Adjacency
from dpca_core.release.ledger import Account, Ledger, LedgerError
from dpca_core.release.table_source import Source, TableSource
from dpca_core.text.guarantee_sentences import neighbours
from sample_data import CATALOGUE, source_of
from ui.figures.markup import element, sentence
from ui.release import account_text, figures, text
from ui.release.controls.ledgers import own_ledger, practice_ledger
from ui.release.measurements import (
    Subject,
    decided_limit,
    decided_subject,
    practice_source,
    practice_subject,
)
from ui.release.query import ReleaseSettings
from ui.server.built_in_cache import BUILT_IN_CACHE
from ui.state import session
from ui.state.decision import decided
from ui.state.settings import DEFAULT_DATA
from ui.state.widget_keys import key_starting_at, note_position, widget_key

OPENED, PRACTISED = "release.account", "release.practice-account"
"""Session keys: the name of the owner's account, and of the one for practice, that was chosen or
opened last."""
YOUR_DATA = "pages/data.py"
_DECIMAL = re.compile(r"[0-9]{1,12}(\.[0-9]{1,12})?(e-?[0-9]{1,2})?", re.ASCII)
"""What is read as a number: none whose exact value would fill the memory."""
_LIMIT = ("1", "1e-5")
"""Proposed for a new account for practice."""


@dataclass(frozen=True)
class Whose:
    """What card 1 says.

    Attributes
    ----------
    account
        None while none is open.
    answers
        To the confirmations; None where one is open.
    source
        Makes what the rows are read from; called when they are spent on, not before.
    """

    subject: Subject
    ledger: Ledger | None
    account: Account | None
    answers: tuple[bool | None, ...]
    source: Callable[[], Source]

    @property
    def answered(self) -> bool:
        """Whether every question has an answer."""
        return None not in self.answers


def choose_whose() -> Whose:
    """Draw the card and return what it says."""
    found = decided()
    if found is None:
        with st.container(key="release-no-decision"):
            st.html(figures.paragraph(text.NO_DECISION))
            if st.button(text.TO_YOUR_DATA, key="release-to-data", type="tertiary"):
                st.switch_page(YOUR_DATA)
        own = False
    else:
        options = [text.OWN_TABLE, text.PRACTICE]
        chosen = st.segmented_control(
            "Data", options, default=options[0], required=True, key=widget_key("release-source")
        )
        own = chosen == text.OWN_TABLE
    if own and found is not None:
        subject, table = decided_subject(found.handover), found.table
        st.html(figures.paragraph(text.ABOUT_OWN))
        ledger = own_ledger()
        account = None if ledger is None else _choose_account(ledger, subject)
        answers = _confirm(subject)
        return Whose(
            subject, ledger, account, answers, lambda: TableSource([table], subject.recipe)
        )
    data = _built_in(_choose_built_in())
    st.html(figures.paragraph(text.PUBLIC_DATA))
    subject, ledger = practice_subject(data), practice_ledger()
    account = _choose_account(ledger, subject)
    return Whose(subject, ledger, account, (), lambda: practice_source(data))


def _built_in(key: str) -> Dataset:
    """Return a built-in set; the usual one where an address asks for parameters out of range."""
    try:
        return BUILT_IN_CACHE.get(key)
    except ValueError:
        now = session.page_settings(ReleaseSettings)
        session.change_page_settings(now, data=DEFAULT_DATA)
        return BUILT_IN_CACHE.get(DEFAULT_DATA)


def _choose_built_in() -> str:
    now = session.page_settings(ReleaseSettings)
    # A release adds up rows: a set that comes as their sum has none.
    keys = [key for key, source in CATALOGUE.items() if source.has_rows]
    source = source_of(now.data)
    shown = now.data if source is not None and source.has_rows else keys[0]
    if shown not in keys:
        keys.append(shown)
    chosen = st.selectbox(
        "Built-in set",
        keys,
        keys.index(shown),
        format_func=lambda key: CATALOGUE[key.partition("?")[0]].name,
        key=key_starting_at("release-data", shown),
    )
    note_position("release-data", str(chosen))
    if chosen != now.data:
        session.change_page_settings(now, data=chosen, k=0)
    return str(chosen)


def _confirm(subject: Subject) -> tuple[bool | None, ...]:
    """Ask each question, with no answer to begin with; say what is printed without one."""
    for known in subject.recorded:
        st.html(figures.paragraph(text.recorded(known)))
    if not subject.confirmations:
        return ()
    st.html(figures.paragraph(text.CONFIRM))
    answers = []
    for asked in subject.confirmations:
        answer = st.segmented_control(
            asked.sentence, ["Yes", "No"], key=f"release-confirm-{asked.key}"
        )
        answers.append(None if answer is None else answer == "Yes")
    return tuple(answers)


def _choose_account(ledger: Ledger, subject: Subject) -> Account | None:
    """Draw the menu of accounts, or the fields of a new one."""
    try:
        accounts = {account.name: account for account in ledger.accounts()}
    except LedgerError as refused:
        st.html(element("p", sentence(str(refused)), class_="release-error"))
        return None
    names = [*accounts, text.NEW_ACCOUNT]
    key = PRACTISED if subject.practice else OPENED
    # A table of one's own is about people who may be in no account yet: none is taken by itself.
    usual = names[0] if subject.practice else text.NEW_ACCOUNT
    shown = st.session_state.get(key)
    first = shown if shown in accounts else usual
    chosen = st.selectbox(
        "Account",
        names,
        names.index(first),
        key=key_starting_at("release-account", first),
        help=text.ACCOUNT_HELP,
    )
    if chosen in accounts:
        note_position("release-account", chosen)
        st.session_state[key] = chosen
        return accounts[chosen]
    _open_account(ledger, subject)
    return None


def _open_account(ledger: Ledger, subject: Subject) -> None:
    """Draw the fields of a new account, and open it where it is asked for."""
    practice, many = bool(subject.practice), subject.recipe.unit.many
    name = st.text_input(
        "Name of the account",
        "Practice" if practice else "",
        max_chars=100,
        key="release-name",
        help=text.PUBLISHED_TEXT,
    )
    people = st.text_input(
        "Who they are",
        f"{many.capitalize()} of a built-in set" if practice else "",
        max_chars=500,
        key="release-people",
        help=text.PUBLISHED_TEXT,
    )
    proposed = _LIMIT if subject.decision is None else decided_limit(subject.decision)
    with st.container(horizontal=True, key="release-limit"):
        epsilon, delta = (
            st.text_input(label, shown, max_chars=20, key=key_starting_at(key, shown))
            for label, key, shown in (
                ("Limit: ε", "release-limit-epsilon", proposed[0]),
                ("δ", "release-limit-delta", proposed[1]),
            )
        )
        pure = st.text_input(
            "set aside",
            "0",
            max_chars=20,
            key="release-limit-pure",
            help=text.SET_ASIDE,
        )
    st.html(figures.paragraph(account_text.LIMIT_ONLY_FALLS))
    adjacency = _choose_neighbours(subject)
    if not st.button("Open account", key="release-open"):
        return
    limit = [_decimal(typed) for typed in (epsilon, delta, pure)]
    try:
        if None in limit:
            raise LedgerError("Type ε and δ as decimal numbers, such as 0.5 or 1e-6.")
        ledger.open_account(name.strip(), people.strip(), adjacency, *limit)  # type: ignore[arg-type]
    except LedgerError as refused:
        st.html(element("p", sentence(str(refused)), class_="release-error"))
        return
    st.session_state[PRACTISED if practice else OPENED] = name.strip()
    st.rerun()


def _choose_neighbours(subject: Subject) -> Adjacency:
    if subject.neighbours is not None:
        return subject.neighbours
    one = subject.recipe.unit.one
    chosen = st.selectbox(
        "Counts",
        list(Adjacency),
        format_func=lambda adjacency: neighbours(adjacency, one),
        key="release-neighbours",
    )
    return Adjacency(str(chosen))


def _decimal(typed: str) -> Fraction | None:
    """Read a decimal number exactly; None for anything else."""
    text = typed.strip().replace(",", ".")
    return Fraction(text) if _DECIMAL.fullmatch(text) else None
