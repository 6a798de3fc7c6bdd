"""Step 3, *Decide*: two answers, three cards, and what follows from them. The file is not read."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from dpca_core.analysis.expected_spectrum import Expectation
from dpca_core.data.dataset import Dataset
from dpca_core.data.recipe import Recipe, RowLength, Source
from dpca_core.tables.prepare import prepare
from dpca_core.text.privacy_numbers import power, right_guesses
from sample_data.made_up_table import MADE_UP_FILE_NAME, made_up_csv
from ui.owner import decide_cards as cards
from ui.owner import session, text
from ui.owner.decide_answers import (
    FIRST_EPSILONS,
    MOST_TYPED,
    Answers,
    Card,
    answers_of,
    epsilon_texts,
    shares_text,
    with_epsilon,
)
from ui.owner.decide_plans import CardPlan, Plans
from ui.owner.draft import Draft
from ui.owner.step_table import draw_head
from ui.owner.steps import Step, handover
from ui.owner.sum_job import IN_PROCESS, JOB, StreamingJob, choose_place, draw_progress
from ui.owner.table_source import SourceTable
from ui.page.markup import element, sentence
from ui.server.scheduler import PAGE_SCHEDULER, is_heavy, should_yield, take_steps
from ui.state import session_data
from ui.state.decision import Handover
from ui.state.session import (
    EXPLORE,
    change_settings,
    key_starting_at,
    open_view,
    positions,
    widget_key,
)
from ui.state.settings import DEFAULT_DATA, View
from ui.state.slider_stops import DELTA_STOPS, EPSILON_STOPS, nearest_stop
from ui.text.numbers import count, escape_markdown
from ui.text.product import ONE_PAGE

RELEASE = "pages/release.py"
"""The page that follows."""
PROBLEM = "decide-look-problem"
"""Session key: why the last look failed, as the page may be drawn again at any time."""
SIMULATED_SECONDS, EVERY_SECONDS = 0.15, 0.2
"""How long a drawing of the page simulates at most; between two slices, while something is left."""
_FEW_ROWS = 1000
"""Rows of a synthetic file where nobody guessed."""


def draw() -> None:
    """Draw the step."""
    draft = session.current().draft
    answers = answers_of(draft)
    try:
        plans = Plans(answers)
    except ValueError as refused:
        draw_head(text.NO_CHOICE, "")
        st.info(escape_markdown(str(refused)))
        return
    _simulate(plans, answers.columns, urgent=True)
    chosen = None if answers.chosen is None else plans.card(answers.chosen)
    headline = text.decide_headline(chosen, by_default=answers.by_default)
    draw_head(headline, text.subheading(chosen, draft.unit.one))
    with st.container(key="decide"):
        _show_what_is_read(draft)
        _draw_answers(answers, draft)
        left, right = st.columns([3.1, 1], gap="large")
        with left:
            with st.container(key="decide-three"):
                pressed = []
                for column, card in zip(st.columns(3, gap="small"), Card, strict=True):
                    with column, st.container(key=f"decide-card-{card}"):
                        pressed.append(_draw_card(card, draft, answers, plans))
            if plans.trials:
                said = text.BARS.format(trials=count(plans.trials))
                st.html(cards.paragraph(said, "decide-note"))
            st.html(cards.published_list())
            _draw_foot(draft, answers, chosen, go=any(pressed))
        with right:
            with st.container(key="decide-side-how"):
                _draw_how(draft, answers, chosen or plans.card(Card.MIDDLE))
            with st.container(key="decide-side-stand-ins"):
                _draw_stand_ins(draft, answers)
            with st.container(key="decide-side-look"):
                _draw_look(draft)
    if plans.left:
        _go_on_simulating(plans, answers.columns, plans.left)


def _simulate(plans: Plans, columns: int, *, urgent: bool) -> None:
    with PAGE_SCHEDULER.turn(urgent=urgent, heavy=is_heavy(columns)):
        take_steps(plans.steps(), SIMULATED_SECONDS, should_yield)


@st.fragment(run_every=EVERY_SECONDS)
def _go_on_simulating(plans: Plans, columns: int, shown: int) -> None:
    """Simulate a slice more; draw the page anew once there is something to show."""
    if plans.left:
        _simulate(plans, columns, urgent=False)
    if plans.left != shown:
        st.rerun()


def _show_what_is_read(draft: Draft) -> None:
    """Say what this page depends on: the file, where columns were described by reading it."""
    if not draft.bounds_are_public:
        why = text.why_not_public(draft)
        with st.container(key="decide-not-public", horizontal=True, vertical_alignment="center"):
            st.html(_rule(text.FILE_READ, why, "decide-not-private"), width="content")
            _draw_way_to_columns("decide-to-columns")
        return
    described = (*draft.used, *draft.left_out)
    noticed = any(column.origin is Source.NOTICED for column in described)
    more = [text.FOLLOWS.format(noticed=text.NOTICED if noticed else "")]
    if any(column.seen for column in draft.used):
        more.append(text.TYPED_AFTER_A_LOOK)
    if (most := draft.who.rows_kept or 1) > 1:
        more.append(text.ROWS_KEPT.format(one=draft.who.one, most=most))
    if draft.looked:
        more.append(text.LOOKED_BEFORE)
    st.html(_rule(text.NOTHING_READ, " ".join(more), "decide-public"))


def _rule(words: str, why: str, kind: str) -> str:
    return element("p", element("b", sentence(words)), " ", sentence(why), class_=kind)


def _draw_way_to_columns(key: str) -> None:
    open_columns = partial(session.open_step, Step.COLUMNS)
    st.button(text.TO_COLUMNS, key=key, type="tertiary", on_click=open_columns)


def _draw_answers(answers: Answers, draft: Draft) -> None:
    """Draw the answers in one line, and below it what is wrong with them."""
    with st.container(key="decide-answers", horizontal=True):
        label = text.PEOPLE_LABEL.format(many=draft.unit.many)
        example = text.PEOPLE_EXAMPLE
        _typed_field("people_guess", label, draft.people_guess, example=example, width=236)
        if answers.people is not None and not draft.people_guess.strip().isdecimal():
            read = cards.paragraph(f"read as {answers.people:,.0f}", "decide-left")
            st.html(read, width="content")
        _choose_expectation(answers)
        shares = shares_text(answers.shares) if answers.shares else draft.shares
        _typed_field("shares", text.SHARES_LABEL, shares, width=196)
        if answers.shares:
            others = answers.columns - len(answers.shares)
            left = f"the rest over {others} more" if others > 1 else "the rest is the last one"
            st.html(cards.paragraph(left, "decide-left"), width="content")
    for name in ("people", "shares"):
        if name in answers.errors:
            st.html(cards.paragraph(answers.errors[name], "decide-error"))
    recipe = draft.recipe()
    if isinstance(recipe, Recipe) and (said := text.no_findings(draft, recipe)):
        st.html(cards.paragraph(said, "decide-note"))


def _choose_expectation(answers: Answers) -> None:
    """Draw the menu of expectations; shares that were typed have a line of their own."""
    options = [str(expectation) for expectation in Expectation]
    if answers.expectation is None:
        options.append(text.OWN_SHARES)
    shown = str(answers.expectation or text.OWN_SHARES)

    def named(option: str) -> str:
        by_default = answers.by_default and option == shown
        return option + f": the default for {answers.columns} columns" * by_default

    key, taken = _view_of_draft("decide-expectation", shown, lambda chosen: _change(shares=chosen))
    st.selectbox(
        text.EXPECT_LABEL,
        options,
        options.index(shown),
        format_func=named,
        key=key,
        on_change=taken,
        width=372,
    )


def _draw_card(card: Card, draft: Draft, answers: Answers, plans: Plans) -> bool:
    """Draw a card; return whether it has just been chosen."""
    chosen, plan = answers.chosen is card, plans.card(card)
    with st.container(key=f"decide-head-{card}", horizontal=True):
        shown = epsilon_texts(draft.epsilon)[card]
        name = text.NAMES[card] if shown == FIRST_EPSILONS[card] else text.OWN_BUDGET
        kind = "decide-name is-chosen" if chosen else "decide-name"
        st.html(cards.title(name, kind), width="stretch")
        _typed_field("epsilon", "ε\u00a0=", shown, card=card, width=92)
        if plan is not None:
            delta = plan.budget.delta
            words = f"δ\u00a0=\u00a0{power(delta)}" if delta else "δ\u00a0=\u00a00, pure"
            st.html(cards.paragraph(words, "decide-delta"), width="content")
    if plan is None:
        st.html(cards.paragraph(answers.errors.get(card, text.MEND_ANSWERS), "decide-error"))
        return False
    st.html(_card_body(plan, draft, answers))
    return st.button(
        text.CHOSEN if chosen else text.CHOOSE,
        key=f"decide-choose-{card}",
        width="stretch",
        on_click=_change,
        kwargs={"chosen": str(card)},
    )


def _card_body(plan: CardPlan, draft: Draft, answers: Answers) -> str:
    one, many = draft.unit.one, draft.unit.many
    if plan.planned is None:
        parts = [cards.paragraph(text.no_levels(answers, many), "decide-verdict")]
    else:
        parts = [
            cards.paragraph(text.levels_sentence(plan.planned), "decide-verdict"),
            cards.direction_bars(plan.planned),
        ]
    right = right_guesses(plan.guarantee.guess_probability())
    parts += [
        cards.paragraph(text.RIGHT.format(right=right), "decide-odds"),
        cards.guess_dots(plan.guarantee, one),
    ]
    if answers.shares:
        people = text.people_sentence(plan, len(answers.shares), many)
        parts.append(cards.paragraph(people or "\u00a0", "decide-people"))
    return element("div", *parts, class_="decide-body")


def _draw_foot(draft: Draft, answers: Answers, chosen: CardPlan | None, *, go: bool) -> None:
    """Say what is missing, or go on to a release where a card has just been chosen."""
    found = handover(draft, answers, chosen)
    missing = () if isinstance(found, Handover) else found
    session.hand_over(found if isinstance(found, Handover) else None)
    with st.container(key="decide-foot", horizontal=True):
        said = text.READY if not missing else f"{text.NOT_READY} {missing[0][0]}"
        more = f" And {len(missing) - 1} more." if len(missing) > 1 else ""
        st.html(cards.paragraph(f"{said}{more}", "decide-chosen"), width="stretch")
        if missing and missing[0][1] is Step.COLUMNS:
            _draw_way_to_columns("decide-foot-to-columns")
        with st.container(key="decide-go", width="content"):
            on = st.button(text.GO_ON, key="decide-release", disabled=bool(missing), type="primary")
            if on or (go and not missing):
                st.switch_page(RELEASE)


def _draw_how(draft: Draft, answers: Answers, plan: CardPlan | None) -> None:
    """Say how a card will be done, and draw the field of δ, which all cards share."""
    st.html(cards.title(text.HOW_TITLE))
    if plan is not None:
        steps = text.steps_of_release(plan, answers.columns, draft.unit.many)
        st.html(cards.release_steps(steps))
        if answers.people is not None and (more := text.what_keeps_more(plan)):
            st.html(cards.paragraph(more, "decide-side-note"))
    shown = draft.delta or ("" if answers.delta is None else f"{answers.delta:g}")
    _typed_field("delta", text.DELTA_LABEL, shown, width=160)
    if wrong := answers.errors.get("delta") or text.large_delta(answers, draft.unit.many):
        st.html(cards.paragraph(wrong, "decide-error"))


def _draw_stand_ins(draft: Draft, answers: Answers) -> None:
    st.html(cards.title(text.STAND_INS_TITLE))
    st.html(cards.paragraph(text.STAND_INS_NOTE, "decide-side-note"))
    with st.container(key="decide-stand-in-buttons", horizontal=True, gap="small"):
        if st.button(text.BUILT_IN, key="decide-built-in"):
            session_data.show_in_explore(DEFAULT_DATA, stand_in=True)
            st.switch_page(EXPLORE)
        made_up = synthetic_file(draft, answers.people)
        # Stored when it is asked for: while cards are simulated the page is drawn anew so often
        # that a file stored before could be gone when the browser comes for it.
        st.download_button(
            text.SYNTHETIC,
            lambda: made_up or b"",
            MADE_UP_FILE_NAME,
            "text/csv",
            key="decide-synthetic",
            disabled=made_up is None,
            help=text.SYNTHETIC_HELP if made_up is not None else text.SYNTHETIC_OFF,
            on_click="ignore",
        )


def synthetic_file(draft: Draft, people: float | None) -> bytes | None:
    """Return a CSV file with the table's header and made-up rows, from public choices alone.

    None where a range, a list or the use of a column was read from the file, since that would leave
    with this one; and while the draft is no recipe.
    """
    recipe = draft.recipe()
    if isinstance(recipe, tuple) or any(c.origin is Source.FILE for c in draft.used):
        return None
    return made_up_csv(draft.header, recipe, int(people or _FEW_ROWS))


def _draw_look(draft: Draft) -> None:
    """Offer a look; that it was taken is noted before anything is read."""
    st.html(cards.title(text.LOOK_TITLE))
    st.html(cards.paragraph(text.LOOK_NOTE, "decide-side-note"))
    if draft.looked:
        noted = text.LOOKED_AFTER if session.is_decided_before_look() else text.LOOKED
        st.html(cards.paragraph(noted, "decide-side-note"))
    source, recipe = session.current().source, draft.recipe()
    if source is None or isinstance(recipe, tuple):
        return
    where = IN_PROCESS if source.path is None else choose_place(source.path)
    pairs = source.path is None and not recipe.selects_rows and st.checkbox(text.IN_PAIRS)
    with st.container(key="decide-look-ways", horizontal=True, gap="small"):
        look = st.button(text.LOOK_AGAIN if draft.looked else text.LOOK, key="decide-look")
        as_page = st.button(ONE_PAGE, key="decide-summary", help=text.SUMMARY_LOOK)
    if look or as_page:
        session.note_look()
        st.session_state[PROBLEM] = _open(source, recipe, where, as_page=as_page, pairs=pairs)
    if problem := st.session_state.get(PROBLEM):
        st.error(escape_markdown(problem))
    summed = draw_progress()
    if summed is not None and summed.found is not None:
        _show(summed.found, as_page=summed.as_page)


def _open(source: SourceTable, recipe: Recipe, where: str, *, as_page: bool, pairs: bool) -> str:
    """Read the owner's table and open it; begin to sum up one that is on the server.

    Returns one sentence where that fails.
    """
    if isinstance(source.place, Path):
        job = StreamingJob(source.name, source.place, recipe, where, as_page)
        st.session_state[JOB] = job
        job.start()
        return ""
    try:
        length = RowLength.AT_MOST_R if pairs else recipe.row_length
        rows = replace(recipe, row_length=length)
        data = prepare(source.place, rows, source.name, pairs=pairs)
        data.problem(1)
    except ValueError as error:
        return str(error)
    except MemoryError:
        return text.TOO_LARGE
    st.session_state.pop(PROBLEM, None)
    _show(data, as_page=as_page)
    return ""


def _show(data: Dataset, *, as_page: bool) -> None:
    """Let Explore open as the chosen card would be released: its mechanism, budget and neighbours.

    With as many directions as shares, and as many people as were guessed; one page is of all people
    in the table. ε and δ move to the stops of Explore's sliders, which have no others.
    """
    session_data.uploads()[data.key] = data
    session_data.show_in_explore(data.key)
    answers = answers_of(session.current().draft)
    if answers.shares:
        change_settings(k=min(len(answers.shares), data.d - 1))
    if answers.people is not None and not as_page:
        change_settings(n=answers.people)
    plan = None if answers.chosen is None else Plans(answers).card(answers.chosen)
    if plan is not None:
        change_settings(
            mechanism=plan.mechanism.key,
            epsilon=nearest_stop(plan.budget.epsilon, EPSILON_STOPS),
            delta=nearest_stop(plan.budget.delta, DELTA_STOPS),
            adjacency=str(plan.budget.adjacency),
        )
    if as_page:
        open_view(View.PAGE)
    st.switch_page(EXPLORE)


def _view_of_draft(
    position: str, shown: str, take: Callable[[str], None]
) -> tuple[str, Callable[[], None]]:
    """Return key and callback of a control that shows a text of the draft, as it is typed."""
    key = key_starting_at(position, shown)

    def taken() -> None:
        said = str(st.session_state.get(key, ""))
        # A control that was drawn anew may still be in the browser: it says what it said before,
        # and nobody has said that.
        if key == widget_key(position) and said != shown:
            positions()[position] = said
            take(said)

    return key, taken


def _typed_field(
    name: str, label: str, shown: str, *, width: int, card: Card | None = None, example: str = ""
) -> None:
    """Draw a text field for a field of the draft; ``card`` is the one whose ε it is."""

    def take(typed: str) -> None:
        if card is not None:
            typed = with_epsilon(session.current().draft.epsilon, card, typed)
        _change(**{name: typed})

    position = f"decide-{name}" if card is None else f"decide-{name}-{card}"
    key, taken = _view_of_draft(position, shown, take)
    st.text_input(
        label,
        shown,
        key=key,
        max_chars=MOST_TYPED,
        on_change=taken,
        placeholder=example,
        width=width,
    )


def _change(**values: Any) -> None:
    session.update(draft=replace(session.current().draft, **values))
