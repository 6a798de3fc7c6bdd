"""A link reproduces the controls, and a broken one falls back field by field."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from dpca_core import MECHANISMS, Adjacency
from ui.compare.query import DELTA_AXIS
from ui.state.settings import Settings
from ui.state.slider_stops import DELTA_STOPS, EPSILON_STOPS, TARGETS, nearest_stop

SETTINGS = st.builds(
    Settings,
    data=st.sampled_from(["rand", "digits", "upload:0123456789abcdef0123456789abcdef"]),
    mechanism=st.sampled_from(list(MECHANISMS)),
    epsilon=st.sampled_from(EPSILON_STOPS),
    delta=st.sampled_from(DELTA_STOPS),
    k=st.integers(0, 20),
    n=st.sampled_from([0.0, 100.0, 5e6]),
    adjacency=st.sampled_from([str(a) for a in Adjacency]),
    seed=st.integers(0, 2**32 - 1),
    target=st.sampled_from(TARGETS),
)


@given(SETTINGS)
def test_a_link_is_read_as_it_was_written(settings: Settings) -> None:
    assert Settings.from_query(settings.to_query()) == settings


@given(
    st.dictionaries(st.sampled_from([*Settings.__dataclass_fields__, "x"]), st.text(max_size=12))
)
def test_no_link_breaks_the_page(query: dict[str, str]) -> None:
    settings = Settings.from_query(query)
    assert settings.epsilon in EPSILON_STOPS
    assert settings.delta in DELTA_STOPS
    assert settings.mechanism in MECHANISMS


def test_what_cannot_be_used_falls_back_alone() -> None:
    query = {"epsilon": "nan", "delta": "1e-3", "mechanism": "nonsense", "k": "3"}
    assert Settings.from_query(query) == replace(Settings(), delta=1e-3, k=3)


def test_nearest_is_by_ratio() -> None:
    assert nearest_stop(0.04, (0.01, 0.1)) == 0.1
    assert nearest_stop(0.0, (0.0, 1e-12)) == 0.0


def test_a_papers_own_delta_is_a_stop_of_every_page() -> None:
    """Chaudhuri et al. have 0.01 and 0.05, Wang & Xu 10⁻⁴, Imtiaz & Sarwate 0.01; one list."""
    for delta in (0.05, 0.01, 1e-4):
        assert Settings.from_query({"delta": str(delta)}).delta == delta
    assert tuple(delta for delta in DELTA_STOPS if delta > 0) == DELTA_AXIS
    assert list(DELTA_STOPS) == sorted(set(DELTA_STOPS))
