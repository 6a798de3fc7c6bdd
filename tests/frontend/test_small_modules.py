"""Small modules: Plotly is loaded once, from this host; which answer colours a room."""

from typing import Any

from tests.frontend.conftest import Call


def test_the_bundle_is_loaded_once_and_leaves_its_name_to_the_page(
    browser_page: Any, static_address: str
) -> None:
    """Two callers whose addresses differ, as after a new version, share what the first loaded."""
    context = browser_page.context.browser.new_context()
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{static_address}/page/page.css")
    found = page.evaluate(
        """async (url) => {
          window.Plotly = "the page's own";
          const [first, second] = await Promise.all([import(url), import(`${url}?again`)]);
          const [one, other] = await Promise.all([first.plotly, second.plotly]);
          return [one === other, first === second, window.Plotly, one.version];
        }""",
        f"{static_address}/page/plotly.js",
    )
    context.close()
    assert found == [True, False, "the page's own", "4.1.1"]
    assert len([address for address in asked if "plotly-basic" in address]) == 1
    assert [address for address in asked if not address.startswith(static_address)] == []


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
