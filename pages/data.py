"""Prepare: who is protected, which columns, and what survives at which ε; or a built-in set."""

from ui.owner.page import draw_page

draw_page()
