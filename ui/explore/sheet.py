"""One page before a decision, in plain words: to read, to print, to save or to hand out."""

from datetime import UTC, date, datetime
from functools import cache
from math import isclose
from pathlib import Path
from typing import Any
from urllib.parse import quote

import streamlit as st
from cachetools import FIFOCache
from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from dpca_core.analysis.reliability import EQUAL, SIMILAR
from dpca_core.data.dataset import Dataset
from dpca_core.data.recipe import ONE_ROW
from dpca_core.figures.colours import family_role, palette
from dpca_core.privacy.budget import Notion
from dpca_core.text.guarantee_sentences import between, dots_label, promise
from dpca_core.text.privacy_numbers import (
    GUESSES,
    delta_text,
    epsilon_text,
    upward,
    whole_right_guesses,
)
from dpca_core.version import VERSION
from sample_data import source_of
from ui.explore import sheet_words as words
from ui.explore.headline_and_titles import CLAIM_TOLERANCE, LOST, UNKNOWN, joined, say
from ui.explore.sheet_measurements import Setting, Sheet
from ui.explore.sheet_words import Wording
from ui.explore.study import Study
from ui.page.files import marked_page
from ui.page.markup import sentence
from ui.server import scheduler
from ui.state import session_data
from ui.state.session import widget_key
from ui.state.shared_address import shared_address
from ui.text.badges_and_odds import odds, short_odds
from ui.text.documents import title_of
from ui.text.numbers import count, number_word, upper_first
from ui.text.product import PRODUCT_NAME
from ui.text.published import PUBLISHED
from ui.text.words import progress_text

PEOPLE_PUBLIC = "sheet.people-public"
"""Session key: data sets whose n may be said."""
SLICE_SECONDS = 0.25
KEPT_SHEETS = 3
"""Pages whose measurements a session keeps."""
MOST_ROWS = 5
"""Rows of patterns on the page; the others are counted."""
PRINT_SIZES = ("9.7pt", "9.7pt", "9.7pt", "9.3pt", "9pt", "8.6pt")
"""Size of type on paper by the number of rows: all is to fit on one sheet."""
ROLES = ("ink", "grey", "faint", "hair", "rule", "page", "panel", "accent")
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
    with st.container(key="one-page"):
        _measure(sheet)
        data, public = sheet.dataset, st.session_state.setdefault(PEOPLE_PUBLIC, set[str]())
        with st.container(key="sheet-bar", horizontal=True, horizontal_alignment="right"):
            if data.own and not data.synthetic:
                label, key = say("people_label", many=data.unit.many), f"sheet-n-{data.key}"
                known, said = data.key in public, say("public_help")
                ticked = st.checkbox(label, known, key=widget_key(key), help=said)
                (public.add if ticked else public.discard)(data.key)
            wording, made = wording_of(data), datetime.now(UTC).date()
            st.download_button(
                "Save as HTML",
                saved_sheet(sheet, wording, made),
                "dpca-one-page.html",
                "text/html",
                key="sheet-save",
                help="One file without scripts: it opens offline.",
                on_click="ignore",
            )
            _print_button()(key="sheet-print")
        shared = shared_address("explore", st.query_params.to_dict())
        url = shared.text if shared.qr else ""
        st.html(markup(sheet, wording, made, qr=shared.qr, url=url))


def _measure(sheet: Sheet) -> None:
    """Measure all, a slice at a time; whoever asks for something else meanwhile ends it."""
    place, urgent = st.empty(), True
    while not sheet.complete:
        with scheduler.PAGE_SCHEDULER.turn(
            urgent=urgent, heavy=scheduler.is_heavy(sheet.dataset.d)
        ):
            scheduler.take_steps(sheet.steps(), SLICE_SECONDS, scheduler.should_yield)
        place.progress(sheet.share, progress_text(sheet.share))
        scheduler.end_if_superseded()
        urgent = False
    place.empty()


def wording_of(data: Dataset) -> Wording:
    """Return how the page is worded in this session."""
    source, named = source_of(data.key), st.session_state.get(PEOPLE_PUBLIC, ())
    return Wording(
        people_are_public=not data.own or data.synthetic or data.key in named,
        data_are_public=data.synthetic or session_data.is_public(data),
        words={} if source is None else source.column_words,
    )


@cache
def _print_button() -> Any:
    button = '<button type="button">Print</button>'
    return st.components.v2.component(
        "dpca_print", html=button, js=_PRINT_SCRIPT, isolate_styles=False
    )


def saved_sheet(sheet: Sheet, wording: Wording, made: date) -> str:
    """Return the page as one file without scripts, fonts or links, marked as not private."""
    return marked_page(markup(sheet, wording, made, file=True))


def markup(
    sheet: Sheet, wording: Wording, made: date, *, qr: str = "", url: str = "", file: bool = False
) -> str:
    """Return the page as markup.

    ``qr`` and ``url`` are the address that makes it again, as SVG and without its scheme, "" where
    there is none. A whole ``file`` leads nowhere else.
    """
    shown = {setting.name: _shown(sheet, setting) for setting in sheet.settings.values()}
    return _template().render(
        sheet=sheet,
        wording=wording,
        chosen=shown[sheet.chosen.name],
        settings=[*shown.values()],
        patterns=words.rows(sheet, wording),
        made=made,
        style=_style(family_role(sheet.mechanism.family)),
        qr=quote(qr.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)),
        url=url,
        file=file,
    )


def _shown(sheet: Sheet, setting: Setting) -> dict[str, Any]:
    """Return a setting with what is said of it."""
    guarantee, private = setting.guarantee, sheet.dataset.private
    bounded = private and guarantee is not None and guarantee.notion is not Notion.NONE
    return vars(setting) | {
        "asked": guarantee is not None
        and guarantee.notion is not Notion.NONE
        and not isclose(guarantee.epsilon, setting.epsilon, rel_tol=CLAIM_TOLERANCE),
        "surviving": words.surviving(setting),
        "odds": short_odds(guarantee, private=private),
        "chance": guarantee.guess_probability() if guarantee and bounded else None,
    }


@cache
def _style(level: str) -> Markup:
    """Return the rules of the page in both themes; ``level``: role of the marks' colour."""
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
        "word": number_word,
        "joined": joined,
        "epsilon": epsilon_text,
        "upward": upward,
        "delta": delta_text,
        "upper_first": upper_first,
        "dots_label": dots_label,
        "whole_guesses": whole_right_guesses,
    }
    found.globals |= {
        "words": words,
        "odds": odds,
        "title_of": title_of,
        "one_row": ONE_ROW,
        "most_rows": MOST_ROWS,
        "print_sizes": PRINT_SIZES,
        "unnamed": (LOST, UNKNOWN),
        "promise": promise,
        "between": between,
        "equal": EQUAL,
        "similar": SIMILAR,
        "published": PUBLISHED,
        "guesses": GUESSES,
        "claim_tolerance": 1 + CLAIM_TOLERANCE,
        "version": VERSION,
        "product": PRODUCT_NAME,
        "title": f"{PRODUCT_NAME}: one page before a decision",
    }
    return found.get_template("sheet.html")
