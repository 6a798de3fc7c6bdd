"""Which account pays: the ledger it stands in, the menu of accounts, and the form of a new one."""

import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import streamlit as st

from dpca_core.privacy.budget import Adjacency
from dpca_core.release.ledger import (
    LONGEST_NAME,
    LONGEST_PEOPLE,
    Account,
    Ledger,
    LedgerError,
    ledger_path,
    server_ledger,
)
from dpca_core.release.plan import Plan, most_mu2, mu2_epsilon
from dpca_core.text.guarantee_sentences import neighbours
from dpca_core.text.privacy_numbers import power, upward
from ui.release import text
from ui.release.whose import Whose, error, kept, note
from ui.server.request_guard import login_required

PRACTICE_LEDGER, FOLDER, OPENED = "release.ledger", "release.folder", "release.account-{}"
"""Session keys: the ledger for practice, the folder of the owner's, and the account that was opened
last, by the name of the set for practice."""
GAUSSIAN = "gaussian"
ROOM = 4
"""Releases like the decided one that a proposed limit has room for."""
USUAL_DELTA = 1e-6
_LOOPBACK = {"127.0.0.1", "localhost", "::1", "[::1]"}
_FORWARDED = ("X-Forwarded-For", "X-Forwarded-Host", "Forwarded")
_DECIMAL = re.compile(r"[0-9]{1,12}(\.[0-9]{1,12})?(e-?[0-9]{1,2})?", re.ASCII)
"""What is read as a number: none whose exact value would fill the memory."""
_POWER = re.compile(r"(?:(.+)[·*×])?10(?:\^(-?[0-9]+)|([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))", re.ASCII)
_RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


@dataclass(frozen=True)
class Payer:
    """What the card of the account says."""

    ledger: Ledger | None
    account: Account | None
    """None while none is open."""
    gaussian: bool
    neighbours: Adjacency
    """Of the account, or of the one that is about to be opened."""


def read_number(typed: str) -> Fraction | None:
    """Read a number as people write it: 0.5, 0,5, 1e-6, 10⁻⁶ or 2·10^-6; None for anything else."""
    plain = re.sub(r"\s", "", typed).replace(",", ".").replace("−", "-")
    if power_of_ten := _POWER.fullmatch(plain):
        factor, plain_exponent, raised = power_of_ten.groups()
        plain = f"{factor or 1}e{(plain_exponent or raised).translate(_RAISED)}"
    return Fraction(plain) if _DECIMAL.fullmatch(plain) else None


def choose_payer(whose: Whose) -> Payer:
    """Draw the card and return what it says."""
    handover = whose.handover
    ledger = _practice_ledger() if whose.practice else _own_ledger()
    nobody = Payer(ledger, None, handover.mechanism == GAUSSIAN, handover.neighbours)
    if ledger is None:
        return nobody
    accounts = {account.name: account for account in ledger.accounts()}
    chosen: str | None = text.NEW_ACCOUNT
    if accounts:
        # None is taken by itself for people: they may be in no account yet.
        chosen = kept(
            st.selectbox,
            "Account",
            st.session_state.get(OPENED.format(whose.practice)),
            f"account-{whose.practice}-{len(accounts)}",
            options=[*accounts, text.NEW_ACCOUNT],
            placeholder=text.WHICH_ACCOUNT,
            help=text.NEW_PEOPLE_ONLY,
        )
    if account := accounts.get(chosen or ""):
        return Payer(ledger, account, not account.pure, account.neighbours)
    return _open_account(ledger, whose, nobody) if chosen else nobody


def _open_account(ledger: Ledger, whose: Whose, payer: Payer) -> Payer:
    """Draw the fields of a new account, and open it where it is asked for."""
    handover, accounts, unit = whose.handover, ledger.accounts(), whose.recipe.unit
    sister, counts = None, payer.neighbours
    if whose.practice:
        name, people = f"Practice {len(accounts) + 1}".removesuffix(" 1"), unit.many.capitalize()
    else:
        note(text.NEW_PEOPLE_ONLY if accounts else "")
        name = _field("Name of the account", "", LONGEST_NAME, text.PUBLISHED_TEXT)
        people = _field("Who they are", "", LONGEST_PEOPLE, text.PUBLISHED_TEXT)
        if accounts:
            sister = st.selectbox(
                text.SISTER,
                [None, *accounts],
                format_func=lambda found: text.NO_SISTER if found is None else found.name,
                key="release-sister",
            )
    kind = {"options": [True, False], "format_func": text.KINDS.__getitem__, "horizontal": True}
    gaussian = kept(st.radio, "Noise", payer.gaussian, "kind", help=text.KIND_HELP, **kind)
    epsilon, delta = handover.epsilon, handover.delta or USUAL_DELTA
    with st.container(horizontal=True, key="release-limit"):
        typed = [_field("Limit: ε", _proposed_limit(epsilon, delta if gaussian else 0.0))]
        typed.append(_field("δ", power(delta)) if gaussian else "0")
    note(text.limit_proposed(epsilon, ROOM))
    with st.container(horizontal=True, key="release-before"):
        own = not whose.practice
        typed.append(_field(text.SPENT_BEFORE, "0", help_=text.PRINTED) if own else "0")
        typed.append(_field(text.DELTA_BEFORE, "0") if own and gaussian else "0")
    if whose.practice:
        name_of = {of: neighbours(of, unit.one) for of in Adjacency}
        counts = kept(
            st.selectbox, "Counts", counts, options=list(Adjacency), format_func=name_of.get
        )
    note(text.LIMIT_STAYS)
    if st.button("Open account", key="release-open"):
        try:
            limit, of_delta, *before = map(_number, typed)
            spent = before[0], before[1]
            ledger.open_account(
                name.strip(), people.strip(), counts, limit, of_delta, spent, sister
            )
        except LedgerError as refused:
            error(str(refused))
        else:
            st.session_state[OPENED.format(whose.practice)] = name.strip()
            st.rerun()
    return Payer(ledger, None, gaussian, counts)


