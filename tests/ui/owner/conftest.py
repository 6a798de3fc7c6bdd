"""An allowed folder with tables for the tests of the data page."""

from pathlib import Path

import pytest

from tests.core.streaming.survey import survey_folder


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return survey_folder(tmp_path, monkeypatch)
