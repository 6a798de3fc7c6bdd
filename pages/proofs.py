"""Proofs: what each mechanism claims and what holds, and the documents that prove it."""

import streamlit as st

from ui.documents import DOCUMENTS, claims_table, text_of, title_of
from ui.start import under_navigation

WIDTH = """<style>.st-key-proof {max-width: 50rem} .st-key-proof p {line-height: 1.6}
.st-key-proof .katex-display {overflow: auto hidden}
.st-key-claims {overflow-x: auto} .st-key-claims table {min-width: 44rem; font-size: .9rem}
</style>"""


def chosen() -> str:
    """Document in the address, else the first."""
    wanted = st.query_params.get("document", "")
    return wanted if wanted in DOCUMENTS else DOCUMENTS[0]


under_navigation()
st.html(WIDTH)
st.subheader("What is claimed and what holds")
st.markdown(
    "At ε = 1, δ = 10⁻⁶, one person added or removed, ten columns. Everything proved here is about "
    "real numbers and ideal randomness: floating point, the pseudo-random generator and timing are "
    "outside."
)
with st.container(key="claims"):
    st.markdown(claims_table())
st.subheader("Why")
st.session_state.setdefault("document", chosen())
name = st.selectbox("Document", DOCUMENTS, format_func=title_of, key="document")
st.query_params["document"] = name
with st.container(key="proof"):
    st.markdown(text_of(name))
