"""Summary: one page before a decision, frozen when it is made."""

from ui.summary.page import draw_page

draw_page()
