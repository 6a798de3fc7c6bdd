"""The address that a room is given for what is on the screen: short enough to type, and as a code.

``/?lesson=gap`` opens a lesson, ``/?s=bcdfgh`` any screen of built-in data; both are addresses of
the start page, which leads on (``ui.widgets.shared_links``).
"""

import ipaddress
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from streamlit.runtime.scriptrunner import get_script_run_ctx

from sample_data import source_of
from ui.figures.qr_code import qr_code
from ui.state.query_params import PRESENT, THEME
from ui.state.short_links import SHORT_LINKS, LinkedPage, ShortLinks

KEY, LESSON, LESSONS = "s", "lesson", "learn"
"""Names in the start page's address: of a short link's key, of a lesson; and the lessons' page."""

NOT_SHARED = (PRESENT, THEME, "told", "notes")
"""What those who follow do not get: the room's view, a lesson's answer, its teacher's notes."""

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
        The address without its scheme, or the sentence that says why there is none.
    qr
        The address as SVG markup, black on white; empty where there is none.
    """

    url: str | None
    text: str
    qr: str


def shared_address(page: str, query: Mapping[str, str]) -> SharedAddress:
    """Return the short address of a page with these settings, as this visitor sees the server.

    Parameters
    ----------
    page
        Its name in the navigation.
    query
        Of its address. Without data that are built in, nobody else could open it.
    """
    return address_at(_root(), page, query)


def address_at(
    root: str | None, page: str, query: Mapping[str, str], links: ShortLinks = SHORT_LINKS
) -> SharedAddress:
    """Return the short address below the root of a server, such as ``https://dpca.example/``."""
    if root is None or is_loopback(urlsplit(root).hostname or ""):
        return SharedAddress(None, THIS_COMPUTER_ONLY, "")
    shared = {name: value for name, value in query.items() if name not in NOT_SHARED}
    if "data" in shared and source_of(shared["data"]) is None:
        return SharedAddress(None, THIS_SESSION_ONLY, "")
    if page == LESSONS and shared.keys() == {LESSON}:
        short = f"{LESSON}={quote(shared[LESSON])}"
    else:
        short = f"{KEY}={links.keep(LinkedPage.of(page, shared))}"
    url = f"{root.rstrip('/')}/?{short}"
    return SharedAddress(url, url.partition("://")[2], qr_code(url))


def linked_page(query: Mapping[str, str], links: ShortLinks = SHORT_LINKS) -> LinkedPage | None:
    """Return where an address of the start page leads on to; None where its key is unknown.

    Parameters
    ----------
    query
        Holds ``KEY`` or ``LESSON``.
    """
    if KEY in query:
        return links.find(query[KEY].strip().lower())
    return LinkedPage.of(LESSONS, query)


def leads_on(query: Mapping[str, str]) -> bool:
    """Tell whether an address of the start page stands for another one."""
    return KEY in query or LESSON in query


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
