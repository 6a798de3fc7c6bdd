"""The ends of the slider of people, which stand below it: one line, apart from each other."""

import pytest

from tests.browser.conftest import OpenPage

ENDS = """() => [...document.querySelectorAll('[data-testid="stSliderTickBar"]')]
  .filter(bar => bar.textContent.includes('10,000,000'))
  .map(bar => [...bar.querySelectorAll('p')].map(end => {
    const range = document.createRange();
    range.selectNodeContents(end);
    const { left, right, height } = range.getBoundingClientRect();
    return [left, right, height, range.getClientRects().length];
  }))"""


@pytest.mark.parametrize("asked", ["/?data=rand&n=10000000", "/compare?data=rand&n=10000000"])
@pytest.mark.parametrize("size", [(1440, 900), (1100, 800)])
def test_the_ends_of_the_slider_of_people_fit(
    open_page: OpenPage, asked: str, size: tuple[int, int]
) -> None:
    page = open_page(asked, size=size)
    slider = page.get_by_test_id("stSlider").filter(has_text="People").first
    slider.hover()
    (ends,) = page.evaluate(ENDS)
    assert [lines for *_, lines in ends] == [1, 1]
    (_, first, _, _), (last, _, _, _) = ends
    assert first + 2 < last
