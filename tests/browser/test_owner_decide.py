"""*Decide* in a browser: two answers, three cards, a look; nothing typed is lost, nothing leaks."""

from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, SCHEMES, WIDE, OpenPage, go_to, resize, switch_scheme
from tests.browser.owner_steps import open_columns, paste_ranges
from tests.browser.table_upload import at_rest
from tests.browser.test_every_page import AXE, VIOLATIONS

PEOPLE = "About how many people?"
SIDEWAYS = "document.documentElement.scrollWidth"
MAIN = """document.querySelector('[data-testid="stMain"]')"""
SCROLLED = f"{MAIN}.scrollTop"


def open_decide(open_page: OpenPage, **options: object) -> Page:
    """Upload ten numbers of 90 people, give their ranges and go on to *Decide*."""
    page = open_columns(open_page, **options)
    paste_ranges(page)
    page.get_by_role("button", name="Decide", exact=True).click()
    page.wait_for_selector(".st-key-decide-answers")
    at_rest(page)
    return page


def simulated(page: Page) -> None:
    """Wait until each card has its bars, and the people that it needs."""
    expect(page.locator(".decide-bars")).to_have_count(3)
    expect(page.locator(".decide-people:has(b)")).to_have_count(3)
    at_rest(page)


def answer(page: Page, label: str, text: str) -> None:
    """Type into a field and leave it."""
    page.get_by_label(label, exact=True).first.fill(text)
    page.keyboard.press("Tab")
    at_rest(page)


def test_two_answers_and_a_choice(open_page: OpenPage) -> None:
    page = open_decide(open_page)
    expect(page.locator(".decide-dots")).to_have_count(3)
    expect(page.locator(".decide-bars")).to_have_count(0)
    answer(page, PEOPLE, "5e4")
    simulated(page)
    page.get_by_role("button", name="Choose").nth(1).click()
    at_rest(page)
    headline = page.locator(".owner-headline")
    expect(headline).to_contain_text("At ε\u00a0=\u00a01, if your data are as you expect, direc")
    expect(page.get_by_role("button", name="Go on to Release")).to_be_enabled()
    found = parse_qs(urlsplit(page.url).query)
    assert found == {"step": ["decide"], "people": ["5e4"], "chosen": ["middle"]}
    page.get_by_role("button", name="2 Columns").click()
    page.wait_for_selector('.dpca-owner[data-ready="true"]')
    page.get_by_role("button", name="3 Decide").click()
    expect(page.get_by_label(PEOPLE, exact=True)).to_have_value("5e4")
    go_to(page, "Explore")
    page.wait_for_selector('.dpca-explore[data-ready="true"]')
    go_to(page, "Prepare")
    expect(page.get_by_label(PEOPLE, exact=True)).to_have_value("5e4")
    expect(page.get_by_role("button", name="Chosen")).to_have_count(1)


def test_an_answer_takes_others_along_and_none_comes_back(open_page: OpenPage) -> None:
    """A field that is drawn anew stays in the browser for a moment, with its old text."""
    page = open_decide(open_page)
    answer(page, PEOPLE, "5e4")
    expect(page.get_by_label("δ\u00a0=", exact=True)).to_have_value("10⁻⁷")
    page.get_by_label("What do you expect in them?").click()
    page.get_by_role("option", name="one strong direction").click()
    simulated(page)
    answer(page, "ε\u00a0=", "0.2")
    simulated(page)
    expect(page.get_by_label("shares", exact=True)).to_have_value("60\u00a0%")
    found = parse_qs(urlsplit(page.url).query)
    assert found["shares"] == ["one strong direction"]
    assert found["epsilon"] == ["0.2|1|3"]
    assert "delta" not in found


def test_what_is_no_answer_stays_with_a_sentence_and_out_of_the_address(
    open_page: OpenPage,
) -> None:
    page = open_decide(open_page)
    answer(page, PEOPLE, "c3")
    expect(page.locator(".decide-error")).to_contain_text("“c3” is none")
    answer(page, "shares", "70 50")
    expect(page.locator(".decide-error").nth(1)).to_contain_text("sum to 120")
    expect(page.get_by_label(PEOPLE, exact=True)).to_have_value("c3")
    expect(page.get_by_label("shares", exact=True)).to_have_value("70 50")
    assert [*parse_qs(urlsplit(page.url).query)] == ["step"]


def test_a_look_is_noted_for_good(open_page: OpenPage) -> None:
    page = open_decide(open_page)
    page.get_by_role("button", name="Look, and note it").click()
    page.wait_for_selector('.dpca-explore[data-ready="true"]')
    assert "numbers" not in page.url
    go_to(page, "Prepare")
    expect(page.locator(".decide-public")).to_contain_text("You have looked at your own curves.")
    expect(page.get_by_role("button", name="Look again")).to_be_visible()


def test_a_stand_in_says_that_the_file_was_not_read(open_page: OpenPage) -> None:
    page = open_decide(open_page)
    answer(page, PEOPLE, "3000")
    # While the cards are still being simulated, and the page drawn anew.
    with page.expect_download() as download:
        page.get_by_role("button", name="A synthetic file").click()
    assert download.value.path().read_text().count("\n") == 3001
    page.get_by_role("button", name="A simulated table").click()
    page.wait_for_selector('.dpca-explore[data-ready="true"]')
    expect(page.get_by_text("Stand-in. Your file was not read.")).to_be_visible()


def test_one_step_back_leads_to_the_columns_and_each_step_opens_at_its_top(
    open_page: OpenPage,
) -> None:
    page = open_columns(open_page)
    paste_ranges(page)
    resize(page, PHONE)
    page.evaluate(f"{MAIN}.scrollTo(0, 900)")
    assert page.evaluate(SCROLLED) > 0
    page.get_by_role("button", name="Decide", exact=True).click()
    page.wait_for_selector(".st-key-decide-answers")
    at_rest(page)
    assert page.evaluate(SCROLLED) == 0
    answer(page, PEOPLE, "900")
    answer(page, "shares", "50 20")
    answer(page, PEOPLE, "1200")
    page.evaluate(f"{MAIN}.scrollTo(0, 900)")
    page.go_back()
    page.wait_for_selector('.dpca-owner[data-ready="true"]')
    assert page.evaluate(SCROLLED) == 0
    assert parse_qs(urlsplit(page.url).query) == {"step": ["columns"]}
    page.go_forward()
    expect(page.get_by_label(PEOPLE, exact=True)).to_have_value("1200")
    expect(page.get_by_label("shares", exact=True)).to_have_value("50 · 20\u00a0%")


def test_it_fits_every_screen_and_readers_can_use_it(open_page: OpenPage) -> None:
    page = open_decide(open_page)
    answer(page, PEOPLE, "900")
    simulated(page)
    page.evaluate(AXE)
    for size in (WIDE, (1920, 1080), (768, 1024), PHONE):
        resize(page, size)
        page.wait_for_timeout(400)
        assert page.evaluate(SIDEWAYS) <= size[0], size
        chart, listed = page.locator(".st-key-decide-chart"), page.locator(".decide-published")
        assert chart.is_visible() != listed.is_visible()
        if size in (WIDE, PHONE):
            for scheme in SCHEMES:
                switch_scheme(page, scheme)
                assert page.evaluate(VIOLATIONS) == [], (size, scheme)
