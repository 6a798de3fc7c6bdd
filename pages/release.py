"""Release: spend a budget once, publish something real, and prove it."""

from ui.release.page import draw_page

draw_page()
