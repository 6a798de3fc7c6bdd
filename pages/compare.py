"""The old address of all mechanisms, which are a view of Explore now."""

from ui.state.session import open_view
from ui.state.settings import View
from ui.widgets.navigation import start_page

start_page()
open_view(View.ALL)
