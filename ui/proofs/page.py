"""The Proofs page: the documents that prove what the other pages say."""

import streamlit as st

from ui.text.documents import DOCUMENTS, text_of, title_of
from ui.widgets.navigation import ensure_navigation

STYLE = """<style>.st-key-proof, .st-key-document {max-width: 50rem}
.st-key-proof p {line-height: 1.6}
.st-key-proof .katex {font-size: 1.1em}
.st-key-proof .katex-display {overflow: auto hidden}
@media (max-width: 640px) {.st-key-proof .katex-display {font-size: .92em}}
</style>"""


def draw_page() -> None:
    """Draw the menu of documents and the chosen one, which the address names."""
    ensure_navigation()
    st.html(STYLE)
    st.session_state.setdefault("document", _document_of_address())
    name = st.selectbox("Document", DOCUMENTS, format_func=title_of, key="document")
    st.query_params["document"] = name
    with st.container(key="proof"):
        st.markdown(text_of(name))


def _document_of_address() -> str:
    """Document that the address names, else the first."""
    name = st.query_params.get("document", "")
    return name if name in DOCUMENTS else DOCUMENTS[0]
