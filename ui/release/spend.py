"""Spending: the reason, the account's name and the button; what is made; and what was made before.

A release is made in a thread of its own: a click elsewhere, or a closed page, does not end it.
"""

import base64
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import NamedTuple

import streamlit as st

from dpca_core.release.draw import NotFinished, Step, draw, finish
from dpca_core.release.ledger import LONGEST_NAME, Account, Ledger, LedgerError, Row, Status
from dpca_core.release.plan import LONGEST_TEXT, Plan, loads, same_recipe
from dpca_core.release.published_release import Published
from dpca_core.release.table_source import Source
from ui.page.markup import element, sentence
from ui.release import text
from ui.release.account import Payer, known_ledger
from ui.release.text import say
from ui.release.whose import Whose, apart, error, note, wait_for
from ui.state.decision import decided
from ui.text.numbers import escape_markdown

JOB, MADE = "release.job", "release.made"
"""Session keys: the release that is being made; and the one that is shown, or why there is none,
with the data that it is about."""
_RELEASES = ThreadPoolExecutor(4, "release")
Planned = Callable[[str], Plan | str]
"""Makes a plan with a reason, or says why there is none."""


class Files(NamedTuple):
    """A stored release, its files by their names, and all of them in one zip archive."""

    row: Row
    each: dict[str, bytes]
    archive: bytes


class Job(NamedTuple):
    """A release that is being made: of which data, how far it is, and its files or why none."""

    about: str
    reached: list[Status]
    made: Future[Files | str]


def running_job() -> Job | None:
    """Return the release that is being made; from when it is done, it is shown."""
    begun = _begun()
    if not begun or not begun[-1].made.done():
        return begun[-1] if begun else None
    st.session_state[MADE] = begun[-1].about, begun[-1].made.result()
    begun.clear()
    return None


def _begun() -> list[Job]:
    """Return the list of the release that is being made, empty where there is none.

    Streamlit may end a run at any look at the session's state. A release that is begun, or done, is
    therefore noted in this list, without such a look.
    """
    found: list[Job] = st.session_state.setdefault(JOB, [])
    return found


def made_of(about: str) -> Files | str:
    """Return the release of some data that is shown, or why there is none; "" for neither."""
    of, made = st.session_state.get(MADE, ("", ""))
    return made if of == about else ""


def draw_spend(whose: Whose, payer: Payer, plan: Planned, answered: bool) -> None:
    """Draw the card: what stands in the way, as a question above without an answer, or the way."""
    if (job := running_job()) is not None:
        wait_for(job.made, lambda: _show_progress(job))
        return
    _draw_files(made := made_of(whose.about))
    with st.expander(say("another")) if isinstance(made, Files) else st.container():
        _draw_way_to_spend(whose, payer, plan, answered)


def _draw_way_to_spend(whose: Whose, payer: Payer, plan: Planned, answered: bool) -> None:
    ledger, account, planned = payer.ledger, payer.account, plan("–")
    if ledger is None or account is None:
        note(say("open_first"))
    elif not answered:
        note(say("answer_first"))
    elif isinstance(planned, str):
        error(planned)
    elif said := _refusal(ledger, account, planned):
        note(said)
    else:
        after = 1 - (ledger.left(account) - planned.cost) / account.limit
        note(text.spend_sentence(account, planned, after), "release-spends")
        _draw_form(whose, ledger, account, plan)


def _draw_form(whose: Whose, ledger: Ledger, account: Account, plan: Planned) -> None:
    """Ask for the reason and the account's name, and spend."""
    # With its number of releases: a second press in haste is none on the form that follows.
    with st.form(f"release-form-{account.id}-{len(ledger.releases(account))}", border=False):
        reason = st.text_area(
            say("reason_label"),
            max_chars=LONGEST_TEXT,
            height=96,
            placeholder=say("reason_example"),
        ).strip()
        typed = _name_field(account)
        first = not isinstance(made_of(whose.about), Files)
        pressed = st.form_submit_button(
            say("spend_button"), type="primary" if first else "secondary"
        )
    made = plan(reason)
    if pressed and (not reason or isinstance(made, str)):
        error(made if isinstance(made, str) else say("say_why"))
    elif pressed and isinstance(made, Plan) and _is_named(account, typed):
        _start(whose, lambda source, told: draw(ledger, account, made, source, reached=told))


def _refusal(ledger: Ledger, account: Account, plan: Plan) -> str:
    """Return why a plan cannot be spent; "" where it can."""
    try:
        ledger.require_fits(account, plan)
    except LedgerError as refused:
        return str(refused)
    return ""


def _name_field(account: Account) -> str:
    name = say("type_label", name=escape_markdown(account.name))
    return st.text_input(name, max_chars=LONGEST_NAME).strip()


def _is_named(account: Account, typed: str) -> bool:
    """Whether the account's name was typed; say so where it was not."""
    if typed != account.name:
        error(say("other_name", name=text.plain(account.name)))
    return typed == account.name


