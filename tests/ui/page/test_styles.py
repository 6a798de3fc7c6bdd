"""Style sheets of every page leave a key on any of them cheap."""

import re

import pytest

from ui.server.static_files import SHEETS, STATIC

WHOLE_PAGES = (
    (r"\[class[*^]=[^\]]*\].*[ >+~]([a-z:*]|\[)", "whenever any class changes"),
    (r":has.*[ >+~][a-z:*]", "whenever anything comes or goes"),
)
"""Every tag, or anything, below a part of a class or :has() is styled anew on the whole page."""


def selectors_of(css):
    """Return every selector without strings and what stands in parentheses but lists of classes."""
    css = re.sub(r"/\*.*?\*/|\"[^\"]*\"", "", css, flags=re.S)
    css = re.sub(r":is\((\.[\w-]+(, )?)+\)", ".some", css)
    while "(" in css:
        css = re.sub(r"\([^()]*\)", "", css)
    return [each for some in re.findall(r"([^{};]+)\{", css) for each in some.split(",")]


@pytest.mark.parametrize("sheet", SHEETS)
def test_no_selector_styles_whole_pages_anew(sheet):
    for selector in selectors_of((STATIC / sheet).read_text("utf-8")):
        for pattern, when in WHOLE_PAGES:
            assert not re.search(pattern, re.sub(r"\s*([>+~])\s*", r"\1", selector)), when
