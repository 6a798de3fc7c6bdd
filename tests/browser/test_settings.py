"""What is set on one page is found on every other, and the browser's Back undoes a change."""

import re
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import expect

from tests.browser.conftest import go_to, settled

CHOSEN = {"data": "wine", "epsilon": "0.15", "delta": "3e-06", "k": "3", "n": "200"}
CHOSEN |= {"adjacency": "replace_one"}
SHOWN = CHOSEN | {"data": "Wine", "delta": "3·10⁻⁶", "adjacency": "replaced"}
RULE = ".dpca:not(.dpca-room) [role=slider]"
PAGES = {"Eigengap": "eigengap", "Prepare": "data", "Claims": "claims"}
"""Pages in the navigation and their paths."""


def control(page, name):
    return page.locator(f":is(.st-key-{name}, [class*='st-key-{name}-'])").first


def step(page, name):
    control(page, name).locator("input[type=range]").press("ArrowRight")


def choose(page, name, option):
    control(page, name).get_by_role("combobox").click()
    page.get_by_role("option", name=option).first.click()


PLACES_OF_RESET = """() => {
  const places = new Set();
  const look = () => {
    const at = document.querySelector(".st-key-reset")?.getBoundingClientRect();
    places.add(`${at?.x} ${at?.y}`);
    requestAnimationFrame(look);
  };
  look();
  return places;
}"""
"""Where the button stands, from now on, in each frame."""


def address(page):
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def wait_for(page, name, value):
    page.wait_for_function(
        "([name, value]) => new URLSearchParams(location.search).get(name) === value",
        arg=[name, value],
    )


def shows(page, name, value):
    if name in ("data", "adjacency"):
        expect(control(page, name).locator("input")).to_have_value(re.compile(value))
    else:
        slider = control(page, name).locator("input[type=range]")
        expect(slider).to_have_attribute("aria-valuetext", value)


def test_settings_travel_and_back_undoes_the_last_change(open_page):
    page = open_page("/")
    settled(page)
    choose(page, "data", SHOWN["data"])
    wait_for(page, "data", "wine")
    for name in ("delta", "k", "n"):
        step(page, name)
        wait_for(page, name, CHOSEN[name])
    choose(page, "adjacency", SHOWN["adjacency"])
    wait_for(page, "adjacency", CHOSEN["adjacency"])
    page.locator(RULE).press("ArrowRight")
    wait_for(page, "epsilon", CHOSEN["epsilon"])
    for title, path in PAGES.items():
        go_to(page, title)
        page.wait_for_url(f"**/{path}*")
        if title == "Prepare":
            # What is said of a table of one's own is in no address; the settings wait for others.
            page.get_by_role("button", name="1 Who").wait_for()
            assert address(page) == {}
            expect(page.locator(".dpca-skip")).to_be_hidden()  # there is no ε to skip to
            continue
        wait_for(page, "data", "wine")
        assert address(page) | CHOSEN == address(page), title
        for name in SHOWN if title == "Eigengap" else ("delta",):
            shows(page, name, SHOWN[name])

    step(page, "delta")
    wait_for(page, "delta", "1e-05")
    shows(page, "delta", "10⁻⁵")
    page.go_back()
    wait_for(page, "delta", CHOSEN["delta"])
    shows(page, "delta", SHOWN["delta"])
    go_to(page, "Explore")
    settled(page)
    shows(page, "delta", SHOWN["delta"])
    rule = page.locator(RULE)
    expect(rule).to_have_attribute("aria-valuetext", f"ε = {CHOSEN['epsilon']}")
    places = page.evaluate_handle(PLACES_OF_RESET)
    step(page, "k")
    wait_for(page, "k", "4")
    page.go_back()
    wait_for(page, "k", "3")
    shows(page, "k", "3")
    assert places.evaluate("places => places.size") == 1, "Reset moves while k is drawn anew"
    page.get_by_role("button", name="Reset", exact=True).click()
    wait_for(page, "k", None)
    assert address(page)["data"] == "wine"
    shows(page, "k", "2")
    shows(page, "delta", "10⁻⁶")
    expect(rule).to_have_attribute("aria-valuetext", "ε = 0.1")
