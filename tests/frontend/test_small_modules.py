"""The colours of a room: what an answer may change."""

from tests.frontend.conftest import Call

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
