"""A page at a link, run without a browser."""

from math import inf

from streamlit.testing.v1 import AppTest

from tests.paths import page_file
from ui.explore import study
from ui.server.sessions import SESSIONS


def hurry(patch):
    """Let pages measure by one step at a time, not for as many as fit into a fraction of a second.

    For tests of what a page says and keeps, which is the same however much is measured.
    """
    patch.setattr(study, "SLICE_SECONDS", 0.0)


def greet_visitor():
    """Let Streamlit's test session count as a visitor who is there, as the whole app does.

    A page alone greets nobody: long work would be given up, as for somebody who has left.
    """
    SESSIONS._last_seen["test session id"] = inf


def page_at(name, **query):
    """Return the page of this name at the link's settings, not run yet."""
    greet_visitor()
    page = AppTest.from_file(str(page_file(name)), default_timeout=60)
    for key, value in query.items():
        page.query_params[key] = value
    return page


def open_page(name, **query):
    """Run the page of this name at the link's settings."""
    return page_at(name, **query).run()
