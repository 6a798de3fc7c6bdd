"""Every figure and table that is run again, in the order of the papers."""

from papers import chaudhuri, gonen, imtiaz, jiang, wang_xu
from papers.card import Card

CARDS: tuple[Card, ...] = (
    *chaudhuri.CARDS,
    *imtiaz.CARDS,
    *jiang.CARDS,
    *gonen.CARDS,
    *wang_xu.CARDS,
)
BY_KEY = {card.key: card for card in CARDS}
