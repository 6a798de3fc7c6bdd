"""Results: how much of what a release loses was not privacy's."""

from ui.results.page import draw_page

draw_page()
