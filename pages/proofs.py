"""Proofs: the documents that prove what the other pages say."""

import streamlit as st

from ui.text.documents import DOCUMENTS, text_of, title_of
from ui.widgets.navigation import ensure_navigation

WIDTH = """<style>.st-key-proof, .st-key-document {max-width: 50rem}
.st-key-proof p {line-height: 1.6}
.st-key-proof .katex {font-size: 1.1em}
.st-key-proof .katex-display {overflow: auto hidden}
@media (max-width: 640px) {.st-key-proof .katex-display {font-size: .92em}}
</style>"""


def chosen() -> str:
    """Document in the address, else the first."""
    wanted = st.query_params.get("document", "")
    return wanted if wanted in DOCUMENTS else DOCUMENTS[0]


ensure_navigation()
st.html(WIDTH)
st.session_state.setdefault("document", chosen())
name = st.selectbox("Document", DOCUMENTS, format_func=title_of, key="document")
st.query_params["document"] = name
with st.container(key="proof"):
    st.markdown(text_of(name))
