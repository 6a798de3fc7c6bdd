"""What the browser gets of the Papers page: the wall and one card."""

from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from papers.card import Card, Run
from papers.registry import CARDS
from ui.figures.markup import sentences
from ui.papers import card as cards
from ui.papers import text
from ui.papers.card import CardView
from ui.papers.figures import card_charts, stored_charts
from ui.papers.measurements import counted, recorded
from ui.papers.query import PapersSettings
from ui.papers.theorems import theorems_markup
from ui.papers.wall import filters_markup, predict_markup, wall_markup
from ui.text.chart_words import CHART_WORDS

SAID = ("answer", "question", "progress", "trouble")
"""Names of the sentences in a content."""


@dataclass(frozen=True)
class Screen:
    """What is on the screen: settings, a run of the reader's own, and whether ours is hidden."""

    settings: PapersSettings
    run: Run | None = None
    hidden: bool = False

    @property
    def card(self) -> Card:
        """The card at its chosen settings."""
        return self.run.card if self.run is not None else self.settings.card

    @property
    def view(self) -> CardView:
        """What is shown of it; until a run is complete its words are those of the stored one."""
        own, one = self.run, self.card
        done = own is not None and own.complete
        results = None if self.hidden else self.settings.card.stored
        if done and own is not None and not self.hidden:
            results = own.whole
        return CardView(
            one,
            results,
            seed=own.seed if own is not None and done else 0,
            own=done,
            changed=done and bool(self.settings.at),
            version=_version(),
        )


def page_content(screen: Screen) -> dict[str, Any]:
    """Return what the page's component draws."""
    settings = screen.settings
    as_stored = screen.run is None and not screen.hidden
    shown = stored_card(settings.figure) if as_stored else _card_content(screen)
    return shown | {
        "id": _identity(screen),
        "answer": text.headline(counted(), len(recorded())),
        "filters": filters_markup(settings),
        "predict": predict_markup(settings),
        "wall": wall_markup(),
        "shown": [each.key for each in CARDS if settings.shows(each)],
        "veiled": not settings.reveal,
        "theorems": theorems_markup(),
        "skip": CHART_WORDS["skip"],
    }


def sent_content(content: dict[str, Any]) -> dict[str, Any]:
    """Return content as it goes to the browser: its sentences are markup."""
    return content | sentences({name: content[name] for name in SAID if name in content})


def _identity(screen: Screen) -> str:
    settings = screen.settings
    return f"{settings.figure} {settings.at} {settings.seed} {screen.hidden}"


def _card_content(screen: Screen) -> dict[str, Any]:
    """Return what is drawn of the card alone."""
    view, run, one = screen.view, screen.run, screen.card
    share = run.share if run is not None else 1.0
    return {
        "id": _identity(screen),
        "stage": int(share * 1000),
        "share": share,
        "complete": share >= 1,
        "progress": text.running(share),
        "figure": screen.settings.figure,
        "head": cards.card_head(view),
        "question": one.asks,
        "grid": cards.card_charts_markup(view),
        "charts": charts(screen),
        "notes": cards.notes(view),
        "words": cards.words_markup(view),
        "chips": cards.settings_markup(one),
        "actions": cards.actions_markup(view),
        "settings": text.settings_line(one),
    }


@cache
def stored_card(key: str) -> dict[str, Any]:
    """Return what is drawn of a card as it is stored: its sentences are decided once."""
    return _card_content(Screen(PapersSettings(key)))


def charts(screen: Screen) -> list[dict[str, Any]]:
    """Return the card's charts, with a run of the reader's own over the stored one.

    At settings of the reader's own that run stands alone: the stored one is of other settings.
    """
    settings, run = screen.settings, screen.run
    if screen.hidden or run is None:
        return list(stored_charts(settings.figure, not screen.hidden))
    if settings.at:
        return card_charts(run.card, run.whole if run.complete else run.table)
    return card_charts(run.card, run.card.stored, run.table)


@cache
def _version() -> str:
    try:
        return version("dpca")
    except PackageNotFoundError:
        return text.CHECKOUT
