"""No ledger of whoever runs the tests: neither the usual folder's nor one that is named."""

import pytest

from tests.ui.release.release_page import Clinic


@pytest.fixture(autouse=True)
def no_ledger_of_ones_own(monkeypatch, tmp_path_factory):
    monkeypatch.delenv("DPCA_LEDGER", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("home")))


@pytest.fixture
def clinic(monkeypatch, tmp_path):
    monkeypatch.setenv("DPCA_LEDGER", str(tmp_path / "ledger.sqlite"))
    return Clinic(tmp_path / "ledger.sqlite")
