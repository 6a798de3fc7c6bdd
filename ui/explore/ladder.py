"""The list of the ε that each mechanism needs: legend, inverse question and switch in one."""

from html import escape
from math import inf, log10
from typing import Any

from ui.explore.chart_words import EXPLORE_WORDS
from ui.page.markup import element, role_style

ROOM_ROWS = 6
"""Rows that a room reads: the best of each family."""
NOWHERE = 9.0
"""Logarithm of ε, beyond every axis, at which a mechanism stands that is not shown to do it."""


def ranked_rows(mechanisms: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the measured mechanisms by the ε that they need; no baselines."""
    shown = [m for m in mechanisms if m["measured"] and not m["is_baseline"]]
    return sorted(shown, key=lambda m: (inf if m["needed"] is None else m["needed"], m["name"]))


def room_keys(mechanisms: list[dict[str, Any]]) -> list[str]:
    """Return which mechanisms a room sees: the best of each family, and always the chosen one."""
    rows = ranked_rows(mechanisms)
    best: dict[str, dict[str, Any]] = {}
    for row in sorted(rows, key=lambda row: not row["chosen"]):
        best.setdefault(row["color"], row)
    shown = [row for row in rows if best[row["color"]] is row]
    kept = sorted(shown, key=lambda row: not row["chosen"])[:ROOM_ROWS]
    baseline = [m["key"] for m in mechanisms if m["chosen"] and m["is_baseline"]]
    return [*baseline, *(row["key"] for row in shown if row in kept)]


def ladder_markup(mechanisms: list[dict[str, Any]]) -> str:
    """Return a button for each mechanism; the style sheet places it by the logarithm of its ε."""
    shown = set(room_keys(mechanisms))
    return "".join(_row(row, in_room=row["key"] in shown) for row in ranked_rows(mechanisms))


def _row(mechanism: dict[str, Any], *, in_room: bool) -> str:
    name, needed = mechanism["name"], mechanism["needed"]
    if not mechanism["ranked"]:
        name = EXPLORE_WORDS["not_ranked"].format(name=name)
    label = f"{name}\u2002{mechanism['needed_text']}"
    value = element("span", escape(f"\u2002{mechanism['needed_text']}"), class_="dpca-needed")
    at = NOWHERE if needed is None else log10(needed)
    width = 2.75 if mechanism["chosen"] else 1.8
    line = element(
        "line",
        x2=22,
        y1=3,
        y2=3,
        stroke_width=width,
        stroke_dasharray=None
        if mechanism["dash"] == "solid"
        else mechanism["dash"].replace("px", ""),
    )
    return element(
        "button",
        "" if needed is None else element("i"),
        element("svg", line, width=22, height=6, aria_hidden="true"),
        element("s" if mechanism["standing"] == "refuted" else "span", escape(name), value),
        type="button",
        class_="dpca-row",
        aria_pressed=str(mechanism["chosen"]).lower(),
        aria_label=EXPLORE_WORDS["choose"].format(label=label),
        data_say="mechanism",
        data_value=mechanism["key"],
        data_needed=needed if mechanism["ranked"] else None,
        data_room=in_room or None,
        style=f"--at: {at:.4f}; {role_style(mechanism['color'])}",
    )
