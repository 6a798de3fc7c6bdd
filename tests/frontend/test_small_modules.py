"""The rule of a chart, the colours of a room, markup in the page: what an answer may change."""

import pytest

from tests.frontend.conftest import Call

HEARD = {"heard": 1000.0}


@pytest.mark.parametrize(
    ("view", "ahead"),
    [
        ({"data": HEARD}, False),
        ({"data": HEARD, "dragging": True}, True),
        ({"data": HEARD, "resting": 7}, True),
        ({"data": HEARD, "putAt": 1001}, True),
        ({"data": HEARD, "putAt": 1000}, False),
    ],
    ids=["at rest", "dragged", "a key not told yet", "told, and not heard yet", "heard"],
)
def test_an_answer_moves_the_rule_only_where_it_knows_its_place(
    in_module: Call, view: dict[str, object], ahead: bool
) -> None:
    assert in_module("charts/rule.js", "return m.ahead(x)", view) is ahead


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


ROOM = """
    const place = document.createElement("div");
    document.documentElement.append(place);
    const parts = ["code", "keys", "black"].map((part) => `<div data-part="${part}"></div>`);
    const skeleton = `<div class="dpca dpca-room">${parts.join("")}</div>`;
    const answer = (heard_theme, theme) => m.default({
      parentElement: place,
      data: { on: false, own: [], heard: 0, theme, heard_theme, markup: {} },
      setStateValue: () => {},
    }, skeleton);
    const shown = () => ["light", "dark"].filter(
      (name) => document.body.classList.contains(`dpca-room-${name}`),
    ).join();
"""


def test_the_last_answer_colours_the_room(in_module: Call) -> None:
    """A part that was mounted anew first got an older answer, and kept its colours."""
    code = f"""{ROOM}
        const close = await answer(1, "dark");
        const first = shown();
        await answer(2, "light");
        const second = shown();
        close();
        place.remove();
        return [first, second];
    """
    assert in_module("page/present.js", code) == ["dark", "light"]
