"""Compare: every mechanism along one axis, at the same budget."""

from ui.compare.page import draw_page

draw_page()
