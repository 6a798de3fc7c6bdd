"""The studies that a session keeps."""

import streamlit as st

from dpca_core.data.dataset import Dataset
from ui.explore.measurements import Study
from ui.explore.query import ExploreQuery, query_digest
from ui.state.default_mechanisms import usual
from ui.state.session import KEPT_STUDIES


def kept_study(data: Dataset, query: ExploreQuery, target: float) -> tuple[str, Study]:
    """Return the measurements for a query, begun or taken up again, with the picture's digest."""
    kept: dict[str, Study] = st.session_state.setdefault("studies", {})
    name = query_digest(data, query)
    if name not in kept:
        kept[name] = Study(data, query, usual())
        while len(kept) > KEPT_STUDIES:
            del kept[next(iter(kept))]
    return f"{name}-{target:g}", kept[name]
