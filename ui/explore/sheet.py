"""One page before a decision, in plain words: to read, to print, to save or to hand out."""

from dataclasses import replace
from datetime import UTC, date, datetime
from functools import cache, partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import streamlit as st
from cachetools import FIFOCache
from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from dpca_core.analysis.direction_words import ColumnWords, candidates, plain
from dpca_core.analysis.reliability import EQUAL, SIMILAR, Reliability
from dpca_core.data.dataset import Dataset
from dpca_core.data.provenance import ONE_ROW
from dpca_core.figures.colours import family_role, palette
from dpca_core.privacy.budget import Notion
from dpca_core.text.guarantee_sentences import dots_label
from dpca_core.text.privacy_numbers import (
    GUESSES,
    delta_text,
    epsilon_text,
    right_guesses,
    upward,
    whole_right_guesses,
)
from dpca_core.version import VERSION
from sample_data import source_of
from ui.explore import sheet_words as words
from ui.explore.sheet_measurements import Setting, Sheet
from ui.explore.sheet_words import Wording
from ui.explore.study import Study
from ui.page.files import marked_page
from ui.page.markup import sentence
from ui.server.scheduler import (
    PAGE_SCHEDULER,
    end_if_superseded,
    is_heavy,
    should_yield,
    take_steps,
)
from ui.state import session_data
from ui.state.shared_address import shared_address
from ui.state.widget_keys import widget_key
from ui.text.documents import title_of
from ui.text.numbers import count
from ui.text.odds import odds, short_odds
from ui.text.product import PRODUCT_NAME
from ui.text.published import PUBLISHED
from ui.text.words import progress_text

PEOPLE_PUBLIC, WORDS = "sheet.people-public", "sheet.words"
"""Session keys: data sets whose n may be said, and the owner's words for columns, by data set."""
FILE_NAME = "dpca-one-page.html"
SLICE_SECONDS = 0.25
KEPT_SHEETS = 3
"""Pages whose measurements a session keeps."""
MOST_ROWS = 5
"""Rows of patterns on the page; the others are counted."""
PRINT_SIZES = {0: "9.7pt", 3: "9.3pt", 4: "9pt", 5: "8.6pt"}
"""Size of type on paper from so many rows of patterns on: all is to fit on one sheet."""
ROLES = ("ink", "grey", "faint", "hair", "rule", "page", "panel", "accent")
SAVE, SAVE_HELP = (
    "Save as HTML",
    "One file without scripts: it opens offline.",
)
PRINT, WORDING = "Print", "Wording"
PEOPLE_LABEL = "The number of {many} is public"
PEOPLE_HELP = "Where it is not, the page says “these” in its place."
WORDS_NOTE = (
    "Words for the two ends of a column. They stand on the page, so use what is public, such as a "
    "codebook. High and low are meant from the middle of the column’s range."
)
LOW_END, HIGH_END, LONGEST_WORDS = "{column}: low end", "{column}: high end", 60
_PRINT_SCRIPT = """
export default ({ parentElement }) => {
  parentElement.querySelector("button").onclick = () => print();
};
"""


def kept_sheet(study: Study, epsilon: float) -> Sheet:
    """Return the session's measurements of a page, begun or taken up again."""
    sheets: FIFOCache[object, Sheet] = st.session_state.setdefault("sheets", FIFOCache(KEPT_SHEETS))
    key = study.asked.digest(study.dataset), study.mechanism, epsilon
    if key not in sheets:
        sheets[key] = Sheet(study, epsilon)
    return sheets[key]


def draw_sheet(sheet: Sheet) -> None:
    """Measure what is missing, and draw the page."""
    _measure(sheet)
    wording = _draw_bar(sheet, wording_of(sheet.dataset))
    shared = shared_address("explore", st.query_params.to_dict())
    url = shared.text if shared.qr else ""
    st.html(markup(sheet, wording, datetime.now(UTC).date(), qr=shared.qr, url=url))


