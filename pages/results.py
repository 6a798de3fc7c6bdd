"""Results: how much of what a release loses was the mechanism's, and not privacy's."""

from ui.results.page import draw_page

draw_page()
