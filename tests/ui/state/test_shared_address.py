"""What a room is given: a short address and its code, or the sentence that there is none."""

import re
from urllib.parse import parse_qsl, urlsplit

import zxingcpp
from PIL import Image, ImageDraw

from ui.state import shared_address as shared
from ui.state.short_links import LinkedPage, ShortLinks

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


def test_settings_become_a_key_that_leads_back_to_them_and_a_lesson_is_its_own() -> None:
    links = ShortLinks()
    found = shared.address_at(ROOT, "compare", SETTINGS | {"present": "1"}, links)
    assert found.url == f"http://{found.text}"
    assert shared.linked_page(query_of(found.url), links) == LinkedPage.of("compare", SETTINGS)
    lesson = shared.address_at(ROOT, "learn", {"lesson": "gap", "present": "1"}, links)
    assert lesson.text == "class.local:8501/?lesson=gap"
    asked = query_of(lesson.url)
    assert shared.linked_page(asked, links) == LinkedPage.of("learn", {"lesson": "gap"})
    assert len(links) == 1
    assert [shared.leads_on(q) for q in ({"s": "zzzzzz"}, asked, SETTINGS)] == [True, True, False]
    assert shared.linked_page({"s": "zzzzzz"}, links) is None


def test_the_code_says_the_address_in_black_on_white() -> None:
    found = shared.address_at(ROOT, "explore", SETTINGS, ShortLinks())
    assert decoded(found.qr) == found.url
    assert '"#000"' in found.qr
    assert '"#fff"' in found.qr


def test_a_loopback_address_is_not_given_to_a_room_and_any_other_is() -> None:
    links = ShortLinks()
    for host in ("localhost", "127.8.8.8", "[::1]", "a.localhost", "0.0.0.0"):
        found = shared.address_at(f"http://{host}:8501/", "explore", SETTINGS, links)
        assert found == shared.SharedAddress(None, "This address works on this computer only", "")
    assert len(links) == 0
    for host in ("192.168.0.7", "[2001:db8::1]", "localhost.example"):
        root = shared.root_of(f"https://{host}/dpca/compare/", {"", "local", "compare"})
        assert root == f"https://{host}/dpca/"
        found = shared.address_at(root, "explore", SETTINGS, links)
        assert found.url.startswith(f"{root}?s=")


def test_tables_of_ones_own_have_no_address() -> None:
    links = ShortLinks()
    own = SETTINGS | {"data": f"upload:{'0' * 32}"}
    found = shared.address_at(ROOT, "explore", own, links)
    assert (found.url, found.qr) == (None, "")
    assert "own" in found.text
    assert len(links) == 0
