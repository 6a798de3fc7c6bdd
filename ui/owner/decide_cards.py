"""The pictures inside the cards of *Decide*, as markup: bars of directions, dots of guesses."""

from dpca_core.analysis.reliability import DirectionReliability, Reliabilities, Reliability
from dpca_core.linalg.arrays import Array
from dpca_core.privacy.budget import Guarantee
from dpca_core.text.privacy_numbers import (
    GUESSES,
    GUESSES_OF_A_COIN,
    whole_right_guesses,
)
from ui.owner import decide_text as text
from ui.page.markup import element, sentence
from ui.text.odds import odds
from ui.text.published import PUBLISHED

MOST_BARS = 40
"""Directions whose expected shares are drawn, at most."""

_FILLS = {
    Reliability.RELIABLE: "reliable",
    Reliability.RECOGNISABLE: "recognisable",
    Reliability.TOGETHER: "together",
    Reliability.LOST: "lost",
    Reliability.UNKNOWN: "lost",
}


def public_rule(words: str, why: str, public: bool) -> str:
    """Return the line that says what this page depends on, with its rule at the left."""
    kind = "decide-public" if public else "decide-not-private"
    return element("p", element("b", sentence(words)), " ", sentence(why), class_=kind)


def card_name(name: str, chosen: bool) -> str:
    """Return the name of a card; the style sheet marks the one that is chosen."""
    kind = "decide-name is-chosen" if chosen else "decide-name"
    return element("h2", sentence(name), class_=kind)


def body(parts: list[str]) -> str:
    """Return the parts of a card one below the other."""
    return element("div", *parts, class_="decide-body")


def title(words: str) -> str:
    """Return the title of a part beside the cards."""
    return element("h2", sentence(words))


def spectrum_bars(shares: Array, named: int) -> str:
    """Return the expected spectrum (d,) as small bars, the named ones filled."""
    most = float(shares[0])
    bars = [
        element(
            "i",
            class_="is-named" if i < named else None,
            style=f"height: {max(6.0, 100 * share / most):.1f}%",
        )
        for i, share in enumerate(shares[:MOST_BARS].tolist())
    ]
    more = element("span", "…") if len(shares) > MOST_BARS else ""
    label = text.spectrum_label(shares, named)
    return element("div", *bars, more, class_="decide-spectrum", role="img", aria_label=label)


def direction_bars(planned: Reliabilities) -> str:
    """Return a bar for each direction: the share of simulated releases that hold it."""
    return element("ul", *map(_bar, planned.directions), class_="decide-bars")


def _bar(direction: DirectionReliability) -> str:
    """Return one bar: releases within 18°, and paler those within 32°."""
    kind = _FILLS[direction.level]
    fills = [
        element("i", class_=f"is-{kind}{pale}", style=f"width: {100 * share:.1f}%")
        for share, pale in ((direction.recognised, " is-pale"), (direction.held, ""))
    ]
    track = element("span", *fills, element("u"), class_="decide-track")
    words = element("span", sentence(text.level_label(direction)), class_="decide-level")
    reliable = direction.level is Reliability.RELIABLE
    lost = direction.level in (Reliability.LOST, Reliability.UNKNOWN)
    row = "is-strong" if reliable else "is-faint" if lost else None
    number = element("b", str(direction.number))
    label = text.bar_label(direction)
    return element(
        "li", element("div", number, track, words, role="img", aria_label=label), class_=row
    )


def guess_dots(guarantee: Guarantee, one: str) -> str:
    """Return a hundred dots: a coin's fifty, those gained by a guesser at most, and the rest."""
    right = whole_right_guesses(guarantee.guess_probability())
    kinds = ["is-coin"] * GUESSES_OF_A_COIN + ["is-gained"] * (right - GUESSES_OF_A_COIN)
    dots = [element("i", class_=kind) for kind in kinds]
    dots += [element("i")] * (GUESSES - len(dots))
    label = odds(guarantee, one).replace("**", "")
    return element("div", *dots, class_="decide-dots", role="img", aria_label=label)


def paragraph(words: str, kind: str) -> str:
    """Return a sentence with ``**bold**`` words as a paragraph of a class."""
    return element("p", sentence(words), class_=kind) if words else ""


def release_steps(steps: list[tuple[str, str]]) -> str:
    """Return how a release will be made, as a numbered list."""
    lines = [element("li", sentence(what), element("p", sentence(why))) for what, why in steps]
    return element("ol", *lines, class_="decide-how")


def published_list() -> str:
    """Return what others published with as a list, for narrow screens."""
    lines = [
        element(
            "li",
            element("b", one.epsilon_text),
            element("span", one.name, " ", element("em", one.unit)),
        )
        for one in PUBLISHED
    ]
    title, note = element("h2", text.WHY_TITLE), element("p", sentence(text.WHY_NOTE))
    advice = element("p", sentence(f"{text.ADVICE.capitalize()}."))
    return element("section", title, note, advice, element("ul", *lines), class_="decide-published")
