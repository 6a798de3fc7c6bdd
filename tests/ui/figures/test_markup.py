"""What is sent to the browser: text stays text, marks are elements, arrays have seven digits."""

from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from ui.compare.figures import sent_content as sent_by_compare
from ui.figures.markup import sentences
from ui.figures.packed_content import decode, encode, float32
from ui.page.markup import sentence

HOSTILE = '<img src=x onerror="window.hit = 1"> **bold <b>x</b>** [[red]] & "quoted" \'once\''
PLAIN = HOSTILE.replace("**", "").replace("[[", "").replace("]]", "")


class Reader(HTMLParser):
    """What a browser makes of markup: its text, and its elements with their attributes."""

    def __init__(self, markup):
        super().__init__()
        self.text, self.elements = "", list[str]()
        self.feed(markup)
        self.close()

    def handle_data(self, data):
        self.text += data

    def handle_starttag(self, tag, attrs):
        self.elements.append(tag)


def test_a_sentence_is_never_markup():
    read = Reader(sentence(HOSTILE))
    assert read.text == PLAIN
    assert read.elements == ["b", "em"]


def test_marks_become_elements_and_what_is_not_there_is_empty():
    assert sentence("[[‖sin Θ‖_F]] of a_F") == "<em>‖sin Θ‖<sub>F</sub></em> of a_F"
    assert sentences({"a": None, "b": "", "c": "**x**"}) == {"a": "", "b": "", "c": "<b>x</b>"}


COMPARE = {"answers": [HOSTILE], "subs": {"sin": HOSTILE}, "progress": HOSTILE, "footer": HOSTILE}


def texts(content):
    """All texts in a content."""
    if isinstance(content, str):
        return [content]
    inside = [*content.values()] if isinstance(content, dict) else content
    return [t for each in inside for t in texts(each)] if isinstance(inside, list) else []


def test_what_compare_writes_is_markup():
    """It keeps the sentences beside, for its page in one file."""
    found = sent_by_compare(COMPARE)
    for text in texts([found["answers"], found["says"]]):
        assert Reader(text).elements == ["b", "em"]
    assert set(found["says"]) == {"sin", "progress", "moving", "footer"}


VALUES = st.floats(-1e30, 1e30) | st.just(float("nan")) | st.just(float("inf"))


@given(arrays(np.float64, array_shapes(max_dims=3, min_side=1, max_side=5), elements=VALUES))
def test_arrays_arrive_to_seven_digits_and_what_is_not_finite_as_null(values):
    found = np.array(decode(encode({"a": [{"b": float32(values)}]}))["a"][0]["b"], dtype=float)
    expected = np.where(np.isfinite(values), values, np.nan)
    assert found.shape == values.shape
    assert found == pytest.approx(expected, rel=1e-7, abs=1e-37, nan_ok=True)
    content = {"text": "ε ≤ 1", "none": None, "list": [1, 2.5, {"x": [True, "y"]}]}
    assert decode(encode(content)) == content


@pytest.mark.parametrize("value", [np.arange(3), np.ones(3), {1, 2}, b"raw"])
def test_what_has_no_form_for_the_wire_is_refused(value):
    with pytest.raises(TypeError, match="content may not hold"):
        encode({"a": value})
