"""Style sheets of every page leave a key on any of them cheap."""

import re

import pytest

from ui.server.static_files import SHEETS, STATIC

CLASS_UNDER_CLASS = r"\[class[*^]=[^\]]*\][^,]*[ >+~]\[class[*^]="
"""Whenever a class changes, every element below that has a class is styled anew."""
ANY_BELOW_HAS = r"(?<![\w\[])\*(?!=)"
"""The same with :has(), of whatever changes anywhere."""


@pytest.mark.parametrize("sheet", SHEETS)
def test_no_selector_styles_whole_pages_anew(sheet):
    css = re.sub(r"/\*.*?\*/|\"[^\"]*\"", "", (STATIC / sheet).read_text("utf-8"), flags=re.S)
    for selectors in re.findall(r"([^{};]+)\{", css):
        for selector in re.split(r",(?![^(]*\))", selectors):
            assert not re.search(CLASS_UNDER_CLASS, selector), selector
            assert ":has(" not in selector or not re.search(ANY_BELOW_HAS, selector), selector
