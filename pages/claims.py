"""Claims: what each paper promises, what holds, what it means, and an attack to see for oneself."""

from pathlib import Path

import streamlit as st

from dpca_core.analysis.claims import claims
from dpca_core.mechanisms.registry import MECHANISMS
from ui.claims import audit as claims_audit
from ui.claims import inference_risk, refutation
from ui.claims.controls import change, choose
from ui.claims.table import headline, table
from ui.state import query_params
from ui.widgets.navigation import ensure_navigation

SHEET = Path(__file__).resolve().parents[1] / "ui" / "widgets" / "css" / "claims.css"

ensure_navigation()
st.html(SHEET)
asked = choose()
query_params.show_replaced()
rows = claims(asked.problem, asked.budget)
st.html(
    f'<div class="claims"><p class="answer">{headline(rows, asked.budget)}</p>'
    '<p class="under">Ring: what the paper claims. Dot: what is proved to hold. Cross: '
    "nothing holds. Proofs assume exact arithmetic and perfect randomness: floating point, the "
    "pseudo-random generator and timing are outside.</p>"
    '<p class="jump"><a href="#absent">A proof of absence</a> <a href="#person">What it means</a> '
    '<a href="#attack">An attack</a></p>'
    f"{table(rows, asked.budget)}</div>"
)
refutation.draw(asked)
st.html('<div class="claims"><h2 id="person">What it means to one person</h2></div>')
keys = list(MECHANISMS)
mechanism = st.selectbox(
    "Mechanism",
    keys,
    keys.index(asked.mechanism),
    format_func=lambda key: MECHANISMS[key].name,
    key="claims.mechanism",
    width=300,
)
asked = change(mechanism=str(mechanism))
inference_risk.draw(asked)
st.html(
    f'<div class="claims"><h2 id="attack">Attack {MECHANISMS[asked.mechanism].name}</h2>'
    '<p class="under">Two data sets that differ in one person, thousands of releases of each, and '
    "an attacker who tries to tell which is which. If he does better than ε and δ allow, the "
    "promise is broken.</p></div>"
)
claims_audit.draw()