def _measure(sheet: Sheet) -> None:
    """Measure all, a slice at a time; whoever asks for something else meanwhile ends it."""
    place, urgent = st.empty(), True
    while not sheet.complete:
        with PAGE_SCHEDULER.turn(urgent=urgent, heavy=is_heavy(sheet.dataset.d)):
            take_steps(sheet.steps(), SLICE_SECONDS, should_yield)
        place.progress(sheet.share, progress_text(sheet.share))
        end_if_superseded()
        urgent = False
    place.empty()


# --- How it is worded ---


def wording_of(data: Dataset) -> Wording:
    """Return how the page is worded in this session."""
    source = source_of(data.key)
    own: dict[str, dict[str, ColumnWords]] = st.session_state.get(WORDS, {})
    named: set[str] = st.session_state.get(PEOPLE_PUBLIC, set())
    return Wording(
        people_are_public=not data.own or data.synthetic or data.key in named,
        data_are_public=data.synthetic or session_data.is_public(data),
        words={**({} if source is None else source.column_words), **own.get(data.key, {})},
    )


def _draw_bar(sheet: Sheet, wording: Wording) -> Wording:
    """Draw what can be done with the page; return how it is worded now."""
    with st.container(key="sheet-bar", horizontal=True, horizontal_alignment="right"):
        with st.popover(WORDING, key="sheet-wording"):
            wording = _draw_wording(sheet, wording)
        st.download_button(
            SAVE,
            saved_sheet(sheet, wording, datetime.now(UTC).date()),
            FILE_NAME,
            "text/html",
            key="sheet-save",
            help=SAVE_HELP,
            on_click="ignore",
        )
        _print_button()(key="sheet-print")
    return wording


@cache
def _print_button() -> Any:
    button = f'<button type="button">{PRINT}</button>'
    return st.components.v2.component(
        "dpca_print", html=button, js=_PRINT_SCRIPT, isolate_styles=False
    )


def _draw_wording(sheet: Sheet, wording: Wording) -> Wording:
    """Let the owner say whether n is public, and how the ends of columns are called."""
    data = sheet.dataset
    if data.own and not data.synthetic:
        named: set[str] = st.session_state.setdefault(PEOPLE_PUBLIC, set())
        ticked = st.checkbox(
            PEOPLE_LABEL.format(many=data.unit.many),
            data.key in named,
            key=widget_key(f"sheet-n-{data.key}"),
            help=PEOPLE_HELP,
        )
        (named.add if ticked else named.discard)(data.key)
        wording = replace(wording, people_are_public=ticked)
    st.markdown(WORDS_NOTE)
    return replace(wording, words={**wording.words, **_edited_words(sheet, wording)})


def _edited_words(sheet: Sheet, wording: Wording) -> dict[str, ColumnWords]:
    """Draw two fields for each column that may be named; return the words that differ."""
    data, called = sheet.dataset, wording.of(sheet.dataset.columns)
    named = {i for j in range(sheet.query.k) for i in candidates(sheet.directions[:, j])}
    kept: dict[str, ColumnWords] = st.session_state.setdefault(WORDS, {}).setdefault(data.key, {})
    for i in sorted(named):
        column, now = data.columns[i], called[i]
        ends = ((LOW_END, "low", now.low), (HIGH_END, "high", now.high))
        low, high = (
            plain(
                place.text_input(
                    label.format(column=plain(column)),
                    end,
                    max_chars=LONGEST_WORDS,
                    key=widget_key(f"sheet-{side}-{data.key}-{i}"),
                ).strip()
            )
            for place, (label, side, end) in zip(st.columns(2), ends, strict=True)
        )
        if low and high and (low, high) != (now.low, now.high):
            kept[column] = ColumnWords(low, high, now.name, now.topic)
    return kept


# --- The page ---


def saved_sheet(sheet: Sheet, wording: Wording, made: date) -> str:
    """Return the page as one file without scripts, fonts or links, marked as not private."""
    return marked_page(markup(sheet, wording, made, file=True))


