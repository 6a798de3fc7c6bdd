"""The rule on Explore and Compare: no answer takes back a move that it cannot know of."""

import pytest

from tests.frontend.conftest import Call

HEARD = {"heard": 1000.0}


@pytest.mark.parametrize(
    ("view", "ahead"),
    [
        ({"data": HEARD}, False),
        ({"data": HEARD, "dragging": True}, True),
        ({"data": HEARD, "resting": 7}, True),
        ({"data": HEARD, "putAt": 1001}, True),
        ({"data": HEARD, "putAt": 1000}, False),
    ],
    ids=["at rest", "dragged", "a key not told yet", "told, and not heard yet", "heard"],
)
def test_an_answer_moves_the_rule_only_where_it_knows_its_place(
    in_module: Call, view: dict[str, object], ahead: bool
) -> None:
    assert in_module("charts/rule.js", "return m.ahead(x)", view) is ahead
