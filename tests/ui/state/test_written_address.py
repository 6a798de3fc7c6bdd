"""The address that a page writes is sent where the browser may not have it."""

import pytest

from ui.state import query_params
from ui.state.query_params import WRITTEN, write_address


class Streamlit:
    """A session whose browser said its address with a request, and what is sent to it."""

    def __init__(self, address: dict[str, str], written: dict[str, str]) -> None:
        self.session_state = {WRITTEN: written} if written else {}
        self.query_params = self
        self.sent: list[dict[str, str]] = []
        self._address = address

    def to_dict(self) -> dict[str, str]:
        return self._address

    def from_dict(self, query: dict[str, str]) -> None:
        self.sent.append(query)


@pytest.mark.parametrize(
    ("address", "written", "sent"),
    [
        ({"k": "2"}, {}, False),
        ({"k": "2"}, {"k": "2"}, False),
        ({"k": "3"}, {"k": "2"}, True),
        # From k = 2 to 3 and back while the answer to the first is on its way: the browser had
        # not got k = 3 when it asked for 2.
        ({"k": "2"}, {"k": "3"}, True),
    ],
)
def test_an_address_is_sent_where_the_browser_may_have_another(
    monkeypatch: pytest.MonkeyPatch,
    address: dict[str, str],
    written: dict[str, str],
    sent: bool,
) -> None:
    session = Streamlit(address, written)
    monkeypatch.setattr(query_params, "st", session)
    write_address({"k": "2"})
    assert session.sent == [{"k": "2"}] * sent
    assert session.session_state[WRITTEN] == {"k": "2"}
