"""What a page makes of a link's settings, as its address would write them."""

from collections.abc import Mapping

from ui.claims.measurements import ClaimsSettings
from ui.eigengap.query import EigengapSettings
from ui.local_model.query import LocalModelSettings
from ui.papers.query import PapersSettings
from ui.sample_size.query import SampleSizeSettings
from ui.state.settings import ExploreSettings, Settings

OWN = {
    "claims": ClaimsSettings,
    "explore": ExploreSettings,
    "eigengap": EigengapSettings,
    "local": LocalModelSettings,
    "papers": PapersSettings,
    "sample_size": SampleSizeSettings,
}
"""What pages set alone."""


def not_taken(page: str, query: Mapping[str, str]) -> dict[str, set[str]]:
    """Return the settings of a link that its page does not take as written, and what it takes."""
    found = {}
    both = [of.from_query(query) for of in (OWN.get(page, Settings), Settings)]
    for name, asked in query.items():
        taken = [getattr(settings, name) for settings in both if hasattr(settings, name)]
        written = {f"{v:g}" if isinstance(v, float) else str(v) for v in taken}
        written |= {str(int(v)) for v in taken if isinstance(v, bool | float) and v == int(v)}
        if asked not in written:
            found[name] = written
    return found
