"""Card 4: one sentence, the owner's reason, the account's name, and the button."""

import streamlit as st

from dpca_core.data.errors import RecipeError, TableError
from dpca_core.release.ledger import Account, LedgerError, Row
from dpca_core.release.plan import Plan
from dpca_core.release.plan_checks import LONGEST_REASON
from ui.figures.markup import element, sentence
from ui.release import account_text, figures, text
from ui.release.controls.data_and_new_account import Whose
from ui.release.measurements import Subject, spent, why_not
from ui.release.release_job import Files, ReleaseJob
from ui.state.widget_keys import key_starting_at, note_position, renew_controls

JOB, SHOWN, PROBLEM = "release.job", "release.shown", "release.problem"
"""Session keys: the release that is being made, the one that is shown, and why there is none."""
REASON = "release.reason"
REFRESH_SECONDS = 0.3


def choose_reason(subject: Subject, proposed: str) -> str:
    """Draw the field of the reason and return what it says.

    What was typed is kept for each subject: a reason to practise is none for a table of people. A
    proposal that nobody edited is not: it goes when the plan is another than was decided on.

    Parameters
    ----------
    proposed
        What is true of the plan; "" where the decision's proposal is not.
    """
    kept: dict[str, str] = st.session_state.setdefault(REASON, {})
    name, whose = "release-reason", subject.reason
    shown = kept.get(whose, proposed)
    typed = str(
        st.text_area(
            text.REASON_LABEL,
            shown,
            max_chars=LONGEST_REASON,
            key=key_starting_at(name, (whose, shown)),
            height=96,
            placeholder=text.REASON_NO_LONGER if whose and not proposed else text.REASON_EXAMPLE,
        )
    )
    note_position(name, (whose, typed))
    if typed == whose:
        kept.pop(whose, None)
    elif typed != shown:
        kept[whose] = typed
    return typed


def running_job() -> ReleaseJob | None:
    """Return the release that is being made, or was made and is not shown yet."""
    job = st.session_state.get(JOB)
    return job if isinstance(job, ReleaseJob) else None


def draw_spend(whose: Whose, plan: Plan | str) -> None:
    """Draw the card below the reason: what stands in the way, or the way."""
    if problem := st.session_state.get(PROBLEM):
        _error(str(problem))
    account = whose.account
    if account is None or not whose.answered:
        _note(text.OPEN_FIRST if account is None else text.ANSWER_FIRST)
        return
    if isinstance(plan, str):
        _error(plan)
        return
    if refused := why_not(account, plan):
        if _just_published(account, plan):
            _note(account_text.more_releases(0))
        else:
            _error(refused)
        return
    st.html(
        figures.paragraph(
            text.spend_sentence(account, plan, spent(account, plan)), "release-spends"
        )
    )
    if before := account_text.published_before(account.releases()):
        _note(before)
    typed = st.text_input(
        text.TYPE_LABEL, "", max_chars=100, key=key_starting_at("release-typed", account.name)
    )
    if typed.strip() not in ("", account.name):
        _error(text.OTHER_NAME.format(name=account.name))
    if st.button(
        text.SPEND_BUTTON,
        key="release-spend",
        type="primary",
        disabled=typed.strip() != account.name,
    ):
        _start(whose, account, plan=plan)


def _just_published(account: Account, plan: Plan) -> bool:
    """Whether the release that is shown is of this account, and costs what the plan would."""
    files = shown_files()
    return (
        files is not None
        and files.row.account.id == account.facts.id
        and files.row.cost == plan.cost
    )


def finish_row(whose: Whose, account: Account, row: Row, spend_again: bool) -> None:
    """Finish a release that was interrupted."""
    _start(whose, account, row=row, spend_again=spend_again)


def _start(
    whose: Whose,
    account: Account,
    plan: Plan | None = None,
    row: Row | None = None,
    spend_again: bool = False,
) -> None:
    """Begin, unless a header or a path refuses; nothing is spent before."""
    st.session_state.pop(PROBLEM, None)
    try:
        source = whose.source()
        source.check()
    except (RecipeError, TableError, ValueError) as refused:
        st.session_state[PROBLEM] = str(refused)
        st.rerun()
    job = ReleaseJob(account, source, plan, row, spend_again)
    st.session_state[JOB] = job
    job.start()
    renew_controls("release-typed")
    st.rerun()


def draw_job(job: ReleaseJob) -> None:
    """Draw the three steps of a release that is being made."""
    _show_steps(job)


@st.fragment(run_every=REFRESH_SECONDS)
def _show_steps(job: ReleaseJob) -> None:
    st.html(figures.steps(text.step_states(list(job.reached))))
    if not job.running:
        take_finished(job)
        st.rerun()


def take_finished(job: ReleaseJob) -> None:
    """Show what a job has made, or say why it made nothing."""
    st.session_state.pop(JOB, None)
    if job.files is not None:
        st.session_state[SHOWN] = job.files
    else:
        st.session_state[PROBLEM] = job.problem


def shown_files() -> Files | None:
    """Return the release that is shown."""
    found = st.session_state.get(SHOWN)
    return found if isinstance(found, Files) else None


def show_again(account: Account, row: Row) -> None:
    """Read a stored release again, for nothing."""
    from dpca_core.release.published_release import PublishedRelease

    try:
        st.session_state[SHOWN] = Files.of(PublishedRelease.of(account.release(row.id)))
    except LedgerError as refused:
        st.session_state[PROBLEM] = str(refused)


def _note(words: str) -> None:
    st.html(figures.paragraph(words))


def _error(words: str) -> None:
    st.html(element("p", sentence(words), class_="release-error"))
