"""Your data: upload a table and say what is public about it, or take a built-in set."""

from ui.data.page import draw_page
from ui.state.session import write_address
from ui.widgets.navigation import start_page

start_page()
draw_page()
write_address()
