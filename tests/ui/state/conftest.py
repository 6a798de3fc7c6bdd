"""Tests of settings: what pages keep and say of them."""

import pytest

from tests.opened_page import hurry


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """How much a page measures is not the point here."""
    hurry(monkeypatch)
