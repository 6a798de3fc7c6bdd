"""The Compare page in a real browser: lines appear, are read anywhere, and can be taken away."""

import pytest
from playwright.sync_api import Page, expect

from dpca_core.mechanisms.registry import shown_by_default
from dpca_core.release.csv_file import NOT_PRIVATE
from tests.browser.conftest import PHONE, WIDE, OpenPage, Scheme, switch_scheme

READY = '.dpca-compare[data-ready="true"]'


def complete(page: Page) -> None:
    page.wait_for_selector('.dpca-compare[data-complete="true"]')


@pytest.mark.parametrize(
    ("size", "scheme", "other"),
    [(WIDE, "light", "dark"), (PHONE, "dark", "light")],
    ids=["wide", "phone"],
)
def test_lines_are_drawn(
    open_page: OpenPage, size: tuple[int, int], scheme: Scheme, other: Scheme
) -> None:
    page = open_page("/compare?data=wine&k=1", size=size, scheme=scheme)
    page.wait_for_selector(READY)
    complete(page)
    for shown in (scheme, other):
        switch_scheme(page, shown)
        page.wait_for_selector(READY)
        assert page.locator(".dpca-of-captured .dpca-curves path").count() >= 10
        assert page.locator("button.dpca-row").count() == len(shown_by_default())
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_a_phone_names_every_number_of_the_table(open_page: OpenPage) -> None:
    page = open_page("/compare?data=wine&k=1&mechanisms=laplace&trials=20", size=PHONE)
    complete(page)
    names = page.locator("button.dpca-row > span:nth-child(n + 3)").evaluate_all(
        "cells => cells.map(cell => getComputedStyle(cell, '::before').content.slice(1, -2))"
    )
    assert names == [
        "holds",
        "noise per entry",
        "keeps",
        "‖sin Θ‖_F",
        "ε for 90\u00a0% in 9 of 10",
        "ms per release",
    ]


def test_a_click_reads_the_charts_there(open_page: OpenPage) -> None:
    page = open_page("/compare?data=wine&k=1&mechanisms=gaussian,laplace")
    complete(page)
    answer = page.locator(".dpca-compare .dpca-answer")
    assert "ε\u00a0=\u00a00.1" in answer.inner_text()
    box = page.locator(".dpca-of-captured .dpca-chart").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] * 0.945, box["y"] + 100)
    assert "ε\u00a0=\u00a0100" in answer.inner_text()
    page.locator(".dpca-reader").focus()
    page.keyboard.press("ArrowLeft")
    assert "ε\u00a0=\u00a070" in answer.inner_text()
    page.wait_for_url("**epsilon=70**")


def test_a_row_lights_its_line(open_page: OpenPage) -> None:
    page = open_page("/compare?data=wine&k=1&mechanisms=gaussian,laplace")
    complete(page)
    bands = page.locator(".dpca-of-captured .dpca-curves path[fill-opacity]")
    assert bands.count() == 3
    page.locator('button.dpca-row[data-key="laplace"]').click()
    expect(page.locator('button.dpca-row[data-key="laplace"].dpca-lit')).to_be_visible()
    page.locator('button.dpca-row[data-key="laplace"]').click()
    assert bands.count() == 0


def test_it_can_be_taken_away(open_page: OpenPage) -> None:
    page = open_page("/compare?data=wine&k=1&mechanisms=gaussian,laplace&trials=20")
    complete(page)
    for button, start in (
        ("Numbers (CSV)", f"# {NOT_PRIVATE}\nmechanism,epsilon"),
        ("Python script", f'# {NOT_PRIVATE}\n"""'),
        ("Page (HTML)", f"<!-- {NOT_PRIVATE} -->\n<!doctype"),
    ):
        expect(page.get_by_role("button", name=button)).to_be_enabled(timeout=10_000)
        with page.expect_download() as download:
            page.get_by_role("button", name=button).click()
        text = download.value.path().read_text("utf-8")
        assert text.startswith(start)
    alone = page.context.new_page()
    alone.set_content(text)
    assert alone.get_by_text(NOT_PRIVATE).is_visible()
    assert alone.locator(".dpca-of-captured .dpca-curves path").count() >= 2
    alone.close()


def test_a_chart_can_be_downloaded(open_page: OpenPage) -> None:
    page = open_page("/compare?data=wine&k=1&mechanisms=gaussian")
    complete(page)
    for kind in ("CSV", "SVG", "PNG"):
        page.locator(".dpca-of-captured").hover()
        with page.expect_download() as download:
            page.get_by_label(f"Download captured as {kind}").click()
        assert download.value.path().stat().st_size > 500


def test_measuring_can_be_stopped(open_page: OpenPage) -> None:
    page = open_page("/compare?data=digits&k=4&trials=200")
    page.wait_for_selector(READY)
    page.get_by_role("button", name="Stop", exact=True).last.click()
    stages = [""]
    while stages[-1] not in stages[:-1]:  # what was asked for before the click may still arrive
        assert len(stages) < 8
        page.wait_for_timeout(2000)
        stages.append(page.locator(".dpca-compare").get_attribute("data-stage") or "")
    stage = stages[-1]
    page.get_by_role("button", name="Resume").click()
    page.wait_for_function(
        "stage => document.querySelector('.dpca-compare').dataset.stage !== stage", arg=stage
    )
