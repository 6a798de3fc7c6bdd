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
from dpca_core.text.privacy_numbers import right_guesses
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
from ui.owner.sum_job import IN_PROCESS, StreamingJob, choose_place, draw_progress
from ui.owner.table_source import SourceTable
from ui.owner.text import named, say
from ui.page.markup import element
from ui.server.scheduler import PAGE_SCHEDULER, is_heavy, should_yield, take_steps
from ui.state import session_data
from ui.state.decision import Handover
from ui.state.session import EXPLORE, change_settings, key_starting_at, positions, widget_key
from ui.state.settings import DEFAULT_DATA
from ui.state.slider_stops import DELTA_STOPS, EPSILON_STOPS, nearest_stop
from ui.text.numbers import escape_markdown

RELEASE = "pages/release.py"
"""The page that follows."""
SIMULATED_SECONDS, EVERY_SECONDS = 0.15, 0.2
"""How long a drawing of the page simulates at most; between two slices, while something is left."""


def draw() -> None:
    """Draw the step."""
    draft = session.current().draft
    answers = answers_of(draft)
    try:
        plans = Plans(answers)
    except ValueError as refused:
        draw_head(say("no_choice"), "")
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
                _say("decide-note", say("bars", trials=plans.trials))
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


def _say(kind: str, words: str, width: Any = "stretch") -> None:
    """Draw a sentence as a paragraph of a class; nothing of no words."""
    if words:
        st.html(cards.paragraph(words, kind), width=width)


def _change(**values: Any) -> None:
    session.update(draft=replace(session.current().draft, **values))


def _show_what_is_read(draft: Draft) -> None:
    """Say what this page depends on: the file, where columns were described by reading it."""
    if not draft.bounds_are_public:
        read = [column.name for column in draft.used if column.origin is Source.FILE]
        why = [
            say(key, names=named(names))
            for key, names in (("read_again", read), ("left_out_of_file", draft.unconfirmed))
            if names
        ]
        with st.container(key="decide-not-public", horizontal=True, vertical_alignment="center"):
            _say("decide-not-private", say("file_read", why=" ".join(why)), "content")
            _draw_way_to_columns("decide-to-columns")
        return
    noticed = any(one.origin is Source.NOTICED for one in (*draft.used, *draft.left_out))
    said = [say("follows_noticed" if noticed else "follows")]
    if any(column.seen for column in draft.used):
        said.append(say("typed_after_a_look"))
    if (most := draft.who.rows_kept or 1) > 1:
        said.append(say("rows_kept", one=draft.who.one, most=most))
    if draft.looked:
        said.append(say("looked_before"))
    _say("decide-public", say("nothing_read", why=" ".join(said)))


def _draw_way_to_columns(key: str) -> None:
    open_columns = partial(session.open_step, Step.COLUMNS)
    st.button(say("to_columns"), key=key, type="tertiary", on_click=open_columns)


def _draw_answers(answers: Answers, draft: Draft) -> None:
    """Draw the answers in one line, and below it what is wrong with them."""
    with st.container(key="decide-answers", horizontal=True):
        label, example = say("people", many=draft.unit.many), say("people_example")
        _draw_field("people_guess", label, draft.people_guess, 236, placeholder=example)
        if answers.people is not None and not draft.people_guess.strip().isdecimal():
            _say("decide-left", say("read_as", people=answers.people), "content")
        _choose_expectation(answers)
        shares = shares_text(answers.shares) if answers.shares else draft.shares
        _draw_field("shares", say("shares"), shares, 196)
        if answers.shares:
            others = answers.columns - len(answers.shares)
            left = say("rest_over_more" if others > 1 else "rest_is_last", others=others)
            _say("decide-left", left, "content")
    for name in ("people", "shares"):
        _say("decide-error", answers.errors.get(name, ""))
    recipe = draft.recipe()
    if isinstance(recipe, Recipe):
        _say("decide-note", text.no_findings(draft, recipe))


def _choose_expectation(answers: Answers) -> None:
    """Draw the menu of expectations; shares that were typed have a line of their own."""
    options = [str(expectation) for expectation in Expectation]
    if answers.expectation is None:
        options.append(say("own_shares"))
    shown = str(answers.expectation or say("own_shares"))

    def label(option: str) -> str:
        is_default = answers.by_default and option == shown
        return say("by_default", option=option, columns=answers.columns) if is_default else option

    st.selectbox(
        say("expect"),
        options,
        options.index(shown),
        format_func=label,
        width=372,
        **_following("decide-expectation", shown, lambda chosen: _change(shares=chosen)),
    )


