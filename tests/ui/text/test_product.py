"""What every page says of the product holds of it."""

from ui.learn.registry import LESSONS
from ui.text.product import NEWCOMER


def test_newcomers_are_told_how_many_questions_there_are():
    assert len(LESSONS) == 13
    assert "Thirteen questions" in NEWCOMER
    assert 30 < sum(lesson.minutes for lesson in LESSONS.values()) <= 75
    assert "an hour" in NEWCOMER
