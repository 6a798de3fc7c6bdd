"""Before step 1: a table is chosen and read, named above the steps, changed and forgotten.

Where one cannot be read, the last one stays, and all that was typed.
"""

from dataclasses import replace
from functools import partial

import streamlit as st

from dpca_core.data.column_names import shown
from dpca_core.data.errors import TableError
from dpca_core.tables.files import Upload
from sample_data import CATALOGUE, Source, made_up_clinic
from ui.owner import session
from ui.owner.server_folders import folders, tables
from ui.owner.steps import Step
from ui.owner.table_source import Choice, Owner, first_table
from ui.owner.text import say
from ui.page.component import registered
from ui.page.content import packed
from ui.page.markup import element, sentence
from ui.server.request_guard import refusal
from ui.state import session as shared
from ui.state import session_data
from ui.state.session import renew_controls, widget_key
from ui.state.settings import DEFAULT_DATA
from ui.text.numbers import escape_markdown

UPLOADER, SERVER_TABLE = "owner-file", "server.table"
"""Names of controls."""
PREVIEW_ROWS, PREVIEW_COLUMNS = 6, 50

_kept_in_tab = registered("dpca_kept", "owner/kept.js", element("p", say("kept_in_tab")))


def draw_head(headline: str, lead: str, *, with_table: bool = False) -> None:
    """Draw a step's headline and the sentence below it, with ``**`` and ``[[…]]`` marks."""
    with st.container(key="owner-head"):
        below = element("p", sentence(lead), class_="owner-lead") if lead else ""
        st.html(element("h1", sentence(headline), class_="owner-headline") + below)
    if with_table:
        _draw_line()


def draw_choice() -> None:
    """Draw where a table may come from: the first thing that is seen of this page."""
    owner = session.current()
    has_table = owner.source is not None
    if has_table:
        back = partial(session.update, choice=None)
        st.button(say("keep_table"), key="keep-table", on_click=back)
    with st.container(key="owner-empty"):
        draw_head(say("empty_headline"), say("empty_lead"))
        _choose_place()
        _read()
        if (choice := session.current().choice) and choice.refused:
            kept = (" " + say("kept_table")) * has_table
            st.error(escape_markdown(choice.refused) + kept)
        _kept_in_tab(key="kept-in-tab", data=packed({"forget": owner.forgotten}))
        name = made_up_clinic.FILE_NAME
        clinic = Upload(name, made_up_clinic.clinic_csv())
        st.button(
            say("try_clinic"),
            key="try-clinic",
            type="tertiary",
            on_click=partial(session.update, choice=Choice(name, clinic)),
            help=say("clinic_help"),
        )
    st.html(element("h2", say("built_in_title"), class_="owner-second"))
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
                    key, kind = f"{source.key}.{p.name}", type(p.default)
                    bounds = kind(p.low), kind(p.high), p.default
                    values[p.name] = st.number_input(p.label, *bounds, key=key)
        clicked = st.button("Explore", key=f"explore-{source.key}")
    if clicked:
        try:
            key = source.key_with(source.checked(values))
        except ValueError as error:
            st.error(str(error))
            return
        session_data.show_in_explore(key)
        st.switch_page(shared.EXPLORE)


def _choose_place() -> None:
    """Draw an uploader, or a menu of tables where this server offers folders of them."""
    where = say("upload")
    if folders():
        where = st.segmented_control(
            say("where"),
            [say("upload"), say("server")],
            default=where,
            required=True,
            key="source",
            on_change=partial(session.update, choice=Choice()),
        )
    if where == say("server"):
        st.selectbox(
            say("server_table"),
            tables(),
            None,
            placeholder=say("choose_table"),
            key=SERVER_TABLE,
            on_change=_take_from_server,
            help=say("server_table_help"),
        )
        return
    st.file_uploader(say("uploader"), key=widget_key(UPLOADER), on_change=_take_upload)
    st.caption(say("uploader_help"))


def _take_from_server() -> None:
    known, name = tables(), str(st.session_state.get(SERVER_TABLE))
    session.update(choice=Choice(name, known.get(name)))


def _take_upload() -> None:
    file = st.session_state.get(widget_key(UPLOADER))
    if file is None:
        session.update(choice=Choice())
    elif refused := refusal(file.file_id):
        session.update(choice=Choice(refused=refused))
    else:
        session.update(choice=Choice(shown(file.name), Upload(file.name, file.getvalue())))


def _read() -> None:
    """Read the table that was chosen: it becomes hers."""
    choice = session.current().choice
    if choice is None or choice.place is None:
        return
    try:
        with st.spinner(f"Reading {escape_markdown(choice.name)}"):
            source = first_table(choice.name, choice.place)
    except (TableError, OSError) as error:
        known = isinstance(error, TableError)
        said = str(error) if known else say("cannot_be_read", name=choice.name)
        session.update(choice=replace(choice, place=None, refused=said))
        return
    _stop_sum()
    renew_controls()
    session.keep(session.current().with_table(source))
    session.open_step(Step.WHO)
    st.rerun()


def _draw_line() -> None:
    """Name the table, and offer to look at its first rows, to change or to forget it."""
    owner = session.current()
    if owner.source is None:
        return
    table, are_shown = owner.source.table, owner.rows_shown
    line = "first_rows_line" if owner.is_streamed else "table_line"
    rows, columns = table.shape
    quiet = partial(st.button, type="tertiary")
    with st.container(horizontal=True, key="owner-table"):
        name = escape_markdown(owner.source.name)
        st.markdown(say(line, name=name, rows=rows, columns=columns), width="content")
        show = partial(session.show_rows, not are_shown)
        quiet(say("hide_rows" if are_shown else "first_rows"), key="first-rows", on_click=show)
        another = partial(session.update, choice=Choice())
        quiet(say("another_table"), key="another", on_click=another)
        quiet(say("forget"), key="forget", on_click=_forget, help=say("forget_help"))
    if not all(owner.draft.column(name).seen for name in owner.source.names):
        st.caption(say("first_rows_note"))
    if are_shown:
        st.dataframe(table.iloc[:PREVIEW_ROWS, :PREVIEW_COLUMNS], hide_index=True)
    if owner.is_streamed:
        st.caption(say("first_rows_only"))


def _stop_sum() -> None:
    if (job := session.current().job) is not None:
        job.stop.set()


def _forget() -> None:
    """Drop the table and all that was made of it in this session; the settings stay."""
    _stop_sum()
    kept = {shared.SETTINGS, shared.PAGE_SETTINGS}
    for name in [str(name) for name in st.session_state if name not in kept]:
        del st.session_state[name]
    session.keep(Owner(forgotten=True))
    renew_controls()
    session_data.show_in_explore(DEFAULT_DATA)
