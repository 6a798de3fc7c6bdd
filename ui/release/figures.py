"""Pictures of the Release page, as markup: the account's bar, shares, three steps, the preview."""

from collections.abc import Sequence

from ui.figures.markup import element, sentence
from ui.release import account_text, text
from ui.release.measurements import Spent


def card_title(number: int, title: str) -> str:
    """Return the head of a numbered card."""
    return element("h2", element("span", str(number)), sentence(title), class_="release-title")


def headline() -> str:
    """Return the page's first lines."""
    lead = element("p", sentence(text.LEAD), class_="release-lead")
    return element("h1", sentence(text.HEADLINE), class_="release-headline") + lead


def paragraph(words: str, kind: str = "release-note") -> str:
    """Return a sentence with ``**bold**`` words; "" for none."""
    return element("p", sentence(words), class_=kind) if words else ""


def account_bar(spent: Spent) -> str:
    """Return an account as a bar: spent, this plan, left."""
    rest = max(0.0, 1 - spent.before)
    planned = rest if spent.exceeds else min(spent.planned, rest)
    parts = [
        element("i", class_="is-spent", style=_width(spent.before)),
        element("i", class_="is-over" if spent.exceeds else "is-planned", style=_width(planned)),
    ]
    label = account_text.bar_label(spent)
    return element("div", *parts, class_="release-bar", role="img", aria_label=label)


def preview_table(rows: Sequence[tuple[str, str]]) -> str:
    """Return the public preview."""
    lines = [
        element("tr", element("th", sentence(what), scope="row"), element("td", sentence(much)))
        for what, much in rows
    ]
    return element("table", element("tbody", *lines), class_="release-preview")


def steps(states: Sequence[tuple[str, str]]) -> str:
    """Return the three steps of a release that is being made."""
    lines = [
        element(
            "li",
            sentence(name),
            class_=f"is-{state}",
            aria_current="step" if state == "now" else None,
        )
        for name, state in states
    ]
    note = element("p", sentence(text.RUNNING), class_="release-note")
    return element("ol", *lines, class_="release-steps", role="status") + note


def _width(share: float) -> str:
    return f"width: {100 * min(max(share, 0.0), 1.0):.2f}%"