def _draw_field(
    name: str, label: str, shown: str, width: int, card: Card | None = None, **options: Any
) -> None:
    """Draw a text field for a field of the draft; ``card`` is the one whose ε it is."""

    def take(typed: str) -> None:
        if card is not None:
            typed = with_epsilon(session.current().draft.epsilon, card, typed)
        _change(**{name: typed})

    position = f"decide-{name}" if card is None else f"decide-{name}-{card}"
    follows = _following(position, shown, take)
    st.text_input(label, shown, max_chars=MOST_TYPED, width=width, **options, **follows)


def _following(position: str, shown: str, take: Callable[[str], None]) -> dict[str, Any]:
    """Return key and callback of a control that shows a text of the draft, as it is typed."""
    key = key_starting_at(position, shown)

    def taken() -> None:
        said = str(st.session_state.get(key, ""))
        # A control that was drawn anew may still be in the browser: it says what it said before,
        # and nobody has said that.
        if key == widget_key(position) and said != shown:
            positions()[position] = said
            take(said)

    return {"key": key, "on_change": taken}


def _draw_card(card: Card, draft: Draft, answers: Answers, plans: Plans) -> bool:
    """Draw a card; return whether it has just been chosen."""
    chosen, plan = answers.chosen is card, plans.card(card)
    with st.container(key=f"decide-head-{card}", horizontal=True):
        shown = epsilon_texts(draft.epsilon)[card]
        is_own = shown != FIRST_EPSILONS[card]
        name = say("own_budget") if is_own else say.table("cards")[card]
        st.html(cards.title(name, f"decide-name{' is-chosen' * chosen}"), width="stretch")
        _draw_field("epsilon", "ε\u00a0=", shown, 92, card)
        if plan is not None:
            delta = plan.budget.delta
            _say("decide-delta", say("delta" if delta else "pure", delta=delta), "content")
    if plan is None:
        _say("decide-error", answers.errors.get(card, say("mend_answers")))
        return False
    st.html(_card_body(plan, draft, answers))
    return st.button(
        say("chosen" if chosen else "choose"),
        key=f"decide-choose-{card}",
        width="stretch",
        on_click=partial(_change, chosen=str(card)),
    )


def _card_body(plan: CardPlan, draft: Draft, answers: Answers) -> str:
    one, many, planned = draft.unit.one, draft.unit.many, plan.planned
    verdict = text.levels_sentence(planned) if planned else text.no_levels(answers, many)
    bars = map(cards.bar, planned.directions) if planned else ()
    right = right_guesses(plan.guarantee.guess_probability())
    people = text.people_sentence(plan, len(answers.shares), many) if answers.shares else ""
    return element(
        "div",
        cards.paragraph(verdict, "decide-verdict"),
        element("ul", *bars, class_="decide-bars") if planned else "",
        cards.paragraph(say("right", right=right), "decide-odds"),
        cards.guess_dots(plan.guarantee, one),
        cards.paragraph(people or "\u00a0" * bool(answers.shares), "decide-people"),
        class_="decide-body",
    )


def _draw_foot(draft: Draft, answers: Answers, chosen: CardPlan | None, *, go: bool) -> None:
    """Say what is missing, or go on to a release where a card has just been chosen."""
    found = handover(draft, answers, chosen)
    missing = () if isinstance(found, Handover) else found
    session.hand_over(found if isinstance(found, Handover) else None)
    with st.container(key="decide-foot", horizontal=True):
        said = say("not_ready", first=missing[0][0]) if missing else say("ready")
        if len(missing) > 1:
            said += " " + say("and_more", number=len(missing) - 1)
        _say("decide-chosen", said)
        if missing and missing[0][1] is Step.COLUMNS:
            _draw_way_to_columns("decide-foot-to-columns")
        with st.container(key="decide-go", width="content"):
            on = st.button(
                say("go_on"), key="decide-release", disabled=bool(missing), type="primary"
            )
            if on or (go and not missing):
                st.switch_page(RELEASE)


