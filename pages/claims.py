"""Claims: what each paper promises, what holds, what it means, and an attack to see for oneself."""

from pathlib import Path

import streamlit as st

from dpca_core.claims import claims
from ui import refutation
from ui.claims import headline, table
from ui.claims_settings import choose
from ui.start import under_navigation

SHEET = Path(__file__).resolve().parents[1] / "ui" / "css" / "claims.css"

under_navigation()
st.html(SHEET)
asked = choose()
rows = claims(asked.problem, asked.budget)
st.html(
    f'<div class="claims"><p class="answer">{headline(rows, asked.budget)}</p>'
    '<p class="under">Ring: what the paper claims. Dot: what holds, by exact accounting. Cross: '
    "nothing holds. Everything proved here is about real numbers and ideal randomness: floating "
    "point, the pseudo-random generator and timing are outside.</p>"
    f"{table(rows, asked.budget)}</div>"
)
refutation.draw(asked)
