"""Short links: what a key stands for, how many are kept, and several threads at once."""

import re
from concurrent.futures import ThreadPoolExecutor

from ui.state.short_links import KEY_LENGTH, KEY_LETTERS, LinkedPage, ShortLinks


def numbered(number: int) -> LinkedPage:
    return LinkedPage.of("explore", {"seed": str(number)})


def test_a_key_leads_back_to_its_page_and_settings() -> None:
    links = ShortLinks()
    linked = LinkedPage.of("compare", {"epsilon": "0.5", "data": "rand"})
    assert links.find(links.keep(linked)) == linked
    assert dict(linked.query) == {"epsilon": "0.5", "data": "rand"}


def test_keys_are_six_letters_and_none_is_given_twice() -> None:
    links = ShortLinks()
    keys = {links.keep(numbered(i)) for i in range(500)}
    assert len(keys) == 500
    assert all(re.fullmatch(f"[{KEY_LETTERS}]{{{KEY_LENGTH}}}", key) for key in keys)


def test_the_same_screen_keeps_its_key_however_its_settings_are_ordered() -> None:
    links = ShortLinks()
    first = links.keep(LinkedPage.of("explore", {"k": "2", "epsilon": "1"}))
    assert links.keep(LinkedPage.of("explore", {"epsilon": "1", "k": "2"})) == first
    assert len(links) == 1


def test_of_too_many_the_oldest_are_dropped() -> None:
    links = ShortLinks(most=3)
    keys = [links.keep(numbered(i)) for i in range(5)]
    assert [links.find(key) for key in keys] == [None, None, *map(numbered, range(2, 5))]
    assert links.keep(numbered(0)) != keys[0]
    assert len(links) == 3


def test_an_unknown_key_leads_nowhere() -> None:
    assert ShortLinks().find("bcdfgh") is None


def test_threads_that_keep_the_same_screens_agree_on_their_keys() -> None:
    links = ShortLinks(most=50)
    with ThreadPoolExecutor(8) as threads:
        keys = list(threads.map(lambda i: links.keep(numbered(i % 40)), range(800)))
    assert len(links) == 40
    assert all(links.find(key) == numbered(i % 40) for i, key in enumerate(keys))
