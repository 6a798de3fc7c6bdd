"""The first page opens in a real browser, wide and narrow, light and dark, and by its name."""

from playwright.sync_api import expect

from tests.browser.conftest import (
    PHONE,
    SCHEMES,
    WIDE,
    OpenPage,
    resize,
    settled,
    switch_scheme,
)


def test_explore_draws_its_charts(open_page: OpenPage) -> None:
    page = open_page("/", size=PHONE, scheme="dark")
    for size in (PHONE, WIDE):
        resize(page, size)
        for shown in SCHEMES:
            switch_scheme(page, shown)
            settled(page)
            # The first paint of a machine that was halted has one point; the next have the others.
            page.wait_for_function(
                "[...document.querySelectorAll('.dpca-page .scatterlayer path.js-line')]"
                ".some(path => path.getBoundingClientRect().width > 100)"
            )


def test_the_first_page_answers_to_its_name_too_and_loads_nothing_from_elsewhere(
    open_page: OpenPage, address: str
) -> None:
    loaded = list[str]()
    listen = lambda page: page.on("request", lambda request: loaded.append(request.url))  # noqa: E731
    page = open_page("/explore?epsilon=0.5", listen=listen)
    settled(page)
    expect(page.get_by_text("Page not found")).to_have_count(0)
    assert "epsilon=0.5" in page.url
    own = (address, address.replace("http", "ws"), "data:", "blob:")
    assert len(loaded) > 10
    assert [url for url in loaded if not url.startswith(own)] == []
