"""The Proofs page: the documents that prove what the other pages say."""

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from ui.state import query_params, session
from ui.state.widget_keys import widget_key
from ui.text.documents import DOCUMENTS, text_of, title_of
from ui.widgets.navigation import start_page


@dataclass(frozen=True)
class ProofsSettings:
    """Which document is shown, by its name in the address."""

    document: str = DOCUMENTS[0]

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> "ProofsSettings":
        """Read a link; a document that does not exist becomes the first."""
        return query_params.read_settings(cls(), query, lambda _, name: name in DOCUMENTS)

    def to_query(self) -> dict[str, str]:
        """Write a link."""
        return {"document": self.document}


def draw_page() -> None:
    """Draw the menu of documents and the chosen one, which the address names."""
    start_page(ProofsSettings)
    now = session.page_settings(ProofsSettings)
    name = st.selectbox(
        "Document",
        DOCUMENTS,
        DOCUMENTS.index(now.document),
        format_func=title_of,
        key=widget_key("document"),
    )
    session.write_address(session.change_page_settings(now, document=name))
    query_params.show_replaced()
    with st.container(key="proof"):
        st.markdown(text_of(name))
