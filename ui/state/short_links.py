"""Short links: a key of six letters for the settings of a screen, short enough to be typed."""

import secrets
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock

KEY_LETTERS = "bcdfghjkmnpqrstvwxz"
"""Consonants that are not taken for each other or for a digit: no key is a word."""

KEY_LENGTH = 6
"""Letters of a key: 47 million keys, of which nobody can guess the next."""

MOST_LINKS = 1000
"""Links kept; of more the oldest are dropped."""


@dataclass(frozen=True)
class LinkedPage:
    """A page with its settings.

    Attributes
    ----------
    page
        Its name in the navigation, such as "compare".
    query
        Of its address, sorted by name.
    """

    page: str
    query: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, page: str, query: Mapping[str, str]) -> "LinkedPage":
        """Return a page with the query of its address."""
        return cls(page, tuple(sorted(query.items())))


class ShortLinks:
    """Links by key, in memory until the server ends; several threads may ask at once.

    Parameters
    ----------
    most
        Links kept; of more the oldest are dropped.
    """

    def __init__(self, most: int = MOST_LINKS) -> None:
        self._most = most
        self._pages: OrderedDict[str, LinkedPage] = OrderedDict()
        self._keys: dict[LinkedPage, str] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        """Return how many are kept."""
        return len(self._pages)

    def keep(self, linked: LinkedPage) -> str:
        """Return the key of a page with its settings: the one that it has, or a new random one."""
        with self._lock:
            key = self._keys.get(linked)
            if key is None:
                key = self._new_key()
                self._pages[key], self._keys[linked] = linked, key
                while len(self._pages) > self._most:
                    _, oldest = self._pages.popitem(last=False)
                    del self._keys[oldest]
            return key

    def find(self, key: str) -> LinkedPage | None:
        """Return what a key stands for; None where it is unknown or was dropped."""
        with self._lock:
            return self._pages.get(key)

    def _new_key(self) -> str:
        while True:
            key = "".join(secrets.choice(KEY_LETTERS) for _ in range(KEY_LENGTH))
            if key not in self._pages:
                return key


SHORT_LINKS = ShortLinks()
"""Those of this server."""
