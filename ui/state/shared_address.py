"""The address that a room is given for what is on the screen, and the same as a code."""

import ipaddress
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit

import segno
from streamlit.runtime.scriptrunner import get_script_run_ctx

from sample_data import source_of
from ui.state.session import PRESENT, THEME
from ui.text.navigation import PAGE_TITLES

NOT_SHARED = (PRESENT, THEME, "told", "notes")
"""What those who follow do not get: the room's view, a lesson's answer, its teacher's notes."""
MOST_TYPED = 38
"""Letters of an address that somebody types; of a longer one the page's is shown."""
THIS_COMPUTER_ONLY = "This address works on this computer only"
THIS_SESSION_ONLY = "Tables of your own are in this session only: there is no address to share"
GUIDE = "proofs?document=deploy"
"""Address of the deployment guide, from any page."""
CODE_NAME = "QR code of this address"


class SharedAddress(NamedTuple):
    """What a room is given: an address, what is shown of it, and its code as SVG markup.

    Without its scheme, and without the settings, which the code has, where it is too long to be
    typed; or, where nobody else could open it, the sentence that says why there is none.
    """

    url: str | None
    text: str
    qr: str


def shared_address(page: str, query: Mapping[str, str]) -> SharedAddress:
    """Return the address of a page, by its name, as this visitor's browser has it."""
    context = get_script_run_ctx()
    info = context.context_info if context is not None else None
    return address_beside(info.url if info is not None else "", page, query)


def address_beside(shown: str, page: str, query: Mapping[str, str]) -> SharedAddress:
    """Return the address of a page, from the one that a browser shows, of any page.

    Streamlit's own ``st.context.url`` takes the end of a host such as ``class.local`` for a page.
    """
    at = urlsplit(shown)
    if is_loopback(at.hostname or "localhost"):
        return SharedAddress(None, THIS_COMPUTER_ONLY, "")
    shared = {name: value for name, value in query.items() if name not in NOT_SHARED}
    if "data" in shared and source_of(shared["data"]) is None:
        return SharedAddress(None, THIS_SESSION_ONLY, "")
    path = at.path.rstrip("/")
    folder, _, last = path.rpartition("/")
    base = folder if last in PAGE_TITLES else path
    url = f"{at.scheme}://{at.netloc}{base}/{page}?{urlencode(shared)}".rstrip("?")
    text = url.partition("://")[2]
    typed = text if len(text) <= MOST_TYPED else text.partition("?")[0]
    return SharedAddress(url, typed, qr_code(url))


def is_loopback(host: str) -> bool:
    """Tell whether a host's name means the computer of whoever asks, or no computer at all."""
    with suppress(ValueError):
        address = ipaddress.ip_address(host)
        return address.is_loopback or address.is_unspecified
    return host == "localhost" or host.endswith(".localhost")


@lru_cache(maxsize=64)
def qr_code(address: str) -> str:
    """Return a QR code, black on white in every theme, as wide as its place."""
    # A code is restored of which 15 % cannot be read.
    code = segno.make_qr(address, error="m")
    # Around it are four white modules, as ISO/IEC 18004 (section 9.1) asks for.
    markup = code.svg_inline(dark="#000", light="#fff", border=4, omitsize=True, svgclass="dpca-qr")
    return str(markup).replace("<svg ", f'<svg role="img" aria-label="{CODE_NAME}" ', 1)