def _start(whose: Whose, release: Callable[[Source, Step], Published]) -> None:
    """Begin in a thread, unless a header or a path refuses; nothing is spent before."""
    try:
        source = whose.source()
        source.check()
    except ValueError as refused:
        st.session_state[MADE] = whose.about, str(refused)
    else:
        begun, reached = _begun(), list[Status]()
        work = partial(_files, partial(release, source, reached.append))
        begun.append(Job(whose.about, reached, apart(_RELEASES, work, say("failed"))))
    st.rerun()


def _files(release: Callable[[], Published]) -> Files:
    """Make a release and its files: they are the same whenever they are made."""
    found = release()
    return Files(found.row, found.files(), found.zipped())


def _show_progress(job: Job) -> None:
    # One that is finished was spent before.
    step = 1 + list(Status).index(job.reached[-1]) if job.reached else 0
    steps = say.each("steps")
    st.progress(step / (len(steps) - 1), text=steps[step])
    note(say("not_stopped"))


def _draw_files(made: Files | str) -> None:
    """Say that a release is there, with the download of all its files and of each; or why not."""
    if isinstance(made, str):
        error(made)
        return
    done = say("done", number=made.row.number, name=text.plain(made.row.account.name))
    note(done, "release-done")
    prefix = "practice" if loads(made.row.plan).practice else "dpca"
    name = f"{prefix}-release-{made.row.number}.zip"
    with st.container(horizontal=True, key="release-files"):
        st.download_button(say("zip"), made.archive, name, type="primary", on_click="ignore")
        for file, content in made.each.items():
            st.download_button(file, content, file, on_click="ignore")


def draw_releases(whose: Whose, payer: Payer) -> None:
    """Draw the releases of the account, each to be shown again or finished; and a report."""
    if payer.account is not None and payer.ledger is not None:
        st.html(element("h2", sentence(say("releases", name=payer.account.name))))
        _draw_rows(payer.ledger, payer.account, whose.about, whose)
    _draw_report(made_of(whose.about))


def draw_published_before() -> None:
    """Without a decision: draw the owner's accounts, to read what was published from them."""
    if decided() is not None or (ledger := known_ledger()) is None:
        return
    accounts = {found.name: found for found in ledger.accounts()}
    if not accounts:
        return
    st.html(element("h2", sentence(say("your_accounts"))))
    note(say("read_only"))
    name = st.selectbox("Account", list(accounts), None, key="release-published-before")
    if name is not None:
        about = f"account {name}"
        _draw_rows(ledger, accounts[name], about, None)
        _draw_files(made_of(about))
        _draw_report(made_of(about))


def _draw_rows(ledger: Ledger, account: Account, about: str, whose: Whose | None) -> None:
    """Draw an account's releases, the last one first; a table, if there is one, may finish them."""
    rows = ledger.releases(account)
    note("" if rows else say("no_releases"))
    again = {row.again_for: row.number for row in rows}
    listed = st.container(key="release-rows")
    for row in reversed(rows):
        with listed, st.container(key=f"release-row-{row.id}"):
            note(text.row_line(row), "release-row")
            if row.status is Status.PUBLISHED:
                key, of = f"release-again-{row.id}", (ledger, row, about)
                st.button(say("show_again"), key, type="tertiary", on_click=_show, args=of)
            elif row.id in again:
                note(say("same_plan", number=again[row.id]))
            elif running_job() is None:
                _offer_finishing(ledger, row, whose)


def _show(ledger: Ledger, row: Row, about: str) -> None:
    """Read a stored release again, for nothing."""
    stored = partial(_files, lambda: Published(ledger.release(row.id)))
    st.session_state[MADE] = about, apart(_RELEASES, stored, say("failed")).result()


def _offer_finishing(ledger: Ledger, row: Row, whose: Whose | None) -> None:
    """Draw what finishing a release costs, and its button."""
    note(str(NotFinished(row, row.status)))
    plan = loads(row.plan)
    if whose is None or not same_recipe(plan.recipe, whose.recipe):
        note(say("other_table"))
        return
    again, typed = row.status is Status.DRAWN, row.account.name
    if again and (said := _refusal(ledger, row.account, plan)):
        note(said)
        return
    with st.form(f"release-finish-{row.id}", border=False):
        if again:
            typed = _name_field(row.account)
        pressed = st.form_submit_button(say("finish_again") if again else say("finish"))
    if pressed and _is_named(row.account, typed):
        _start(
            whose, lambda source, told: finish(ledger, row, source, spend_again=again, reached=told)
        )


def _draw_report(made: Files | str) -> None:
    """Draw the report in the page: in a frame of its own origin, which cannot reach the page."""
    if isinstance(made, Files):
        st.html(element("h2", sentence(say("report_title"))))
        address = "data:text/html;base64," + base64.b64encode(made.each["report.html"]).decode()
        st.iframe(address, height=900, alt=say("report_title"))
