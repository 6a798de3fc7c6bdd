"""What a room is given: an address, or the sentence that there is none; Present reads its code."""

from urllib.parse import parse_qsl, urlsplit

from ui.state import shared_address as shared

ROOT = "http://class.local:8501/"
SETTINGS = {"data": "rand", "mechanism": "gaussian", "epsilon": "0.2", "delta": "1e-06"}


def query_of(url: str) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(url).query))


def test_an_address_opens_the_same_settings_and_leaves_the_rooms_view_out() -> None:
    found = shared.address_at(ROOT, "compare", SETTINGS | {"present": "1", "told": "1"})
    assert found.url.startswith("http://class.local:8501/compare?")
    assert query_of(found.url) == SETTINGS
    assert found.text == "class.local:8501/compare", "nobody types so much"
    lesson = shared.address_at(ROOT, "learn", {"lesson": "gap", "present": "1"})
    assert lesson.url == f"http://{lesson.text}" == "http://class.local:8501/learn?lesson=gap"
    assert shared.address_at(ROOT, "proofs", {"present": "1"}).text == "class.local:8501/proofs"


def test_a_loopback_address_is_not_given_to_a_room_and_any_other_is() -> None:
    for host in ("localhost", "127.8.8.8", "[::1]", "a.localhost", "0.0.0.0"):
        found = shared.address_at(f"http://{host}:8501/", "explore", SETTINGS)
        assert found == shared.SharedAddress(None, "This address works on this computer only", "")
    for host in ("192.168.0.7", "[2001:db8::1]", "localhost.example"):
        root = shared.root_of(f"https://{host}/dpca/compare/", {"", "local", "compare"})
        assert root == f"https://{host}/dpca/"
        found = shared.address_at(root, "explore", SETTINGS)
        assert found.url.startswith(f"{root}explore?data=rand")


def test_tables_of_ones_own_have_no_address() -> None:
    own = SETTINGS | {"data": f"upload:{'0' * 32}"}
    found = shared.address_at(ROOT, "explore", own)
    assert (found.url, found.qr) == (None, "")
    assert "own" in found.text
