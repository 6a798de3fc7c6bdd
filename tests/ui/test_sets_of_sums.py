"""Pages at a built-in set of which only the sum over its rows is there."""

from sample_data import load_key
from sample_data.paper_sums import COVTYPE
from tests.opened_page import open_page
from ui.local_model.query import LocalModelQuery, RecordSource
from ui.local_model.record_images import record_pictures


def test_no_record_is_drawn_without_rows() -> None:
    data = load_key("covtype")
    assert data.rows.shape == (0, 54)
    asked = LocalModelQuery(RecordSource.DATA, data, 54, 2, 20, 581_012.0, 1.0, 1e-4)
    assert record_pictures(asked) is None


def test_practice_offers_only_sets_with_rows() -> None:
    page = open_page("release", data="covtype")
    assert not page.exception
    menu = next(box for box in page.selectbox if box.label == "Built-in set")
    assert COVTYPE.name not in menu.options
    assert len(menu.options) > 3
