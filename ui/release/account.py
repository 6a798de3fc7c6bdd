"""Which account pays: the ledger it stands in, the menu of accounts, and the form of a new one."""

import re
from dataclasses import dataclass
from fractions import Fraction

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
from ui.release.text import say
from ui.release.whose import Whose, error, note
from ui.server.login import login_required
from ui.text.numbers import upper_first

PRACTICE_LEDGER, OPENED = "release.ledger", "release.account-{}"
"""Session keys: the ledger for practice, and the account that was chosen last about some data."""
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
    """What the card of the account says; ``account`` is None while none is open.

    Noise and neighbours are those of the account, or of the one that is about to be opened.
    """

    ledger: Ledger | None
    account: Account | None
    gaussian: bool
    neighbours: Adjacency


def read_number(typed: str) -> Fraction | None:
    """Read a number as people write it: 0.5, 0,5, 1e-6, 10⁻⁶ or 2·10^-6; None for anything else."""
    plain = re.sub(r"\s", "", typed).replace(",", ".").replace("−", "-")
    if power_of_ten := _POWER.fullmatch(plain):
        factor, plain_exponent, raised = power_of_ten.groups()
        plain = f"{factor or 1}e{(plain_exponent or raised).translate(_RAISED)}"
    return Fraction(plain) if _DECIMAL.fullmatch(plain) else None


def choose_payer(whose: Whose) -> Payer:
    """Draw the card and return what it says."""
    handover, ledger = whose.handover, None if whose.practice else _own_ledger()
    if whose.practice:
        ledger = st.session_state.setdefault(PRACTICE_LEDGER, Ledger(None))
    nobody = Payer(ledger, None, handover.mechanism == GAUSSIAN, handover.neighbours)
    if ledger is None:
        return nobody
    accounts = {account.name: account for account in ledger.accounts()}
    chosen: str | None = say("new_account")
    last, known = OPENED.format(whose.about), f"account-{len(accounts)}"
    if accounts:
        # None is taken by itself for people: they may be in no account yet. One that is opened
        # elsewhere meanwhile takes no form's place that is being filled in.
        usual = st.session_state.setdefault(f"{last}-{known}", st.session_state.get(last))
        chosen = whose.kept(
            st.selectbox,
            "Account",
            usual,
            name=known,
            options=[*accounts, say("new_account")],
            placeholder=say("which_account"),
            help=say("new_people_only"),
        )
    st.session_state[last] = chosen
    if account := accounts.get(chosen or ""):
        return Payer(ledger, account, not account.pure, account.neighbours)
    return _open_account(ledger, accounts, whose, nobody) if chosen else nobody


def _open_account(
    ledger: Ledger, accounts: dict[str, Account], whose: Whose, payer: Payer
) -> Payer:
    """Draw the fields of a new account, and open it where it is asked for."""
    handover, unit, own = whose.handover, whose.recipe.unit, not whose.practice
    sister, counts = None, payer.neighbours

    def field(label: str, usual: str = "", longest: int = 30, help_: str | None = None) -> str:
        return whose.kept(st.text_input, label, usual, max_chars=longest, help=help_)

    if own:
        note(say("new_people_only") if accounts else "")
        name = field("Name of the account", "", LONGEST_NAME, say("published_text"))
        people = field("Who they are", "", LONGEST_PEOPLE, say("published_text"))
        if accounts:
            others = {None: say("no_sister")} | {name: name for name in accounts}
            shown = {"options": [*others], "format_func": others.get}
            sister = whose.kept(st.selectbox, say("sister"), None, **shown)
    else:
        name, people = f"Practice {len(accounts) + 1}".removesuffix(" 1"), upper_first(unit.many)
    kinds = dict(zip((True, False), say.each("kinds"), strict=True))
    kind = {"options": [True, False], "format_func": kinds.get, "horizontal": True}
    gaussian = whose.kept(
        st.radio, "Noise", payer.gaussian, name="kind", help=say("kind_help"), **kind
    )
    epsilon, delta = handover.epsilon, handover.delta or USUAL_DELTA
    with st.container(horizontal=True, key="release-limit"):
        typed = [field("Limit: ε", _proposed_limit(epsilon, delta if gaussian else 0.0))]
        typed.append(field("δ", power(delta)) if gaussian else "0")
    note(text.limit_proposed(epsilon, ROOM))
    with st.container(horizontal=True, key="release-before"):
        typed.append(field(say("spent_before"), "0", help_=say("printed")) if own else "0")
        typed.append(field(say("delta_before"), "0") if own and gaussian else "0")
    if not own:
        name_of = {of: neighbours(of, unit.one) for of in Adjacency}
        every = list(Adjacency)
        counts = whose.kept(st.selectbox, "Counts", counts, options=every, format_func=name_of.get)
    note(say("limit_stays"))
    if st.button("Open account", key="release-open"):
        numbers = [number for number in map(read_number, typed) if number is not None]
        try:
            if len(numbers) < len(typed):
                raise LedgerError(say("not_a_number"))
            limit, of_delta, *before = numbers
            spent, same = (before[0], before[1]), accounts.get(sister or "")
            ledger.open_account(name.strip(), people.strip(), counts, limit, of_delta, spent, same)
        except LedgerError as refused:
            error(str(refused))
        else:
            st.session_state[OPENED.format(whose.about)] = name.strip()
            st.rerun()
    return Payer(ledger, None, gaussian, counts)


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
    before = 1 - left / account.limit
    planned = plan.cost / account.limit if plan is not None and fits else Fraction(0)
    st.progress(min(1.0, float(before + planned)), text=text.spent_label(account, before, planned))
    sister, epsilon = ledger.sister(account), ledger.left_epsilon(account)
    note(text.account_line(account, sister, epsilon, fits))
    note(say("only_session") if ledger.path is None else "")


def _own_ledger() -> Ledger | None:
    """Return the ledger for the owner's own table; say where it is, or why there is none."""
    if server_ledger() is None and not on_laptop():
        error(say("no_ledger_on_server"))
        return None
    note("" if server_ledger() else say("ledger_is", path=text.plain(str(ledger_path()))))
    return _ledger()


def known_ledger() -> Ledger | None:
    """Return the owner's ledger for reading, where its place is known; nothing is asked.

    On a server without a login accounts are shown to nobody who has not decided on a table.
    """
    return _ledger() if on_laptop() or (server_ledger() and login_required()) else None


def _ledger() -> Ledger:
    """Return the operator's ledger, or the usual one, with the accounts of the login's subject."""
    owner = st.user.get("sub") if login_required() else ""
    if not isinstance(owner, str) or (login_required() and not owner):
        raise LedgerError("The login says no subject, so no account can be told from another’s.")
    return Ledger.open(owner=owner)


def on_laptop() -> bool:
    """Tell whether this server answers one person's own machine alone, without a proxy."""
    hosts = set(st.get_option("server.allowedHosts") or ())
    forwarded = any(st.context.headers.get(name) for name in _FORWARDED)
    return bool(hosts) and hosts <= _LOOPBACK and not login_required() and not forwarded
