"""Claims: what each paper promises, what holds, what it means, and an attack to see for oneself."""

from pathlib import Path

import streamlit as st

from dpca_core.claims import claims
from dpca_core.registry import MECHANISMS
from ui import audits, link, meaning, refutation
from ui.claims import headline, table
from ui.claims_settings import change, choose
from ui.start import under_navigation

SHEET = Path(__file__).resolve().parents[1] / "ui" / "css" / "claims.css"

under_navigation()
st.html(SHEET)
asked = choose()
link.say_replaced()
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
meaning.draw(asked)
st.html(
    f'<div class="claims"><h2 id="attack">Attack {MECHANISMS[asked.mechanism].name}</h2>'
    '<p class="under">Two data sets that differ in one person, thousands of releases of each, and '
    "an attacker who tries to tell which is which. If he does better than ε and δ allow, the "
    "promise is broken.</p></div>"
)
audits.draw()
