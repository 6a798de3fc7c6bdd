"""Markup in the browser: set where it changed."""

from tests.frontend.conftest import Call


def test_what_is_written_again_is_left_as_it_is(in_module: Call) -> None:
    """With its focus; attributes are texts."""
    code = """
        const node = document.createElement("p");
        m.write(node, x);
        const [before] = node.children;
        m.writeAll({ node }, { node: x, other: x });
        const same = before === node.children[0];
        m.write(node, "");
        m.fill(node, { title: x, lang: false });
        return [same, node.innerHTML, node.title, node.lang];
    """
    assert in_module("charts/dom.js", code, "<b>x</b>") == [True, "", "<b>x</b>", "false"]
