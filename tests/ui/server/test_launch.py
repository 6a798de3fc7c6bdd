"""The server's options: of the environment and of the command line, which comes first."""

from ui.launch import options


def test_options_of_the_environment_and_the_command_line(monkeypatch):
    monkeypatch.setenv("STREAMLIT_SERVER_ALLOWED_HOSTS", "dpca.example.org,127.0.0.1")
    monkeypatch.setenv("STREAMLIT_SERVER_PORT", "80")
    found = options(["--server.port=8501", "--server.headless", "true"])
    assert found["server.allowedHosts"] == ["dpca.example.org", "127.0.0.1"]
    assert (found["server.port"], found["server.headless"]) == (8501, True)
