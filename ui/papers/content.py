"""What the browser gets of the Papers page: the wall and one card."""

from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from time import sleep
from typing import Any

from papers.experiment import Experiment
from papers.registry import BY_KEY, EXPERIMENTS
from ui.papers import card as cards
from ui.papers import text
from ui.papers.card import Card
from ui.papers.figures import card_charts, stored_charts
from ui.papers.measurements import LiveRun, counted, stored
from ui.papers.query import PapersSettings
from ui.papers.theorems import theorems_markup
from ui.papers.wall import filters_markup, predict_markup, wall_markup
from ui.text.chart_words import CHART_WORDS


@dataclass(frozen=True)
class Screen:
    """What is on the screen: settings, a run of the reader's own, and whether ours is hidden."""

    settings: PapersSettings
    run: LiveRun | None = None
    hidden: bool = False

    @property
    def experiment(self) -> Experiment:
        """The card's experiment at its chosen settings."""
        return self.run.experiment if self.run is not None else self.settings.experiment

    @property
    def card(self) -> Card:
        """The card; until a run is complete its words are those of the stored one."""
        own, one = self.run, self.experiment
        done = own is not None and own.complete
        results = None if self.hidden else stored(self.settings.experiment)
        if done and own is not None and not self.hidden:
            results = own.whole
        return Card(
            one,
            results,
            seed=own.seed if own is not None and done else 0,
            own=done,
            changed=done and bool(self.settings.at),
            version=_version(),
        )


def page_content(screen: Screen) -> dict[str, Any]:
    """Return what the page's component draws."""
    settings, card, run = screen.settings, screen.card, screen.run
    one = screen.experiment
    share = run.share if run is not None else 1.0
    if card.own or screen.hidden or one is not settings.experiment:
        head, words = cards.card_head(card), cards.words_markup(card)
    else:
        head, words = _stored_words(settings.figure)
    return {
        "id": f"{settings.figure} {settings.at} {settings.seed} {screen.hidden}",
        "stage": int(share * 1000),
        "share": share,
        "complete": share >= 1,
        "progress": text.running(share),
        "answer": text.headline(counted()),
        "filters": filters_markup(settings),
        "predict": predict_markup(settings),
        "wall": wall_markup(),
        "shown": [each.key for each in EXPERIMENTS if settings.shows(each)],
        "veiled": not settings.reveal,
        "figure": settings.figure,
        "head": head,
        "question": one.asks,
        "grid": cards.card_charts_markup(card),
        "charts": charts(screen),
        "notes": cards.notes(card),
        "words": words,
        "chips": cards.settings_markup(one),
        "actions": cards.actions_markup(card),
        "theorems": theorems_markup(),
        "settings": text.settings_line(one),
        "skip": CHART_WORDS["skip"],
    }


@cache
def _stored_words(key: str) -> tuple[str, str]:
    """Return head and words of a card as it is stored: its sentences are decided once."""
    card = Card(BY_KEY[key], stored(BY_KEY[key]))
    return cards.card_head(card), cards.words_markup(card)


def prepare_cards(rest: float) -> None:
    """Make what every stored card shows, which is then there at once; rests between two cards.

    Parameters
    ----------
    rest
        Seconds in which others may answer.
    """
    for key in BY_KEY:
        stored_charts(key, True)
        _stored_words(key)
        sleep(rest)


def charts(screen: Screen) -> list[dict[str, Any]]:
    """Return the card's charts, with a run of the reader's own over the stored one.

    At settings of the reader's own that run stands alone: the stored one is of other settings.
    """
    settings, run = screen.settings, screen.run
    if screen.hidden or run is None:
        return list(stored_charts(settings.figure, not screen.hidden))
    if settings.at:
        return card_charts(run.experiment, run.whole if run.complete else run.results)
    return card_charts(run.experiment, stored(run.experiment), run.results)


@cache
def _version() -> str:
    try:
        return version("dpca")
    except PackageNotFoundError:
        return text.CHECKOUT
