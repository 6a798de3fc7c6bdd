"""What all tests of pages need."""

import pytest

from tests.opened_page import greet_visitor


@pytest.fixture(scope="session", autouse=True)
def visitor():
    """Nothing that a page asks for is given up as long as nobody says that its visitor left."""
    greet_visitor()
