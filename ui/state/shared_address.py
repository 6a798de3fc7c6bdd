"""The address that a room is given for what is on the screen, and the same as a code."""

import ipaddress
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

from streamlit.runtime.scriptrunner import get_script_run_ctx

from sample_data import source_of
from ui.state.qr_code import qr_code
from ui.state.query_params import PRESENT, THEME

NOT_SHARED = (PRESENT, THEME, "told", "notes")
"""What those who follow do not get: the room's view, a lesson's answer, its teacher's notes."""

MOST_TYPED = 38
"""Letters of an address that somebody types; of a longer one the page's is shown."""

THIS_COMPUTER_ONLY = "This address works on this computer only"
THIS_SESSION_ONLY = "Tables of your own are in this session only: there is no address to share"
GUIDE = "proofs?document=deploy"
"""Address of the deployment guide, from any page."""


@dataclass(frozen=True)
class SharedAddress:
    """What a room is given.

    Attributes
    ----------
    url
        The whole address; None where nobody else could open it.
    text
        The address without its scheme; without the settings, which the code has, where it is too
        long to be typed; or the sentence that says why there is none.
    qr
        The address as SVG markup, black on white; empty where there is none.
    """

    url: str | None
    text: str
    qr: str


def shared_address(page: str, query: Mapping[str, str]) -> SharedAddress:
    """Return the address of a page with these settings, as this visitor sees the server.

    Parameters
    ----------
    page
        Its name in the navigation.
    query
        Of its address. Without data that are built in, nobody else could open it.
    """
    return address_at(_root(), page, query)


def address_at(root: str | None, page: str, query: Mapping[str, str]) -> SharedAddress:
    """Return an address below the root of a server, such as ``https://dpca.example/``."""
    if root is None or is_loopback(urlsplit(root).hostname or ""):
        return SharedAddress(None, THIS_COMPUTER_ONLY, "")
    shared = {name: value for name, value in query.items() if name not in NOT_SHARED}
    if "data" in shared and source_of(shared["data"]) is None:
        return SharedAddress(None, THIS_SESSION_ONLY, "")
    url = f"{root.rstrip('/')}/{page}?{urlencode(shared)}".rstrip("?")
    text = url.partition("://")[2]
    return SharedAddress(
        url, text if len(text) <= MOST_TYPED else text.partition("?")[0], qr_code(url)
    )


def is_loopback(host: str) -> bool:
    """Tell whether a host's name means the computer of whoever asks, or no computer at all."""
    if host in ("", "localhost") or host.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


def root_of(url: str, pages: Collection[str]) -> str:
    """Return the address of a server's start page, from that of any of its pages.

    Streamlit's own ``st.context.url`` takes the end of a host such as ``class.local`` for a page.
    """
    parts = urlsplit(url)
    folder, _, last = parts.path.rstrip("/").rpartition("/")
    path = folder if last in pages else parts.path.rstrip("/")
    return f"{parts.scheme}://{parts.netloc}{path}/"


def _root() -> str | None:
    """Return the start page's address as the visitor's browser has it."""
    context = get_script_run_ctx()
    if context is None or context.context_info is None or not context.context_info.url:
        return None
    pages = {page["url_pathname"] for page in context.pages_manager.get_pages().values()}
    return root_of(context.context_info.url, pages)
