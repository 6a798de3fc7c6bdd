"""The old address of One page, which is a view of Explore now."""

from ui.state.session import open_view
from ui.state.settings import View
from ui.widgets.navigation import start_page

start_page()
open_view(View.PAGE)
