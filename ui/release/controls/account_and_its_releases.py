"""Beside the cards: the account, its releases, and the files of the one that is shown."""

import base64
from collections.abc import Sequence
from fractions import Fraction

import streamlit as st

from dpca_core.release.ledger import Account, LedgerError, Row, Status
from dpca_core.release.plan import Plan, PlanError
from ui.figures.markup import element, sentence
from ui.release import account_text, figures, text
from ui.release.controls.data_and_new_account import Whose
from ui.release.controls.ledgers import known_ledger
from ui.release.controls.spend import finish_row, running_job, show_again, shown_files
from ui.release.measurements import spent, why_not
from ui.release.release_job import Files
from ui.state.decision import decided
from ui.state.widget_keys import key_starting_at

REPORT = "report.html"
_TYPES = {"csv": "text/csv", "json": "application/json", "html": "text/html"}
_REPORT_HEIGHT = 900


def draw_account(whose: Whose, plan: Plan | str) -> None:
    """Draw the account's bar and its releases."""
    account = whose.account
    if account is None:
        practice = bool(whose.subject.practice)
        none = account_text.NO_PRACTICE_ACCOUNT if practice else account_text.NO_ACCOUNT
        st.html(figures.paragraph(none))
        return
    # What is being made is booked already: it is no plan any more, and nobody else finishes it.
    running = running_job() is not None
    try:
        rows, left = account.releases(), (account.left_epsilon(), account.left(Fraction(0)))
        bar = spent(account, plan if isinstance(plan, Plan) and not running else None)
    except LedgerError as refused:
        st.html(element("p", sentence(str(refused)), class_="release-error"))
        return
    st.html(element("h2", sentence(account.name)) + figures.account_bar(bar))
    shares = f"{account_text.bar_label(bar)}. {account_text.what_shares_are_of(bar)}"
    st.html(figures.paragraph(shares))
    st.html(figures.paragraph(account_text.account_line(account, *left)))
    if whose.subject.practice:
        st.html(figures.paragraph(text.ONLY_SESSION))
    if not rows:
        st.html(figures.paragraph(text.NO_RELEASES))
    for row in reversed(rows):
        with st.container(key=f"release-row-{row.number}"):
            later = [other for other in rows[row.number :] if other.plan_text == row.plan_text]
            try:
                st.html(figures.paragraph(text.row_line(row), "release-row"))
            except PlanError as refused:
                st.html(element("p", sentence(str(refused)), class_="release-error"))
                continue
            if row.status is Status.PUBLISHED:
                _offer_again(account, row)
            elif not running:
                _offer_finishing(whose, account, row, later)


def draw_published_before() -> None:
    """Without a decision: draw the owner's accounts, to read what was published from them."""
    if decided() is not None:
        return
    try:
        if (ledger := known_ledger()) is None:
            return
        accounts = {found.name: found for found in ledger.accounts()}
        if not accounts:
            st.html(figures.paragraph(account_text.FOUND_AGAIN))
            return
        st.html(element("h2", sentence(account_text.YOUR_ACCOUNTS)))
        st.html(figures.paragraph(account_text.READ_ONLY))
        name = st.selectbox(
            account_text.CHOOSE_ACCOUNT, list(accounts), None, key="release-published-before"
        )
        if name is not None:
            _draw_published(accounts[name])
    except LedgerError as refused:
        st.html(element("p", sentence(str(refused)), class_="release-error"))


def _draw_published(account: Account) -> None:
    """Draw an account's limit and releases; nothing of them can be spent or finished here."""
    left = account.left_epsilon(), account.left(Fraction(0))
    st.html(figures.paragraph(account_text.account_line(account, *left)))
    rows = account.releases()
    if not rows:
        st.html(figures.paragraph(text.NO_RELEASES))
    for row in reversed(rows):
        with st.container(key=f"release-row-before-{row.number}"):
            try:
                st.html(figures.paragraph(text.row_line(row), "release-row"))
            except PlanError as refused:
                st.html(element("p", sentence(str(refused)), class_="release-error"))
                continue
            if row.status is Status.PUBLISHED:
                _offer_again(account, row)
            else:
                st.html(figures.paragraph(text.NOT_IN_SESSION))


def _offer_again(account: Account, row: Row) -> None:
    """Draw the button that shows a stored release again."""
    st.button(
        "Download again",
        key=f"release-again-{row.id}",
        type="tertiary",
        on_click=show_again,
        args=(account, row),
    )


def _offer_finishing(whose: Whose, account: Account, row: Row, later: Sequence[Row]) -> None:
    """Draw what finishing a release costs, and its button; ``later`` ones have the same plan."""
    if row.status is Status.DRAWN and later:
        st.html(figures.paragraph(text.SAME_PLAN.format(number=later[0].number)))
        return
    st.html(figures.paragraph(text.finishing(row)))
    if row.plan.recipe != whose.subject.recipe or row.plan.columns != whose.subject.columns:
        practice = bool(whose.subject.practice)
        why = text.NO_TABLE_HERE.format(number=row.number) if practice else text.NOT_IN_SESSION
        st.html(figures.paragraph(why))
        return
    again = row.status is Status.DRAWN
    if again and (too_much := why_not(account, row.plan)):
        st.html(element("p", sentence(too_much), class_="release-error"))
        return
    named = not again or _account_is_named(account, row)
    if st.button(text.finish_label(row), key=f"release-finish-{row.id}", disabled=not named):
        finish_row(whose, account, row, again)


def _account_is_named(account: Account, row: Row) -> bool:
    """Ask for the account's name before it is spent from again."""
    key = key_starting_at(f"release-again-typed-{row.id}", account.name)
    typed = st.text_input(text.TYPE_AGAIN_LABEL, "", max_chars=100, key=key).strip()
    if typed not in ("", account.name):
        said = sentence(text.OTHER_NAME.format(name=account.name))
        st.html(element("p", said, class_="release-error"))
    return typed == account.name


def draw_done() -> None:
    """Say that the release that is shown is there, with the download of all its files."""
    files = shown_files()
    if files is None:
        return
    st.html(figures.paragraph(text.done(files.row), "release-done"))
    prefix = "practice" if files.row.plan.practice else "dpca"
    name = f"{prefix}-release-{files.row.number}"
    st.download_button(
        "Download all (zip)",
        files.archive,
        f"{name}.zip",
        "application/zip",
        key="release-zip",
        on_click="ignore",
    )


def draw_files() -> None:
    """Draw the files of the release that is shown, one by one."""
    files = shown_files()
    if files is None:
        return
    st.html(figures.paragraph(text.files_of(files.row)))
    with st.container(horizontal=True, gap="small", key="release-files"):
        for file, content in files.each.items():
            kind = _TYPES.get(file.rpartition(".")[2], "application/octet-stream")
            st.download_button(
                file, content, file, kind, key=f"release-file-{file}", on_click="ignore"
            )


def draw_report() -> None:
    """Draw the report in the page: in a frame of its own origin, which cannot reach the page."""
    files = shown_files()
    if files is None or REPORT not in files.each:
        return
    st.html(element("h2", sentence(text.REPORT_TITLE), class_="release-title"))
    st.iframe(_as_address(files), height=_REPORT_HEIGHT, alt=text.REPORT_TITLE)


def _as_address(files: Files) -> str:
    return "data:text/html;base64," + base64.b64encode(files.each[REPORT]).decode()
