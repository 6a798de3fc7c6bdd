"""What the browser says of the Papers page, and how its settings change by it."""

from dataclasses import replace
from enum import StrEnum

from papers.card import Verdict
from papers.registry import BY_KEY
from ui.papers.card import MOST_CHOICES
from ui.papers.query import SEED_COUNT, PapersSettings, mechanisms_run


class Message(StrEnum):
    """Names of messages that change settings."""

    FIGURE = "figure"
    VERDICT = "verdict"
    USES = "uses"
    READY = "ready"
    PREDICT = "predict"
    CHOOSE = "choose"
    RUN = "run"


def changed(now: PapersSettings, message: Message, said: object) -> PapersSettings:
    """Return the settings after a message; a browser can send anything."""
    match message, said:
        case Message.FIGURE, str(key) if key in BY_KEY:
            return now.opened(key)
        case Message.VERDICT, str(verdict) if verdict in list(Verdict):
            return replace(now, verdict="" if now.verdict == verdict else verdict)
        case Message.USES, int(number) | float(number):
            return replace(now, uses=_mechanism(number))
        case Message.READY, bool(ready):
            return replace(now, ready=ready)
        case Message.PREDICT, bool(predict):
            return replace(now, reveal=not predict)
        case Message.CHOOSE, int(number) | float(number):
            return _chosen(now, number)
        case Message.RUN, "0":
            return replace(now, seed=0, at="")
        case Message.RUN, _ if now.experiment.live:
            return replace(now, seed=(now.seed + 1) % SEED_COUNT)
    return now


def _mechanism(number: float) -> str:
    """Return the key of the menu's entry of this number; "" for the first, and for none."""
    keys = ("", *mechanisms_run())
    return keys[int(number)] if 0 <= number < len(keys) else ""


def _chosen(now: PapersSettings, number: float) -> PapersSettings:
    """Return the settings after a choice on a card."""
    if not 0 <= number < MOST_CHOICES**2:
        return now
    place, choice = divmod(int(number), MOST_CHOICES)
    settings = now.experiment.settings
    if place >= len(settings) or choice >= len(settings[place].choices):
        return now
    return now.changed(settings[place].key, settings[place].choices[choice])
