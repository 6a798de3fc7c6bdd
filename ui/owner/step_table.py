"""Before step 1: a table is chosen and read, named above the steps, changed and forgotten.

Where one cannot be read, the last one stays, and all that was typed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from types import MappingProxyType
from typing import Any

import streamlit as st

from dpca_core.data.column_names import shown
from dpca_core.data.errors import TableError
from dpca_core.tables.files import Upload
from sample_data import CATALOGUE, Source, made_up_clinic
from ui.owner import session, text
from ui.owner.server_folders import folders, tables
from ui.owner.steps import Step
from ui.owner.sum_job import current_job
from ui.owner.table_source import ReadingQuestion, first_table
from ui.page.component import registered
from ui.page.content import packed
from ui.page.markup import element, sentence
from ui.server.request_guard import refusal
from ui.state import session as shared
from ui.state import session_data
from ui.state.session import renew_controls, widget_key
from ui.state.settings import DEFAULT_DATA
from ui.text.numbers import escape_markdown

CHOICE = "owner.choice"
"""Session key of ``Choice``."""
UPLOADER, PLACES = "owner-file", "source"
PREVIEW_ROWS, PREVIEW_COLUMNS = 6, 50

_kept_in_tab = registered("dpca_kept", "kept/main.js", element("p", text.KEPT_IN_TAB))


@dataclass(frozen=True)
class Choice:
    """A table that is being chosen, or why it cannot be read.

    ``seen`` is the number of the uploaded file, or the name on the server, that was taken up last;
    ``place`` is read once nothing has to be asked before. It ``is_open`` while there is a table.
    """

    seen: str = ""
    name: str = ""
    place: Upload | Path | None = None
    answers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    refused: str = ""
    is_open: bool = False


def current_choice() -> Choice:
    """Return what is being chosen; nothing yet where nothing is."""
    found = st.session_state.get(CHOICE)
    return found if isinstance(found, Choice) else Choice()


def _put(choice: Choice) -> None:
    st.session_state[CHOICE] = choice


def _choose(**fields: Any) -> None:
    """Begin with another choice, in place of the one there is."""
    _put(Choice(is_open=current_choice().is_open, **fields))


def draw_head(headline: str, lead: str, *, with_table: bool = False) -> None:
    """Draw a step's headline and the sentence below it, with ``**`` and ``[[…]]`` marks."""
    with st.container(key="owner-head"):
        st.html(
            element("h1", sentence(headline), class_="owner-headline")
            + (element("p", sentence(lead), class_="owner-lead") if lead else "")
        )
    if with_table:
        _draw_line()


def draw_choice() -> None:
    """Draw where a table may come from: the first thing that is seen of this page."""
    has_table = session.current().source is not None
    if has_table:
        st.button(text.KEEP_TABLE, key="keep-table", on_click=_keep_table)
    with st.container(key="owner-empty"):
        draw_head(text.EMPTY_HEADLINE, text.EMPTY_LEAD)
        if _place() == text.SERVER:
            _choose_on_server()
        else:
            _choose_upload()
        _read()
        if refused := current_choice().refused:
            st.error(escape_markdown(refused) + f" {text.KEPT_TABLE}" * has_table)
        forget_all = {"forget": session.FORGOTTEN in st.session_state}
        _kept_in_tab(key="kept-in-tab", data=packed(forget_all))
        name, clinic = made_up_clinic.FILE_NAME, made_up_clinic.clinic_csv()
        st.button(
            text.TRY_CLINIC,
            key="try-clinic",
            type="tertiary",
            on_click=_choose,
            kwargs={"seen": name, "name": name, "place": Upload(name, clinic)},
            help=text.CLINIC_HELP,
        )
    st.html(element("h2", escape(text.BUILT_IN_TITLE), class_="owner-second"))
    with st.container(key="built-in", gap=None):
        for source in CATALOGUE.values():
            with st.container(key=f"card-{source.key}"):
                _draw_built_in(source)


def _draw_built_in(source: Source) -> None:
    """Draw what a built-in set is, its parameters, and the way to see it."""
    name, about, ways = st.columns([2, 6, 2.4], vertical_alignment="center")
    name.markdown(f"**{source.name}**")
    about.markdown(f"{source.description}  \n:small[{source.origin}. Licence: {source.licence}.]")
    values = {}
    with ways, st.container(horizontal=True, horizontal_alignment="right", gap="small"):
        if source.parameters:
            with st.popover("Parameters"):
                for p in source.parameters:
                    kind = int if isinstance(p.default, int) else float
                    low, high, start = kind(p.low), kind(p.high), kind(p.default)
                    key = f"{source.key}.{p.name}"
                    values[p.name] = st.number_input(p.label, low, high, start, key=key)
        clicked = st.button("Explore", key=f"explore-{source.key}")
    if clicked:
        try:
            key = source.key_with(source.checked(values))
            session_data.get(key)
        except ValueError as error:
            st.error(str(error))
            return
        session_data.show_in_explore(key)
        st.switch_page(shared.EXPLORE)


