"""Sentences as markup: text stays text, and what is marked becomes an element."""

from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

from dpca_core import MECHANISMS, Adjacency
from dpca_core.data.provenance import Unit
from sample_data import load_key
from ui.compare.figures import sent_content as sent_by_compare
from ui.explore.figures import page_content
from ui.explore.figures import sent_content as sent_by_explore
from ui.explore.measurements import Study
from ui.explore.pinned_curves import PinnedCurves
from ui.explore.query import ExploreQuery
from ui.explore.skeleton import badge
from ui.figures.charts import _sent as sent_by_charts
from ui.figures.markup import sentence, sentences
from ui.learn.content import sent_content as sent_by_learn
from ui.papers.content import sent_content as sent_by_papers

HOSTILE = '<img src=x onerror="window.hit = 1"> **bold <b>x</b>** [[red]] & "quoted" \'once\''
PLAIN = HOSTILE.replace("**", "").replace("[[", "").replace("]]", "")


class Reader(HTMLParser):
    """What a browser makes of markup: its text, and its elements with their attributes."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.text, self.elements = "", list[str]()
        self.feed(markup)
        self.close()

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)


def test_a_sentence_is_never_markup() -> None:
    read = Reader(sentence(HOSTILE))
    assert read.text == PLAIN
    assert read.elements == ["b", "em"]


def test_the_norm_of_a_sine_has_its_letter_below() -> None:
    assert sentence("‖sin Θ‖_F of a_F") == "‖sin Θ‖<sub>F</sub> of a_F"
    assert sentence("For [[‖sin Θ‖_F ≤ 0.3]], **‖sin Θ‖_F**") == (
        "For <em>‖sin Θ‖<sub>F</sub> ≤ 0.3</em>, <b>‖sin Θ‖<sub>F</sub></b>"
    )


def test_a_sentence_that_is_not_there_is_empty() -> None:
    assert sentences({"a": None, "b": "", "c": "**x**"}) == {"a": "", "b": "", "c": "<b>x</b>"}


def test_a_badge_has_its_reason_in_an_attribute() -> None:
    found = badge({"label": HOSTILE, "kind": "not", "line": HOSTILE, "reason": HOSTILE})
    assert Reader(found).elements == ["span", "b", "em", "span", "b", "em", "button"]
    assert Reader(badge({"label": "…", "kind": "none", "line": "", "reason": None})).elements == [
        "span",
        "span",
    ]


PLACES = np.zeros((2, 1), dtype=np.float32)
PILE = {"x": PLACES, "y": PLACES, "filled_from": 0.0}
DOTS = {"kept": PLACES, "sin": PLACES, "piles": [PILE, PILE]}
BESIDE = {
    "data": [{"marker": {"line": {"color": "ink"}}}] * 2,
    "layout": {f"{letter}axis{end}": {"range": [0, 1]} for letter in "xy" for end in ("", "2")},
}
EXPLORE = {
    "says": {"footer": HOSTILE},
    "texts": [
        None,
        {"answer": HOSTILE, "badge": dict.fromkeys(("label", "line", "reason"), HOSTILE)},
    ],
    "no_text": {"answer": "", "badge": {"label": HOSTILE, "line": "", "reason": ""}},
    "release": {"title": HOSTILE, "note": HOSTILE},
    "dots": DOTS,
    "noise_bands": [None, {"style": "", "words": HOSTILE}],
    "beside": BESIDE,
    "projection": None,
}
EXPLORE["texts"][1]["badge"]["kind"] = EXPLORE["no_text"]["badge"]["kind"] = "none"  # type: ignore[index]
COMPARE = {"answers": [HOSTILE], "subs": {"sin": HOSTILE}, "progress": HOSTILE, "footer": HOSTILE}
CHARTS = {
    **dict.fromkeys(("answer", "under", "footer", "progress"), HOSTILE),
    "charts": [{"key": "x", "title": HOSTILE, "sub": HOSTILE, "note": HOSTILE}],
}
PICTURE = {"title": HOSTILE, "caption": HOSTILE}
LEARN = {
    "view": "lesson",
    **dict.fromkeys(("question", "said", "answer", "explanation", "keys"), HOSTILE),
    **{name: [HOSTILE] for name in ("choices", "reasons", "badges")},
    "asked": [PICTURE],
    "answered": [PICTURE],
    "control": {"named": [HOSTILE], "low": HOSTILE, "high": HOSTILE},
}
PAPERS = {
    **dict.fromkeys(("answer", "question", "progress", "trouble"), HOSTILE),
    "cards": [{"question": HOSTILE}],
}


def texts(content: object) -> list[str]:
    """All texts in a content."""
    if isinstance(content, str):
        return [content]
    inside = content.values() if isinstance(content, dict) else content
    return (
        [text for each in inside for text in texts(each)]
        if isinstance(inside, list | type({}.values()))
        else []
    )


@pytest.mark.parametrize(
    ("sent", "content"),
    [
        (sent_by_explore, EXPLORE),
        (sent_by_charts, CHARTS),
        (sent_by_learn, LEARN),
        (sent_by_papers, PAPERS),
    ],
    ids=["explore", "charts", "learn", "papers"],
)
def test_no_sentence_reaches_the_browser_that_is_not_markup(sent: object, content: object) -> None:
    assert callable(sent)
    for text in texts(sent(content)):
        assert not {"img", "script"} & set(Reader(text).elements), text


def test_what_compare_writes_is_markup() -> None:
    """It keeps the sentences beside, for its page in one file."""
    found = sent_by_compare(COMPARE)
    for text in texts([found["answers"], found["says"]]):
        assert Reader(text).elements == ["b", "em"]
    assert set(found["says"]) == {"sin", "progress", "moving", "footer"}


def words_of(figure: dict[str, object]) -> list[str]:
    """What stands in a figure, at any width."""
    layout, sizes = figure["layout"], figure.get("sizes", {})
    assert isinstance(layout, dict)
    assert isinstance(sizes, dict)
    sets = [layout.get("annotations", []), *(size["annotations"] for size in sizes.values())]
    return [each["text"] for words in sets for each in words]


def test_words_in_explores_figures_are_markup_of_names_that_are_text() -> None:
    """The browser writes them over the figure as they are."""
    data = replace(load_key("wine"), unit=Unit(HOSTILE, HOSTILE))
    query = ExploreQuery(MECHANISMS["gaussian"], 2, 1e-6, 178.0, Adjacency.ADD_OR_REMOVE_ONE, 0)
    study = Study(data, query, ())
    study.first_paint(12, busy=False)
    pinned = PinnedCurves.of(study, 0.9)
    content = page_content(
        study,
        identity="x",
        epsilon=0.1,
        target=0.9,
        samples=None,
        public=False,
        pinned=pinned.beside(query) | {"label": HOSTILE},
    )
    words = [*words_of(content["curves"]), *words_of(content["beside"])]
    assert any("&lt;img" in text for text in words)
    for text in words:
        assert set(Reader(text).elements) <= {"b", "s", "sub"}, text
