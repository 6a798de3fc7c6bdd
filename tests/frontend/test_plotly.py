"""Plotly in the page: loaded once, from this host, and without a way to upload a figure."""

from typing import Any

from dpca_core.figures.bundle import CONFIG
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


def test_no_button_shares_uploads_or_saves_unmarked(in_module: Call) -> None:
    """As there would be without our configuration."""
    code = """
        const Plotly = await m.plotly;
        const node = document.createElement("div");
        document.documentElement.append(node);
        const titles = () => [...node.querySelectorAll(".modebar-btn")].map(
          (one) => one.dataset.title ?? one.getAttribute("data-title"));
        await Plotly.newPlot(node, [{ y: [1, 2] }], { width: 702, height: 300 }, x);
        const ours = titles();
        await Plotly.react(node, [], {}, {});
        return [ours, titles()];
    """
    ours, theirs = in_module("page/plotly.js", code, CONFIG)
    assert set(ours) == {"Zoom", "Pan", "Zoom in", "Zoom out", "Reset axes"}
    assert any("share" in title.lower() or "cloud" in title.lower() for title in theirs), theirs
    assert any("png" in title.lower() for title in theirs), theirs
