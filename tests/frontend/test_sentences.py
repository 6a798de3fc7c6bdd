"""Sentences in the browser: text stays text."""

from tests.frontend.conftest import Call

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
        const node = m.html("p", { title: x, lang: null, text: x });
        const { textContent, children, title } = node;
        return [title, node.hasAttribute("lang"), textContent, children.length];
    """
    title, has_language, text, children = in_module("charts/dom.js", code, HOSTILE)
    assert (title, text, has_language, children) == (HOSTILE, HOSTILE, False, 0)


def test_a_sentence_is_read_aloud_without_its_marks(in_module: Call) -> None:
    assert in_module("charts/dom.js", "return m.plain(x)", "At [[ε = 1]] **a**") == "At ε = 1 a"


def test_the_norm_of_a_sine_has_its_letter_below(in_module: Call) -> None:
    code = """
        const node = m.html("p");
        m.write(node, x);
        return [node.innerHTML, node.textContent];
    """
    markup, _ = in_module("charts/dom.js", code, "‖sin Θ‖_F of a_F")
    assert markup == "‖sin Θ‖<sub>F</sub> of a_F"
    markup, _ = in_module("charts/dom.js", code, "For [[‖sin Θ‖_F ≤ 0.3]], **‖sin Θ‖_F**")
    assert markup == ("For <em>‖sin Θ‖<sub>F</sub> ≤ 0.3</em>, <b>‖sin Θ‖<sub>F</sub></b>")
