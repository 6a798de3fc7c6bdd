"""Tests of what nobody should send."""

import pytest

from tests.opened_page import hurry


@pytest.fixture(autouse=True)
def hurried(monkeypatch):
    """How much a page measures is not the point here."""
    hurry(monkeypatch)
