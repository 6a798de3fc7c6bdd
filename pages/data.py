"""Your data: who is protected, which columns, and what survives at which ε; or a built-in set."""

from ui.owner.page import draw_page
from ui.widgets.start_page import start_page

start_page()
draw_page()
