"""Your data: upload a table and say what is public about it, or take a built-in set."""

from ui.data.page import draw_page
from ui.widgets.navigation import ensure_navigation

ensure_navigation()
draw_page()
