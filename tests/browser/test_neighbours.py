"""One visitor asks for what takes longest; the moves of another are answered all the same.

While a very wide table is read others are answered too: tests/ui/server/test_workers.py.
"""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import settled

pytestmark = pytest.mark.long("the heaviest links there are")
WORST = "data=imtiaz%3Fd%3D400%26n%3D50000"
LINKS = (
    f"/?{WORST}&mechanism=local_sparse&k=20",
    f"/?{WORST}&mechanism=ppca_gibbs&k=20",
    f"/?view=all&{WORST}&mechanisms=local_sparse%2Cppca_gibbs&k=20",
    f"/local?{WORST}&source=data&k=20",
    f"/sample_size?{WORST}&k=20",
)
WAITING = "This takes a while"


def test_the_worst_links_keep_nobody_else_waiting(open_page):
    page = open_page("/")
    settled(page)
    explore = page.locator(".dpca-page")
    others = [page.context.new_page() for _ in LINKS]
    for other, link in zip(others, LINKS, strict=True):
        other.goto(link, wait_until="commit")
        other.get_by_test_id("stApp").wait_for()
        before = explore.get_attribute("data-id")
        page.locator(".st-key-k input[type=range]").press("ArrowRight")
        expect(explore).not_to_have_attribute("data-id", before)
        settled(page)
    for other in others:
        other.close()


def test_who_waits_is_told_and_gets_the_page_back_by_moving(open_page):
    other = open_page("/").context.new_page()
    other.goto(LINKS[0])
    expect(other.get_by_text(WAITING).first).to_be_visible()
    other.get_by_role("combobox", name="Data").click()
    other.get_by_role("option", name="Wine").click()
    # At once: what was begun would take most of a minute on an idle machine.
    expect(other.locator(".dpca footer")).to_contain_text("Wine")
    expect(other.get_by_text(WAITING)).to_have_count(0)
