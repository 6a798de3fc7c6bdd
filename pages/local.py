"""Local model: everyone randomises their own record, and nobody is trusted."""

from ui.local_model.page import draw_page

draw_page()
