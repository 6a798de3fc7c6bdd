"""What a room is given: an address and its code, or the sentence that there is none."""

import re
from urllib.parse import parse_qsl, urlsplit

import zxingcpp
from PIL import Image, ImageDraw

from ui.state import shared_address as shared

ROOT = "http://class.local:8501/"
SETTINGS = {"data": "rand", "mechanism": "gaussian", "epsilon": "0.2", "delta": "1e-06"}


def query_of(url: str) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(url).query))


def decoded(markup: str) -> str:
    """Read a code from its SVG, the second of whose two paths is of horizontal strokes."""
    (found,) = zxingcpp.read_barcodes(drawn(markup))
    return found.text


def drawn(markup: str, scale: int = 4) -> Image.Image:
    (side,) = {int(float(n)) for n in re.findall(r'viewBox="0 0 (\S+) \S+"', markup)}
    image = Image.new("L", (side * scale, side * scale), 255)
    pen = ImageDraw.Draw(image)
    x = y = 0.0
    path = re.findall(r'd="([^"]+)"', markup)[-1]
    for kind, numbers in re.findall(r"([Mmh])([^Mmhvz]*)", path):
        values = [float(n) for n in re.findall(r"-?\d*\.?\d+", numbers)]
        if kind == "h":
            box = [x * scale, (y - 0.5) * scale, (x + values[0]) * scale - 1, (y + 0.5) * scale - 1]
            pen.rectangle(box, fill=0)
            x += values[0]
        else:
            x, y = (values[0], values[1]) if kind == "M" else (x + values[0], y + values[1])
    return image


def test_an_address_opens_the_same_settings_and_leaves_the_rooms_view_out() -> None:
    found = shared.address_at(ROOT, "compare", SETTINGS | {"present": "1", "told": "1"})
    assert found.url.startswith("http://class.local:8501/compare?")
    assert query_of(found.url) == SETTINGS
    assert found.text == "class.local:8501/compare", "nobody types so much"
    lesson = shared.address_at(ROOT, "learn", {"lesson": "gap", "present": "1"})
    assert lesson.url == f"http://{lesson.text}" == "http://class.local:8501/learn?lesson=gap"
    assert shared.address_at(ROOT, "proofs", {"present": "1"}).text == "class.local:8501/proofs"


def test_the_code_says_the_address_in_black_on_white() -> None:
    found = shared.address_at(ROOT, "explore", SETTINGS)
    assert decoded(found.qr) == found.url
    assert '"#000"' in found.qr
    assert '"#fff"' in found.qr


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
