"""Settings that a decision brings, once."""

import streamlit as st

from ui.release.measurements import Subject, decided_means
from ui.release.query import SAFE, ReleaseSettings
from ui.state import session
from ui.state.decision import decided

FOLLOWED = "release.followed"
"""Session key: the decision whose settings were taken."""


def follow_decision(subject: Subject) -> None:
    """Take ε, δ, mechanism and guess of a decision when the owner's own table is first released."""
    decision = decided()
    if subject.practice or decision is None:
        return
    handover = decision.handover
    if st.session_state.get(FOLLOWED) == handover:
        return
    st.session_state[FOLLOWED] = handover
    now = session.page_settings(ReleaseSettings)
    mechanism = handover.mechanism if handover.mechanism in SAFE else now.mechanism
    means = decided_means(subject) if subject.mean_is_private else now.means
    session.change_page_settings(
        now,
        epsilon=handover.epsilon,
        delta=handover.delta,
        mechanism=mechanism,
        means=means,
        people=0,
    )
