"""Plotly in the page: loaded once, from this host."""

from typing import Any


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