def markup(
    sheet: Sheet, wording: Wording, made: date, *, qr: str = "", url: str = "", file: bool = False
) -> str:
    """Return the page as markup.

    Parameters
    ----------
    qr, url
        The address that makes it again, as SVG and without its scheme; "" where there is none.
    file
        Whether it is a whole document: then nothing in it leads elsewhere.
    """
    data, query, guarantee = sheet.dataset, sheet.query, sheet.chosen.guarantee
    every = words.rows(sheet, wording)
    shown = {setting.name: _shown(sheet, setting) for setting in sheet.settings.values()}
    factor = sheet.people_factor
    return _template().render(
        sheet=sheet,
        wording=wording,
        data=data,
        query=query,
        unit=data.unit,
        guarantee=guarantee,
        chosen=shown[sheet.chosen.name],
        settings=[*shown.values()],
        odds=partial(odds, guarantee, private=data.private),
        table=_named(data),
        how=words.how_published(sheet),
        weaker=words.is_weaker(sheet.chosen.claim, guarantee),
        rows=every[:MOST_ROWS],
        more=words.more_rows(every[MOST_ROWS:]),
        named=any(row.level not in (Reliability.LOST, Reliability.UNKNOWN) for row in every),
        times="twice" if factor and abs(factor - 2) < 0.1 else f"{factor or 0:.2g} times",
        weak=words.weak_patterns(sheet),
        published=PUBLISHED,
        guesses=GUESSES,
        twice=right_guesses(words.two_releases(guarantee)) if guarantee else "",
        one_row=data.unit == ONE_ROW,
        proof=words.proof(sheet),
        document=sheet.mechanism.document,
        document_title=title_of(sheet.mechanism.document),
        mechanism=words.mechanism_name(sheet),
        promise=words.promise_text(sheet),
        equal=EQUAL,
        similar=SIMILAR,
        made=made,
        version=VERSION,
        product=PRODUCT_NAME,
        size=next(s for least, s in reversed(PRINT_SIZES.items()) if len(every) >= least),
        style=_style(family_role(sheet.mechanism.family)),
        title=f"{PRODUCT_NAME}: one page before a decision",
        qr=quote(qr.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)),
        url=url,
        file=file,
    )


def _shown(sheet: Sheet, setting: Setting) -> dict[str, Any]:
    """Return a setting with what is said of it."""
    guarantee, private = setting.guarantee, sheet.dataset.private
    bounded = private and guarantee is not None and guarantee.notion is not Notion.NONE
    return vars(setting) | {
        "surviving": words.surviving(setting),
        "odds": short_odds(guarantee, private=private),
        "chance": guarantee.guess_probability() if guarantee and bounded else None,
    }


def _named(data: Dataset) -> str:
    """Write a data set's name in a sentence; of somebody's own it tells nothing."""
    if data.own:
        return "a table of your own"
    return f"the {data.name}" if data.name.endswith("Experiment") else f"“{data.name}”"


@cache
def _style(level: str) -> Markup:
    """Return the rules of the page, with the colours of both themes.

    Parameters
    ----------
    level
        Role of the marks' colour.
    """
    colours = palette()
    roles = {role: colours[role] for role in ROLES} | {"level": colours[level]}
    names = "; ".join(
        f"--op-{n}: light-dark({light}, {dark})" for n, (light, dark) in roles.items()
    )
    sheet = Path(__file__).with_name("sheet.css").read_text("utf-8")
    return Markup(f".one-page {{ {names}; }}\n{sheet}")


@cache
def _template() -> Template:
    """Return the template; what is put into it is escaped unless it is markup of ours."""
    found = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
    )
    found.filters |= {
        "sentence": lambda text: Markup(sentence(text)),
        "count": count,
        "word": words.word,
        "joined": words.joined,
        "epsilon": epsilon_text,
        "upward": upward,
        "delta": delta_text,
        "upper_first": lambda text: text[:1].upper() + text[1:],
        "dots_label": dots_label,
        "whole_guesses": whole_right_guesses,
    }
    return found.get_template("sheet.html")
