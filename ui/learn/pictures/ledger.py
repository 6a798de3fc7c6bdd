"""A ledger: rows of what was spent, or of what was found."""

from collections.abc import Sequence

from ui.page.markup import element, sentence


def ledger(rows: Sequence[tuple[str, str]], label: str) -> str:
    """Return a table of two columns, texts with **bold**."""
    lines = [
        element("tr", element("th", sentence(name), scope="row"), element("td", sentence(value)))
        for name, value in rows
    ]
    caption = element("caption", sentence(label))
    return element("table", caption, element("tbody", *lines), class_="learn-ledger")
