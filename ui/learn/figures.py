"""What the browser gets of a lesson's pictures and of its control."""

from typing import Any

from ui.learn import text
from ui.learn.fields import fill
from ui.learn.lesson import Control, Guess, Picture

_PER_CENT = 100.0
_STEPS = 100


def picture(drawn: Picture, place: int) -> dict[str, Any]:
    """Return a picture's content.

    Parameters
    ----------
    place
        Its number among those of the lesson, from 0: a guess on it keeps this name.
    """
    found: dict[str, Any] = {"title": drawn.title, "caption": drawn.caption, "place": place}
    if drawn.figure is not None:
        found["figure"] = drawn.figure
    else:
        found |= {"markup": drawn.markup} | ({"narrow": drawn.narrow} if drawn.narrow else {})
    return found | ({"guess": guess(drawn.guess, drawn.title)} if drawn.guess else {})


def guess(asked: Guess, title: str) -> dict[str, Any]:
    """Return a guess's content: its scale, its steps, and how its values are said.

    Shares, whose unit is per cent, are said times 100.
    """
    share = asked.unit.strip() == "%" and asked.high <= 1
    degrees = asked.kind == "needle"
    return {
        "kind": asked.kind,
        "low": asked.low,
        "high": asked.high,
        "start": asked.start,
        "step": 1.0 if degrees else (asked.high - asked.low) / _STEPS,
        "factor": _PER_CENT if share else 1.0,
        "unit": asked.unit,
        "label": text.GUESS.format(title=title),
        "hint": text.DRAG,
    }


def stop_words(control: Control, index: int) -> str:
    """Return a stop as its axis says it."""
    stop = control.stops[index]
    return fill(f"{{stop:{control.spec}}}", {"stop": stop}) if control.spec != "{}" else str(stop)


def named_stop(control: Control, index: int) -> str:
    """Return a stop with what it is, as the handle says it: "ε = 0.1" or "people: 5,912"."""
    joint = " = " if len(control.label) == 1 else ": "
    return f"{control.label}{joint}{stop_words(control, index)}"


def control_content(control: Control, index: int) -> dict[str, Any]:
    """Return a control's content, standing at a stop."""
    stops = range(len(control.stops))
    return {
        "label": control.label,
        "index": index,
        "texts": [stop_words(control, i) for i in stops],
        "named": [named_stop(control, i) for i in stops],
        "low": control.low,
        "high": control.high,
        "before": control.before,
    }
