"""The charts of a card: one for each panel, and two for a table that is too long for one."""

from dataclasses import dataclass

from papers.card import Card
from ui.papers.styles import is_chance

MOST_ROWS = 26
"""Rows of a chart; a longer table stands in two beside each other."""


@dataclass(frozen=True)
class Part:
    """A chart.

    Attributes
    ----------
    key
        Of its section.
    places
        Of the panel's places, those that it shows; () for all.
    title
        The first and the last of them; "" for all.
    """

    key: str
    panel: int
    places: tuple[float, ...] = ()
    title: str = ""


def parts_of(card: Card) -> tuple[Part, ...]:
    """Return the charts of a card, whatever is shown in them."""
    found = list[Part]()
    for number, panel in enumerate(card.panels):
        axis, key = panel.x, f"{card.key}-{number}"
        rows = sum(not is_chance(s) for s in panel.series)
        long = bool(axis.names) and len(axis.names) * (rows + (rows > 1)) > MOST_ROWS
        if not long or len(axis.names) == 1:
            found.append(Part(key, number))
            continue
        middle = (len(axis.values) + 1) // 2
        for name, half in (("a", slice(middle)), ("b", slice(middle, None))):
            first, *_, last = (*axis.names[half], axis.names[half][-1])
            title = first if first == last else f"{first} – {last}"
            found.append(Part(f"{key}{name}", number, axis.values[half], title))
    return tuple(found)
