"""The Learn page: questions, each with a prediction before its answer, and a handout.

An answer is sent with its question and hidden by ``static/app/learn.css`` until its box is ticked,
so that it comes at once: from when the browser has said that it hides. The keys of
``static/learn/main.js`` press what stands on the page.
"""

from dataclasses import replace
from typing import Any

import streamlit as st

from dpca_core.figures.bundle import CONFIG
from dpca_core.figures.colours import resolve
from ui.learn.handout import HEAD, PARTS, draw_sheets, notes_of
from ui.learn.lesson import CONTENTS, LESSONS, LETTERS, PATHS, WORDS, Lesson, measured
from ui.learn.pictures import Fields, Figure, Say
from ui.learn.query import MOST_SEEDS, LearnSettings
from ui.page.present import KEYS as ROOM_KEYS
from ui.page.present import show_present
from ui.page.words import fill
from ui.server.scheduler import PAGE_SCHEDULER
from ui.server.static_files import import_script
from ui.state import session
from ui.state.settings import Settings
from ui.state.shared_address import shared_address
from ui.text.navigation import PAGE_TITLES
from ui.widgets.start_page import name_window, start_page

NAME = "learn"
"""In the navigation."""
TOLD, HIDES = "learn.told", "learn.hides"
"""Session keys: lessons whose answers were shown, and whether the browser has said that it hides
what is not told yet."""
OWN_KEYS = "a,b,c,d,1,2,3,4, ,n,ArrowLeft,ArrowRight,PageUp,PageDown"
"""Keys that mean something else here than on other pages when a room looks on."""
KEYS: dict[str, str] = CONTENTS["keys"] | {key: ROOM_KEYS[key] for key in ("Q", ".", "F", "P, Esc")}
"""Those of a lesson, as a room is told."""
OF_A_VISIT = ("learn.box", "learn.control", "learn.more")
"""Controls that are others each time that a lesson is opened."""
PATH_NAMES = {path["key"]: path["name"] for path in CONTENTS["paths"]}

_keys = st.components.v2.component(
    "dpca_learn", js=f"{import_script('learn/main.js')}export default draw;\n", isolate_styles=False
)


def draw_page() -> None:
    """Draw the contents, a lesson or the handout, as the address says."""
    shared = st.session_state.get(session.SETTINGS, Settings())
    start_page(LearnSettings)
    # ε in this page's address is a lesson's: the settings that all pages share stay as they were.
    st.session_state[session.SETTINGS] = shared
    _draw_fragment()


@st.fragment
def _draw_fragment() -> None:
    """Draw all in one fragment: whatever is pressed is answered by it alone."""
    now = session.page_settings(LearnSettings)
    session.write_address(now.to_query())
    name_window(NAME, LESSONS[now.lesson].heading if now.lesson else "")
    with st.container(key="learn"), PAGE_SCHEDULER.turn(urgent=True):
        session.show_replaced()
        if now.print:
            _draw_handout(now)
        elif now.lesson:
            _draw_lesson(LESSONS[now.lesson], now)
        else:
            _draw_contents(now)
    data = {"told": bool(st.session_state.get(HIDES))}
    _keys(key="learn.keys", data=data, on_hides_change=_hide)
    show_present(NAME, OWN_KEYS, keys=KEYS)


def _draw_contents(now: LearnSettings) -> None:
    title, lead = next(iter(WORDS.items()))
    st.title(title, anchor=False)
    st.markdown(lead)
    st.segmented_control(
        "Path",
        PATH_NAMES,
        format_func=PATH_NAMES.__getitem__,
        default=now.path,
        required=True,
        label_visibility="collapsed",
        **_setting("path", "learn.path"),
    )
    told = st.session_state.get(TOLD, set())
    with st.container(key="learn-list"):
        for lesson in map(LESSONS.__getitem__, PATHS[now.path]):
            done = " :material/check: done" if lesson.key in told else ""
            words = f"**{lesson.number}** {lesson.title} :gray[{lesson.minutes} min{done}]"
            with st.container(gap=None):
                key = f"learn.{lesson.key}"
                st.button(words, key, type="tertiary", on_click=_open, args=(lesson.key,))
                st.caption(lesson.summary)
    st.button("Print a handout", "learn.print", on_click=_change, kwargs={"print": True})


def _draw_lesson(lesson: Lesson, now: LearnSettings) -> None:
    asked = measured(lesson.key, lesson.control.first, now.seed)
    fields = measured(lesson.key, now.index, now.seed)
    words, reasons = zip(*lesson.said(asked), strict=True)
    st.caption(lesson.heading)
    st.title(fill(lesson.question, asked), anchor=False)
    with st.container(key="learn-choices"):
        st.radio(
            "Your prediction",
            [f"**{letter}**  {text}" for letter, text in zip(LETTERS, words, strict=True)],
            index=None,
            key=f"learn.choice.{lesson.key}",
            horizontal=True,
            label_visibility="collapsed",
            width="stretch",
        )
    with st.container(key="learn-ask"):
        st.checkbox("Show the answer", now.told, **_setting("told", "learn.box"))
    if lesson.control.before:
        _draw_control(lesson, now)
    with st.container(key="learn-asked"):
        if play := getattr(lesson.module, "play", None):
            play(asked, now.seed, Say(lesson.words, asked), show)
        else:
            _draw_pictures(lesson, fields if lesson.control.before else asked, told=False)
    if now.told:
        st.session_state.setdefault(TOLD, set()).add(lesson.key)
    if now.told or st.session_state.get(HIDES):
        with st.container(key="learn-told"):
            _draw_answer(lesson, now, fields, reasons)
    _draw_foot(lesson, now, fields)


