"""Where "Open in …" leads: a page that is there, at settings that it takes as they are."""

import pytest

from papers.registry import BY_KEY
from tests.paths import page_file
from tests.ui.learn.lessons.predicted import at_start
from ui.claims.query import ClaimsSettings
from ui.compare.query import CompareSettings
from ui.learn.lessons import (
    again,
    attack,
    failing_promise,
    figure,
    local,
    mechanism,
    outside,
    people,
)
from ui.local_model.query import LocalModelSettings
from ui.papers.query import PapersSettings
from ui.release.query import ReleaseSettings
from ui.sample_size.query import SampleSizeSettings
from ui.state.settings import Settings

LESSONS = [
    module.LESSON
    for module in (mechanism, people, again, failing_promise, attack, local, figure, outside)
]
OWN = {
    "compare": CompareSettings,
    "sample_size": SampleSizeSettings,
    "release": ReleaseSettings,
    "claims": ClaimsSettings,
    "local": LocalModelSettings,
    "papers": PapersSettings,
    "explore": Settings,
}
EVERY = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.key)


def as_written(settings, name):
    value = getattr(settings, name)
    return f"{value:g}" if isinstance(value, float) else str(value)


@EVERY
def test_the_page_is_there(lesson):
    assert page_file(lesson.page).exists()


@EVERY
def test_the_page_takes_every_setting_as_it_is_written(lesson):
    for stop in lesson.control.stops:
        query = lesson.settings(lesson.measure(stop, 0))
        both = (OWN[lesson.page].from_query(query), Settings.from_query(query))
        assert query
        for name, written in query.items():
            taken = {as_written(s, name) for s in both if hasattr(s, name)}
            assert written in taken, (name, written, taken)


def test_figure_opens_the_card_of_the_figure_that_it_is_about():
    fields = at_start(figure.LESSON)
    card = BY_KEY[figure.LESSON.settings(fields)["figure"]]
    assert (card.paper, card.key) == ("wang-xu", "wang-xu-fig-3")
    printed = {"epsilon": 0.5, "delta": 1e-4, "k": 5, "n": 100_000}
    assert {name: fields[name] for name in printed} == printed
