"""What *Decide* writes into the address, and takes from it: public answers, if they are any.

What somebody typed that is no answer stays out: it could be anything, the name of a column too.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ui.owner.decide_answers import MOST_TYPED, Card, answers_of
from ui.owner.draft import Draft

_FIELDS = {
    "people": "people_guess",
    "shares": "shares",
    "epsilon": "epsilon",
    "delta": "delta",
    "chosen": "chosen",
}
"""Names in the address, and fields of the draft."""

_CARDS = frozenset(Card)


def to_query(draft: Draft) -> dict[str, str]:
    """Return the answers that are some, as the owner typed them."""
    answers = answers_of(draft)
    wrong = {"epsilon" if name in _CARDS else name for name in answers.errors}
    texts = {name: getattr(draft, field).strip() for name, field in _FIELDS.items()}
    if answers.chosen is None:
        wrong.add("chosen")
    return {name: text for name, text in texts.items() if text and name not in wrong}


def from_query(draft: Draft, query: Mapping[str, str]) -> Draft:
    """Take the answers of a link where the draft has none yet."""
    found: dict[str, Any] = {
        field: query[name][:MOST_TYPED]
        for name, field in _FIELDS.items()
        if name in query and not getattr(draft, field)
    }
    return replace(draft, **found) if found else draft