def _draw_answer(
    lesson: Lesson, now: LearnSettings, fields: Fields, reasons: tuple[str, ...]
) -> None:
    with st.container(key="learn-reasons"):
        for i, (place, reason) in enumerate(zip(st.columns(4), reasons, strict=True)):
            right = ":material/check: **Right**: " if i == lesson.right else ""
            said = reason if right else f"“{reason}”"
            place.markdown(f"**{LETTERS[i]}** {right}:gray[{said}]")
    answer, why = st.columns((5, 7))
    answer.header(fill(lesson.answer, fields), anchor=False)
    why.markdown(fill(lesson.why, fields))
    _draw_pictures(lesson, fields, told=True)
    if not lesson.control.before:
        _draw_control(lesson, now)
    with st.container(key="learn-more"):
        question, more = (fill(text, fields) for text in lesson.more)
        st.checkbox(f"**One more:** {question}", key=session.widget_key("learn.more"))
        with st.container(key="learn-more-told"):
            st.markdown(more)


def _draw_control(lesson: Lesson, now: LearnSettings) -> None:
    """Draw the one control: a button to the next stop, or a slider with its ends named."""
    control = lesson.control
    with st.container(key="learn-control"):
        if control.press:
            following = (now.index + 1) % len(control.stops)
            st.button(control.press, on_click=_change, kwargs={"stop": following})
            return
        st.select_slider(
            control.label,
            range(len(control.stops)),
            now.index,
            control.words,
            label_visibility="collapsed",
            **_setting("stop", "learn.control"),
        )
        if control.ends:
            with st.container(horizontal=True, horizontal_alignment="distribute"):
                for end in control.ends:
                    st.caption(end, width="content")


def _draw_pictures(lesson: Lesson, fields: Fields, *, told: bool) -> None:
    """Draw pictures side by side, each below its words; on a phone one below the other."""
    pictures = lesson.pictures(fields, told)
    for i, (column, picture) in enumerate(zip(st.columns(len(pictures)), pictures, strict=True)):
        column.markdown(f"**{picture.title}**  \n:gray[{picture.caption}]")
        if picture.table:
            column.markdown(picture.table)
            continue
        places = column.columns(len(picture.figures))
        for at, (place, figure) in enumerate(zip(places, picture.figures, strict=True)):
            with place:
                alt, key = f"{picture.title}. {picture.caption}", f"{lesson.key}.{told}.{i}.{at}"
                show(figure, alt, f"learn.{key}")


def show(figure: Figure, alt: str, key: str = "learn.played", theme: str | None = None) -> None:
    """Draw a figure in the colours of the theme; ``alt`` says what it shows."""
    theme = theme or st.context.theme.type
    drawn = resolve(figure, "dark" if theme == "dark" else "light")
    still = CONFIG | {"staticPlot": True}
    st.plotly_chart(drawn, theme=None, config=still, alt=alt.replace("**", ""), key=key)


def _draw_foot(lesson: Lesson, now: LearnSettings, fields: Fields) -> None:
    """Draw the ways to other lessons, to a page that shows the same, and to the notes."""
    (before, after), page = now.around, lesson.opens.partition("?")[0]
    with st.container(key="learn-foot", horizontal=True, vertical_alignment="center"):
        for way, key, words in (("before", before, "← {}"), ("after", after, "{} →")):
            if key:
                name, title = words.format(LESSONS[key].number), LESSONS[key].title
                st.button(name, f"learn.{way}", title, on_click=_open, args=(key,))
        st.button("All lessons", "learn.all", on_click=_open, args=("",))
        if lesson.draws:
            seed = (now.seed + 1) % MOST_SEEDS
            st.button("Draw again", "learn.again", on_click=_change, kwargs={"seed": seed})
        st.link_button(f"Open in {PAGE_TITLES[page]}", lesson.opens.format(**fields))
        with st.popover("Link and QR"):
            shared = shared_address(NAME, replace(now, told=False, notes=False).to_query())
            if shared.qr:
                st.image(shared.qr, width=200)
            st.markdown(shared.text)
        st.checkbox(PARTS["notes"], now.notes, **_setting("notes", "learn.notes"))
    if now.notes:
        with st.container(key="learn-teacher", border=True):
            st.header(PARTS["notes"], anchor=False)
            st.caption(WORDS["How to teach"])
            st.markdown(notes_of(lesson, fields))


def _draw_handout(now: LearnSettings) -> None:
    """Draw what can be chosen about the handout, and its sheets."""
    with st.container(key="learn-bar", horizontal=True, vertical_alignment="center"):
        st.button("← Lessons", on_click=_change, kwargs={"print": False})
        for name, label in PARTS.items():
            st.checkbox(label, getattr(now, name), **_setting(name, f"learn.handout.{name}"))
        st.caption("Print with your browser: each part has its own A4 page.")
    draw_sheets(now, shared_address(NAME, LearnSettings(HEAD["lesson"]).to_query()), show)


def _hide() -> None:
    """Send answers with their questions from now on: the browser hides them."""
    st.session_state[HIDES] = True


def _open(key: str) -> None:
    """Open a lesson with its question alone; "" for the contents."""
    session.renew_controls(*OF_A_VISIT)
    session.change_page_settings(session.page_settings(LearnSettings).opened(key))


def _change(**values: object) -> None:
    session.change_page_settings(session.page_settings(LearnSettings), **values)


def _setting(name: str, control: str) -> dict[str, Any]:
    """Return the arguments of a control, by its name, that sets what the page is asked."""
    key = session.widget_key(control)
    return {"key": key, "on_change": _follow, "args": (name, key)}


def _follow(name: str, key: str) -> None:
    """Take what a control with a key was moved to."""
    _change(**{name: st.session_state[key]})
