"""The Proofs page: the documents that prove what the other pages say."""

from dataclasses import dataclass
from typing import Any, ClassVar

import streamlit as st

from ui.page.present import show_present
from ui.state import session
from ui.state.session import widget_key
from ui.state.settings import Addressed
from ui.text.documents import DOCUMENTS, text_of, title_of
from ui.widgets.start_page import start_page


@dataclass(frozen=True)
class ProofsSettings(Addressed):
    """Which document is shown, by its name in the address."""

    ALWAYS: ClassVar = ("document",)

    document: str = DOCUMENTS[0]

    @classmethod
    def allows(cls, name: str, value: Any) -> bool:  # noqa: D102
        return value in DOCUMENTS


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
    session.write_settings(session.change_page_settings(now, document=name))
    session.show_replaced()
    with st.container(key="proof"):
        st.markdown(text_of(name))
    show_present("proofs", "ArrowUp,ArrowDown,PageUp,PageDown, ")
