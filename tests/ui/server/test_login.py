"""Nobody passes the login of a server that wants one."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.paths import ROOT

APP = ROOT / "app.py"


def opened(auth: bool) -> AppTest:
    app = AppTest.from_file(APP, default_timeout=60)
    if auth:
        app.secrets["auth"] = {"redirect_uri": "https://example.org/oauth2callback"}
    return app.run()


def controls(app: AppTest) -> int:
    return len(app.selectbox) + len(app.slider) + len(app.select_slider)


def test_without_a_login_everybody_comes_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DPCA_LOGIN", raising=False)
    app = opened(auth=False)
    assert controls(app) > 3
    assert "Log in" not in [button.label for button in app.button]


@pytest.mark.parametrize("wanted", ["0", "1"])
def test_with_a_login_a_stranger_sees_a_button_only(
    wanted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DPCA_LOGIN", wanted)
    app = opened(auth=True)
    assert [button.label for button in app.button] == ["Log in"]
    assert controls(app) == 0


def test_a_login_that_is_wanted_and_missing_lets_nobody_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DPCA_LOGIN", "1")
    app = opened(auth=False)
    assert "Login is required but not configured" in app.error[0].value
    assert controls(app) == 0
    assert len(app.button) == 0
