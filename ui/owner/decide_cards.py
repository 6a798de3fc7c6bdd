"""The pictures inside the cards of *Decide*, as markup: bars of directions, dots of guesses."""

from dpca_core.analysis.reliability import DirectionReliability, Reliability
from dpca_core.privacy.budget import Guarantee
from dpca_core.text.privacy_numbers import GUESSES, GUESSES_OF_A_COIN, whole_right_guesses
from ui.owner.text import level_label, say
from ui.page.markup import element, sentence
from ui.text.badges_and_odds import odds
from ui.text.published import PUBLISHED


def paragraph(words: str, kind: str) -> str:
    """Return a sentence with ``**bold**`` words as a paragraph of a class; "" of no words."""
    return element("p", sentence(words), class_=kind) if words else ""


def title(words: str, kind: str | None = None) -> str:
    """Return the title of a card or of a part beside the cards."""
    return element("h2", sentence(words), class_=kind)


def bar(direction: DirectionReliability) -> str:
    """Return the bar of a direction: simulated releases within 18°, and paler those within 32°."""
    is_known, level = direction.level is not Reliability.UNKNOWN, level_label(direction)
    kind = direction.level.name.lower() if is_known else "lost"
    fills = [
        element("i", class_=f"is-{kind}{pale}", style=f"width: {100 * share:.1f}%")
        for share, pale in ((direction.recognised, " is-pale"), (direction.held, ""))
    ]
    parts = [
        element("b", str(direction.number)),
        element("span", *fills, element("u"), class_="decide-track"),
        element("span", sentence(level), class_="decide-level"),
    ]
    row = {"reliable": "is-strong", "lost": "is-faint"}.get(kind)
    label = say("bar", number=direction.number, level=level, share=direction.held)
    shown = element("div", *parts, role="img", aria_label=label)
    return element("li", shown, class_=row)


def guess_dots(guarantee: Guarantee, one: str) -> str:
    """Return a hundred dots: a coin's fifty, those gained by a guesser at most, and the rest."""
    right = whole_right_guesses(guarantee.guess_probability())
    kinds = ["is-coin"] * GUESSES_OF_A_COIN + ["is-gained"] * (right - GUESSES_OF_A_COIN)
    dots = [element("i", class_=kind) for kind in kinds]
    dots += [element("i")] * (GUESSES - len(dots))
    label = odds(guarantee, one).replace("**", "")
    return element("div", *dots, class_="decide-dots", role="img", aria_label=label)


def release_steps(steps: list[tuple[str, str]]) -> str:
    """Return how a release will be made, as a numbered list."""
    lines = [element("li", sentence(what), element("p", sentence(why))) for what, why in steps]
    return element("ol", *lines, class_="decide-how")


def published_list() -> str:
    """Return what others published with."""
    lines = []
    for one in PUBLISHED:
        said = element("span", one.name, " ", element("em", one.unit))
        lines.append(element("li", element("b", one.epsilon_text), said))
    head = [title(say("why_title")), element("p", sentence(say("why_note")))]
    return element("section", *head, element("ul", *lines), class_="decide-published")