def _keep_table() -> None:
    st.session_state.pop(CHOICE, None)


def _place() -> str:
    """Ask where the table is, where this server offers folders; else it is uploaded."""
    if not folders():
        return text.UPLOAD
    chosen = st.segmented_control(
        "Where the table is",
        [text.UPLOAD, text.SERVER],
        default=text.UPLOAD,
        required=True,
        key=PLACES,
        on_change=_choose,
    )
    return str(chosen)


def _choose_upload() -> None:
    file = st.file_uploader(text.UPLOADER_LABEL, key=widget_key(UPLOADER))
    st.caption(text.UPLOADER_HELP)
    if file is None:
        _put(replace(current_choice(), seen=""))
    elif current_choice().seen != file.file_id:
        if refused := refusal(file.file_id):
            _choose(seen=file.file_id, refused=refused)
        else:
            place = Upload(file.name, file.getvalue())
            _choose(seen=file.file_id, name=shown(file.name), place=place)


def _choose_on_server() -> None:
    known = tables()
    name = st.selectbox(
        text.SERVER_TABLE_LABEL,
        [None, *known],
        key="server.table",
        format_func=lambda n: "Choose a file or a folder" if n is None else str(n),
        help=text.SERVER_TABLE_HELP,
    )
    if name is None:
        _put(replace(current_choice(), seen=""))
    elif name in known and current_choice().seen != name:
        _choose(seen=name, name=name, place=known[name])


def _read() -> None:
    """Read the table that was chosen, once nothing has to be asked before: it becomes hers."""
    choice = current_choice()
    if choice.place is None:
        return
    try:
        with st.spinner(f"Reading {escape_markdown(choice.name)}"):
            source = first_table(choice.name, choice.place, choice.answers)
    except (TableError, OSError) as error:
        said = str(error) if isinstance(error, TableError) else f"{choice.name} cannot be read now."
        _put(replace(choice, place=None, refused=said))
        return
    if isinstance(source, ReadingQuestion):
        _draw_question(choice, source)
        return
    renew_controls()
    session.keep(session.current().with_table(source))
    for key in (CHOICE, session.FORGOTTEN):
        st.session_state.pop(key, None)
    session.open_step(Step.WHO)
    st.rerun()


def _draw_question(choice: Choice, question: ReadingQuestion) -> None:
    with st.container(key="owner-reading-question"):
        st.markdown(f"**{question.sentence}**")
        st.markdown(f"{text.WOULD_SAY} *{escape_markdown(question.example)}*")
        with st.container(horizontal=True):
            for place, answer in enumerate(question.answers):
                answers = MappingProxyType({**choice.answers, question.key: answer})
                st.button(
                    answer,
                    key=f"owner-reading-{question.key}-{place}",
                    on_click=_put,
                    args=(replace(choice, answers=answers),),
                )


def _draw_line() -> None:
    """Name the table, and offer to look at its first rows, to change or to forget it."""
    source, are_shown = session.current().source, session.current().rows_shown
    if source is None:
        return
    streamed = source.path is not None
    first_rows = text.HIDE_ROWS if are_shown else text.FIRST_ROWS
    ways: tuple[tuple[str, str, Any, tuple[Any, ...], str | None], ...] = (
        (first_rows, "first-rows", session.show_rows, (not are_shown,), None),
        (text.ANOTHER_TABLE, "another", _put, (Choice(is_open=True),), None),
        (text.FORGET, "forget", _forget, (), text.FORGET_HELP),
    )
    with st.container(horizontal=True, key="owner-table"):
        line = text.table_line(source.name, *source.table.shape, streamed=streamed)
        st.markdown(line, width="content")
        for label, key, act, args, about in ways:
            st.button(label, key=key, type="tertiary", on_click=act, args=args, help=about)
    if not all(session.current().draft.column(name).seen for name in source.names):
        st.caption(text.FIRST_ROWS_NOTE)
    if are_shown:
        st.dataframe(source.table.iloc[:PREVIEW_ROWS, :PREVIEW_COLUMNS], hide_index=True)
    if streamed:
        st.caption(text.FIRST_ROWS_ONLY)


def _forget() -> None:
    """Drop the table and all that was made of it in this session; the settings stay."""
    if (job := current_job()) is not None:
        job.stop.set()
    kept = {shared.SETTINGS, shared.PAGE_SETTINGS}
    for name in [str(name) for name in st.session_state if name not in kept]:
        del st.session_state[name]
    st.session_state[session.FORGOTTEN] = True
    renew_controls()
    session_data.show_in_explore(DEFAULT_DATA)
