"""Hostile addresses: every page opens, with a sentence where it cannot do as asked."""

import logging
import random
from dataclasses import fields

import pytest
from streamlit.testing.v1 import AppTest

from tests.opened_page import hurry
from tests.paths import page_file
from tests.ui.taken_settings import OWN
from ui.server import scheduler
from ui.state.settings import Settings

NUMBERS = (
    "nan", "inf", "-inf", "-1", "0", "1e999", "1e308", "5e-324", "9" * 400, "0x10", "1_0", "１０",
    "٣", "", " ", "x", "--", "1e-400", "2e9", "+1", "1,5", "\u202e1", "1\x00", "[]",
)  # fmt: skip
TEXTS = (
    "../../etc/passwd", "upload:", "upload:https://evil.example/x:1234", "upload:::", "<script>",
    "rand?n=1e999", "rand??", "?", "wangxu?p=10&k=10", "imtiaz?d=400&n=200000", "chaudhuri?n=nan",
    "imtiaz?d=40&d=50", "chaudhuri?seed=-1", "wine?x=1", "{}", "None", "a" * 5000, "gaussian",
    "![x](http://127.0.0.1:9/x.png)", "rand\n", "RAND", "\u202edna", "😀", "%00", ",,,", "$x^2$",
    "' OR 1=1 --", "gaussian,gaussian", "upload:a:b:c`:$x$", "upload:" + "f" * 32,
)  # fmt: skip
PAGES = {"explore": 15, "local": 8, "eigengap": 8, "sample_size": 6}
PAGES |= {"proofs": 6, "data": 3, "claims": 3, "papers": 6}
"""How many addresses each page gets."""


def opened(page, query):
    """Run a page for a visitor who has left, so that no long work goes on behind the tests."""
    app = AppTest.from_file(page_file(page), default_timeout=60)
    for name, value in query.items():
        app.query_params[name] = value
    return app.run()


@pytest.fixture(autouse=True)
def busy(monkeypatch):
    """Pictures begin coarse, as on a busy server, and stay so: they are not the point here."""
    hurry(monkeypatch)
    monkeypatch.setattr(scheduler.PAGE_SCHEDULER, "_busy_until", float("inf"))


@pytest.mark.parametrize("page", PAGES)
def test_no_address_is_an_error(page, caplog):
    """One parameter alone, or some; on Explore every second address is one of data."""
    rng, takes = random.Random(page), (*fields(Settings), *fields(OWN.get(page, Settings)))
    # What a page takes; and two that no page does.
    names = sorted({"document", "", *(one.name for one in takes)})
    for number in range(PAGES[page]):
        some = rng.sample(names, 1 if number % 3 == 0 else rng.randint(2, 5))
        some = ["data"] if page == "explore" and number % 2 else some
        query = {name: rng.choice(NUMBERS + TEXTS) for name in some}
        app = opened(page, query)
        assert not app.exception, (query, app.exception)
        assert len(app.main) > 0, query
        assert not [r for r in caplog.records if r.levelno >= logging.ERROR], query
        assert all(info.value.endswith(".") for info in app.info), query
        if page == "explore" and not app.info:
            app.session_state["explore.drawn"].packed()
