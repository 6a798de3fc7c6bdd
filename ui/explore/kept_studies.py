"""The studies that a session keeps."""

import streamlit as st

from dpca_core.data.dataset import Dataset
from ui.explore.query import View, view_id
from ui.explore.study import Study
from ui.state.default_mechanisms import usual
from ui.state.session import KEPT_STUDIES


def kept_study(data: Dataset, view: View, target: float) -> tuple[str, Study]:
    """Return the measurements for a view, begun or taken up again, with the picture's digest."""
    kept: dict[str, Study] = st.session_state.setdefault("studies", {})
    name = view_id(data, view)
    if name not in kept:
        kept[name] = Study(data, view, usual())
        while len(kept) > KEPT_STUDIES:
            del kept[next(iter(kept))]
    return f"{name}-{target:g}", kept[name]
