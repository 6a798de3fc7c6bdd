"""A room's colours: what was chosen last stays, whichever answers are still on their way."""

from tests.frontend.conftest import Call

ROOM = """
    const place = document.createElement("div");
    document.documentElement.append(place);
    const skeleton = '<div class="dpca dpca-room" style="color-scheme: light">'
        + ["code", "keys", "black", "ticks", "chip", "ruler", "list"]
            .map((part) => `<div data-part="${part}"></div>`).join("") + "</div>";
    const packed = async (content) => {
      const stream = new Response(JSON.stringify(content)).body;
      const bytes = await new Response(
        stream.pipeThrough(new CompressionStream("deflate")),
      ).arrayBuffer();
      return new Uint8Array(bytes);
    };
    const answer = async (heard_theme, theme) => m.default({
      parentElement: place,
      data: await packed({
        on: false, page: "explore", own: [], heard: 0, theme, heard_theme, heard_step: 0,
        scene: null, markup: {},
      }),
      setStateValue: () => {},
    }, {}, skeleton);
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
    assert in_module("present/main.js", code) == ["dark", "light"]
