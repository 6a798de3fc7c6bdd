"""The frame of the table of columns, which the browser fills with rows."""

from html import escape

from ui.owner.text_columns import (
    AFRESH,
    DECIDE,
    FIND,
    HEADS,
    OFFER,
    TABLE,
    TABS,
    USE_THEM,
)
from ui.page.markup import button, element

NOT_HEADS = ("values", "message")
"""Cells under heads of others, or under none."""


def skeleton() -> str:
    """Return the markup: tabs, filter, offer, heads, room for rows, and the way on."""
    about = {"aria_label": TABLE, "spellcheck": "false"}
    return "".join(
        (
            element("div", *_tabs(), class_="dpca-tabs"),
            element("label", element("span", FIND), _find(), class_="dpca-find", hidden=True),
            element("div", *_offer(), class_="dpca-offer", data_part="offer", hidden=True),
            element("div", _heads(), _body(), class_="dpca-table", role="table", **about),
            element("datalist", id="dpca-scales", data_part="scales"),
            element("div", class_="dpca-end", data_part="end"),
            element("div", *_way_on(), class_="dpca-way-on"),
        )
    )


def _tabs() -> list[str]:
    quiet = {"class_": "dpca-tab", "aria_pressed": "false"}
    return [button(label, data_part=tab, **quiet) for tab, label in TABS.items()]


def _find() -> str:
    return element("input", type="search", data_part="find")


def _offer() -> tuple[str, ...]:
    return (
        element("span", OFFER),
        button(USE_THEM, data_part="use_them"),
        button(AFRESH, data_part="afresh"),
    )


def _heads() -> str:
    """Heads have the places of the cells below them; the last says what messages are."""
    shown = [name for name in HEADS if name not in NOT_HEADS]
    heads = [_head(name, escape(HEADS[name])) for name in shown]
    hidden = element("span", escape(HEADS["message"]), class_="dpca-unseen")
    row = element("div", *heads, _head("said", hidden), role="row", class_="dpca-heads")
    return element("div", row, role="rowgroup")


def _head(name: str, label: str) -> str:
    return element("span", label, role="columnheader", class_=f"dpca-cell dpca-{name}")


def _body() -> str:
    return element("div", role="rowgroup", data_part="body")


def _way_on() -> tuple[str, str]:
    """What is missing is a button to the first of it."""
    missing = element("button", type="button", class_="dpca-missing", data_part="missing")
    return missing, button(DECIDE, data_part="decide")