def _field(label: str, usual: str, longest: int = 30, help_: str | None = None) -> str:
    return kept(st.text_input, label, usual, max_chars=longest, help=help_)


def _number(typed: str) -> Fraction:
    if (number := read_number(typed)) is None:
        raise LedgerError(text.NOT_A_NUMBER)
    return number


def _proposed_limit(epsilon: float, delta: float) -> str:
    """Return ε of a limit with room for some releases of (ε, δ), rounded up; δ = 0 where pure."""
    if not delta:
        return upward(ROOM * epsilon, 2)
    exact = Fraction(repr(epsilon)), Fraction(repr(delta))
    return upward(mu2_epsilon(ROOM * most_mu2(*exact), exact[1]), 2)


def draw_account(payer: Payer, plan: Plan | None) -> None:
    """Draw an account's limit as a bar: what is spent of it, and what a plan would take."""
    account, ledger = payer.account, payer.ledger
    if account is None or ledger is None:
        return
    left = ledger.left(account)
    fits = None if plan is None else int(left // plan.cost)
    before = float(1 - left / account.limit)
    planned = float(plan.cost / account.limit) if plan is not None and fits else 0.0
    st.progress(min(1.0, before + planned), text=text.spent_label(before, planned))
    sister, epsilon = ledger.sister(account), ledger.left_epsilon(account)
    note(text.account_line(account, sister, epsilon, fits))
    note(text.ONLY_SESSION if ledger.path is None else "")


def spent_with(ledger: Ledger, account: Account, plan: Plan) -> float:
    """Return ε that would be spent in all with a plan, at the account's δ."""
    total = account.limit - ledger.left(account) + plan.cost
    return float(total) if account.pure else mu2_epsilon(total, Fraction(account.delta))


def _practice_ledger() -> Ledger:
    """Return the session's ledger for practice, which is forgotten with it."""
    found: Ledger = st.session_state.setdefault(PRACTICE_LEDGER, Ledger(None))
    return found


def _own_ledger() -> Ledger | None:
    """Return the ledger for the owner's own table; draw what asks for it where there is none."""
    if server_ledger() is None and not on_laptop():
        error(text.NO_LEDGER_ON_SERVER)
        return None
    if server_ledger() is None and FOLDER not in st.session_state:
        note(text.NAME_A_FOLDER)
        usual = str(ledger_path().parent)
        typed = Path(st.text_input("Folder of the ledger", usual, key="release-folder"))
        if st.button("Keep the ledger there", key="release-keep-ledger"):
            if typed.expanduser().is_absolute():
                st.session_state[FOLDER] = str(typed.expanduser())
                st.rerun()
            error(text.WHOLE_PATH)
        return None
    note(f"Ledger: {st.session_state[FOLDER]}" if FOLDER in st.session_state else "")
    return _ledger()


def known_ledger() -> Ledger | None:
    """Return the owner's ledger for reading, where its place is known; nothing is asked.

    On a server without a login accounts are shown to nobody who has not decided on a table.
    """
    return _ledger() if on_laptop() or (server_ledger() and login_required()) else None


def _ledger() -> Ledger:
    """Return the operator's ledger, else that in the folder of this session, or the usual one."""
    usual = ledger_path()
    folder = usual.parent if server_ledger() else Path(st.session_state.get(FOLDER, usual.parent))
    return Ledger(folder / usual.name, _owner())


def _owner() -> str:
    """Return whose accounts the session sees: the subject of its login, "" without one."""
    if not login_required():
        return ""
    subject = st.user.get("sub")
    if not isinstance(subject, str) or not subject:
        raise LedgerError("The login says no subject, so no account can be told from another’s.")
    return subject


def on_laptop() -> bool:
    """Tell whether this server answers one person's own machine alone, without a proxy."""
    hosts = set(st.get_option("server.allowedHosts") or ())
    forwarded = any(st.context.headers.get(name) for name in _FORWARDED)
    return bool(hosts) and hosts <= _LOOPBACK and not login_required() and not forwarded