def _draw_how(draft: Draft, answers: Answers, plan: CardPlan | None) -> None:
    """Say how a card will be done, and draw the field of δ, which all cards share."""
    st.html(cards.title(say("how_title")))
    if plan is not None:
        st.html(cards.release_steps(text.steps_of_release(plan, answers.columns, draft.unit.many)))
        if answers.people is not None:
            _say("decide-side-note", text.what_keeps_more(plan, draft.unit.many))
    shown = draft.delta or ("" if answers.delta is None else f"{answers.delta:g}")
    _draw_field("delta", "δ\u00a0=", shown, 160)
    _say("decide-error", answers.errors.get("delta", text.large_delta(answers, draft.unit.many)))


def _draw_stand_ins(draft: Draft, answers: Answers) -> None:
    st.html(cards.title(say("stand_ins_title")))
    _say("decide-side-note", say("stand_ins_note"))
    with st.container(key="decide-stand-in-buttons", horizontal=True, gap="small"):
        if st.button(say("built_in"), key="decide-built-in"):
            session_data.show_in_explore(DEFAULT_DATA, stand_in=True)
            st.switch_page(EXPLORE)
        made_up = synthetic_file(draft, answers.people)
        # Stored when it is asked for: while cards are simulated the page is drawn anew so often
        # that a file stored before could be gone when the browser comes for it.
        st.download_button(
            say("synthetic"),
            lambda: made_up or b"",
            MADE_UP_FILE_NAME,
            "text/csv",
            key="decide-synthetic",
            disabled=made_up is None,
            help=say("synthetic_off" if made_up is None else "synthetic_help"),
            on_click="ignore",
        )


def synthetic_file(draft: Draft, people: float | None) -> bytes | None:
    """Return a CSV file with the table's header and made-up rows, from public choices alone.

    A thousand rows where nobody guessed. None where a range, a list or the use of a column was read
    from the file, since that would leave with this one; and while the draft is no recipe.
    """
    recipe = draft.recipe()
    if isinstance(recipe, tuple) or any(c.origin is Source.FILE for c in draft.used):
        return None
    return made_up_csv(draft.header, recipe, int(people or 1000))


def _draw_look(draft: Draft) -> None:
    """Offer a look; that it was taken is noted before anything is read."""
    owner, recipe = session.current(), draft.recipe()
    st.html(cards.title(say("look_title")))
    _say("decide-side-note", say("look_note"))
    if draft.looked:
        _say("decide-side-note", say("looked_after" if owner.decided_before_look else "looked"))
    if owner.source is None or isinstance(recipe, tuple):
        return
    path = owner.source.path
    where = IN_PROCESS if path is None else choose_place(path)
    pairs = path is None and not recipe.selects_rows and st.checkbox(say("in_pairs"))
    if st.button(say("look_again" if draft.looked else "look"), key="decide-look"):
        session.note_look()
        session.update(failed_look=_open(owner.source, recipe, where, pairs=pairs))
    if failed := session.current().failed_look:
        st.error(escape_markdown(failed))
    summed = draw_progress()
    if summed is not None and summed.found is not None:
        _show(summed.found)


def _open(source: SourceTable, recipe: Recipe, where: str, *, pairs: bool) -> str:
    """Open the owner's table, or begin to sum up one on the server; return why that fails."""
    if isinstance(source.place, Path):
        job = StreamingJob(source.name, source.place, recipe, where)
        session.update(job=job)
        job.start()
        return ""
    try:
        made = replace(recipe, row_length=RowLength.AT_MOST_R) if pairs else recipe
        data = prepare(source.place, made, source.name, pairs=pairs)
        data.problem(1)
    except ValueError as error:
        return str(error)
    except MemoryError:
        return say("too_large")
    session.update(failed_look="")
    _show(data)
    return ""


def _show(data: Dataset) -> None:
    """Let Explore open as the chosen card would be released: its mechanism, budget and neighbours.

    With as many directions as shares, and as many people as were guessed. ε and δ move to the stops
    of Explore's sliders, which have no others.
    """
    session_data.uploads()[data.key] = data
    session_data.show_in_explore(data.key)
    answers = answers_of(session.current().draft)
    if answers.shares:
        change_settings(k=min(len(answers.shares), data.d - 1))
    if answers.people is not None:
        change_settings(n=answers.people)
    plan = None if answers.chosen is None else Plans(answers).card(answers.chosen)
    if plan is not None:
        change_settings(
            mechanism=plan.mechanism.key,
            epsilon=nearest_stop(plan.budget.epsilon, EPSILON_STOPS),
            delta=nearest_stop(plan.budget.delta, DELTA_STOPS),
            adjacency=str(plan.budget.adjacency),
        )
    st.switch_page(EXPLORE)
