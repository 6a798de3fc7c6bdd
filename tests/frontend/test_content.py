"""What Python packs, the browser unpacks; what it writes as text stays text."""

import math

import numpy as np

from tests.frontend.conftest import Call
from ui.figures.wire_format import decode, encode

CONTENT = {
    "id": "a", "text": "ε < 1 & </script>", "none": None,
    "line": np.array([0.1, math.nan, 1e-30, -3.5], dtype=np.float32),
    "bands": {"lo": np.arange(24, dtype=np.float32).reshape(2, 3, 4)},
    "empty": np.zeros((0,), dtype=np.float32),
}  # fmt: skip
RECEIVE = """
    const bytes = Uint8Array.from(x);
    return m.received({ data: bytes, name: "n" });
"""


def test_the_browser_has_what_python_sent(in_module: Call) -> None:
    sent = encode(CONTENT)
    found = in_module("charts/content.js", RECEIVE, list(sent))
    assert found == {"data": decode(sent), "name": "n"}
    assert found["data"]["line"][1] is None
    assert found["data"]["bands"]["lo"][1][2] == [20, 21, 22, 23]


def test_a_component_without_content_has_none(in_module: Call) -> None:
    assert in_module("charts/content.js", "return m.received({ data: null }).data") is None


HOSTILE = '<img src=x onerror="window.hit = 1"> **bold <b>x</b>** [[red]] & "quoted"'


def test_a_sentence_is_never_markup(in_module: Call) -> None:
    code = """
        const node = m.html("p", {});
        document.documentElement.append(node);
        m.write(node, x);
        const inside = [...node.querySelectorAll("*")];
        return [node.textContent, inside.map((e) => [e.localName, e.textContent])];
    """
    text, elements = in_module("charts/dom.js", code, HOSTILE)
    assert text == HOSTILE.replace("**", "").replace("[[", "").replace("]]", "")
    assert elements == [["b", "bold <b>x</b>"], ["em", "red"]]
    assert in_module("charts/dom.js", "return window.hit ?? null") is None


def test_attributes_and_texts_of_nodes_are_texts(in_module: Call) -> None:
    code = """
        const node = m.svg("text", { x: 1, title: x, y: null, text: x });
        const { namespaceURI, textContent, children } = node;
        const [title, y] = [node.getAttribute("title"), node.hasAttribute("y")];
        return [namespaceURI, title, y, textContent, children.length];
    """
    space, title, has_y, text, children = in_module("charts/dom.js", code, HOSTILE)
    assert (title, text, has_y, children) == (HOSTILE, HOSTILE, False, 0)
    assert space == "http://www.w3.org/2000/svg"


def test_a_sentence_is_read_aloud_without_its_marks(in_module: Call) -> None:
    assert in_module("charts/dom.js", "return m.plain(x)", "At [[ε = 1]] **a**") == "At ε = 1 a"


def test_a_name_takes_its_colour_only_where_it_can_be_read(in_module: Call) -> None:
    code = """
        const theme = { page: "#ffffff", ink: "#000000", dark: false };
        return x.map((colour) => m.textColour({ color: [colour, colour] }, theme));
    """
    found = in_module("charts/theme.js", code, ["#1230AE", "#FDB0FA", "#E26808"])
    assert found == ["#1230AE", "#000000", "#000000"]
