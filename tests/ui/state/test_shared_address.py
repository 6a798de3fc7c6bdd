"""What a room is given: a short address and its code, or the sentence that there is none."""

import re
from collections.abc import Mapping
from urllib.parse import parse_qsl, urlsplit

import pytest
import zxingcpp
from PIL import Image, ImageDraw

from ui.figures.qr_code import QUIET_ZONE, qr_code
from ui.state import shared_address as shared
from ui.state.short_links import LinkedPage, ShortLinks

ROOT = "http://class.local:8501/"
SETTINGS = {"data": "rand", "mechanism": "gaussian", "epsilon": "0.2", "delta": "1e-06"}


def query_of(url: str | None) -> Mapping[str, str]:
    assert url is not None
    return dict(parse_qsl(urlsplit(url).query))


def decoded(markup: str) -> str:
    """Read a code from its markup, whose one path is of horizontal strokes."""
    found = zxingcpp.read_barcodes(drawn(markup))
    assert len(found) == 1
    return str(found[0].text)


def drawn(markup: str, scale: int = 4) -> Image.Image:
    """Draw the strokes of a code's SVG, the second of its two paths."""

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


def test_settings_become_a_key_that_leads_back_to_them() -> None:
    links = ShortLinks()
    found = shared.address_at(ROOT, "compare", SETTINGS | {"present": "1"}, links)
    assert found.url == f"http://{found.text}"
    linked = shared.linked_page(query_of(found.url), links)
    assert linked == LinkedPage.of("compare", SETTINGS)


def test_a_lesson_is_its_own_key() -> None:
    links = ShortLinks()
    found = shared.address_at(ROOT, "learn", {"lesson": "gap", "present": "1"}, links)
    assert found.text == "class.local:8501/?lesson=gap"
    assert shared.linked_page(query_of(found.url), links) == LinkedPage.of(
        "learn", {"lesson": "gap"}
    )
    assert len(links) == 0


def test_the_code_says_the_address() -> None:
    found = shared.address_at(ROOT, "explore", SETTINGS, ShortLinks())
    assert decoded(found.qr) == found.url


def test_a_short_code_takes_29_modules_and_is_black_on_white() -> None:
    markup = qr_code(f"{ROOT}?s=bcdfgh")
    assert f'viewBox="0 0 {29 + 2 * QUIET_ZONE} {29 + 2 * QUIET_ZONE}"' in markup
    assert '"#000"' in markup
    assert '"#fff"' in markup


@pytest.mark.parametrize(
    "host",
    ["localhost", "127.0.0.1", "127.8.8.8", "[::1]", "a.localhost", "0.0.0.0"],
)  # fmt: skip
def test_a_loopback_address_is_not_given_to_a_room(host: str) -> None:
    links = ShortLinks()
    found = shared.address_at(f"http://{host}:8501/", "explore", SETTINGS, links)
    assert found == shared.SharedAddress(None, "This address works on this computer only", "")
    assert len(links) == 0


@pytest.mark.parametrize(
    "host", ["class.local", "192.168.0.7", "[2001:db8::1]", "localhost.example"]
)
def test_any_other_host_is(host: str) -> None:
    found = shared.address_at(f"https://{host}/dpca/", "explore", SETTINGS, ShortLinks())
    assert found.url is not None
    assert found.url.startswith(f"https://{host}/dpca/?s=")


def test_tables_of_ones_own_have_no_address() -> None:
    links = ShortLinks()
    own = SETTINGS | {"data": f"upload:{'0' * 32}"}
    found = shared.address_at(ROOT, "explore", own, links)
    assert (found.url, found.qr) == (None, "")
    assert "own" in found.text
    assert len(links) == 0


def test_without_a_browser_there_is_no_address() -> None:
    assert shared.shared_address("explore", SETTINGS).url is None


@pytest.mark.parametrize(
    ("url", "root"),
    [
        ("http://class.local", "http://class.local/"),
        ("http://class.local/", "http://class.local/"),
        ("http://class.local/local", "http://class.local/"),
        ("https://a.example/dpca/compare/", "https://a.example/dpca/"),
        ("https://a.example:8501/dpca", "https://a.example:8501/dpca/"),
    ],
)
def test_the_root_is_the_address_without_its_page(url: str, root: str) -> None:
    assert shared.root_of(url, {"", "local", "compare"}) == root


def test_an_unknown_key_is_told_from_none() -> None:
    assert shared.leads_on({"s": "zzzzzz"})
    assert shared.leads_on({"lesson": "gap"})
    assert not shared.leads_on(SETTINGS)
    assert shared.linked_page({"s": "zzzzzz"}, ShortLinks()) is None
