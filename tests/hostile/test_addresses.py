"""Two hundred hostile addresses: every page opens, with a sentence where it cannot do as asked."""

import gc
import logging
import random
from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from tests.paths import page_file
from ui.server import scheduler

PAGES = {
    "explore": 50, "local": 30, "eigengap": 30, "sample_size": 20, "compare": 20, "proofs": 20,
    "data": 10, "claims": 10, "papers": 10,
}  # fmt: skip
"""Addresses of each page."""
NUMBERS = (
    "nan", "inf", "-inf", "-1", "0", "1e999", "1e308", "5e-324", "9" * 400, "0x10", "1_0", "１０",
    "٣", "", " ", "x", "--", "1e-400", "2e9", "NaN", "+1", "1,5", "1;2", "\u202e1", "1\x00", "[]",
)  # fmt: skip
TEXTS = (
    "", " ", "../../etc/passwd", "upload:", "upload:a", "upload:https://evil.example/x:1234",
    "rand?n=1e999", "rand?", "rand??", "?", "wangxu?p=10&k=10", "imtiaz?d=400&n=200000",
    "imtiaz?d=nan", "imtiaz?d=40&d=50", "chaudhuri?n", "wangxu?p=1e999", "chaudhuri?seed=-1",
    "<script>alert(1)</script>", "![x](http://127.0.0.1:9/x.png)", "{}", "null", "None", "a" * 5000,
    "rand\n", "RAND", "\u202edna", "😀", "%00", "gaussian", "$x^2$", "' OR 1=1 --", "wine?x=1",
    "gaussian,gaussian", ",,,", "local_sparse,nothing", "non_private",
    "\ud7ff", "upload:" + "f" * 32,
)  # fmt: skip
TAKEN = {
    "data": TEXTS, "mechanism": TEXTS, "mechanisms": TEXTS, "adjacency": TEXTS, "axis": TEXTS,
    "measure": TEXTS, "source": TEXTS, "document": TEXTS, "aim": TEXTS, "compare": TEXTS,
    "public": TEXTS, "equalise": TEXTS, "epsilon": NUMBERS, "delta": NUMBERS, "k": NUMBERS,
    "n": NUMBERS, "seed": NUMBERS, "target": NUMBERS, "trials": NUMBERS, "p": NUMBERS,
    "d": NUMBERS, "gap": NUMBERS, "level": NUMBERS, "share": NUMBERS, "repetitions": NUMBERS,
    "choice": NUMBERS, "factor": NUMBERS, "columns": NUMBERS, "page": TEXTS, "": TEXTS,
    "figure": TEXTS, "at": TEXTS, "reveal": NUMBERS, "verdict": TEXTS, "uses": TEXTS,
}  # fmt: skip
"""Parameters of the pages, and what is put into each."""


OF_PAPERS = ("figure", "at", "verdict", "uses", "seed", "reveal")
"""What that page takes: the settings of others do not concern it."""


def addresses() -> list[tuple[str, dict[str, str]]]:
    """Of each page some with one parameter alone, then with several at a time."""
    rng = random.Random(20261122)
    found = []
    for page, many in PAGES.items():
        for number in range(many):
            some = rng.sample(sorted(TAKEN), 1 if number < 10 else rng.randint(2, 6))
            if page == "explore" and number < 30:
                some = ["data"]
            if page == "papers":
                some = rng.sample(OF_PAPERS, rng.randint(2, 4))
            found.append((page, {name: rng.choice(TAKEN[name]) for name in some}))
    return found


def opened(page: str, query: dict[str, str]) -> AppTest:
    app = AppTest.from_file(page_file(page), default_timeout=60)
    for name, value in query.items():
        app.query_params[name] = value
    return app.run()


def test_there_are_two_hundred_of_them() -> None:
    assert len(addresses()) >= 200
    assert len({repr(one) for one in addresses()}) > 190


@pytest.fixture(scope="module", autouse=True)
def swept() -> Iterator[None]:
    """Streamlit collects garbage after every run: what is here already need not be looked at."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture(autouse=True)
def busy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures begin coarse, as on a busy server: what is drawn is not the point here."""
    monkeypatch.setattr(scheduler.PAGE_SCHEDULER, "_long_wait_at", float("inf"))


@pytest.mark.parametrize("page", PAGES)
def test_no_address_is_an_error(page: str, caplog: pytest.LogCaptureFixture) -> None:
    for where, query in addresses():
        if where == page:
            app = opened(page, query)
            assert not app.exception, (query, app.exception)
            assert len(app.main) > 0, query
            assert not [r for r in caplog.records if r.levelno >= logging.ERROR], query


@pytest.mark.parametrize("page", ["explore", "compare", "eigengap", "local"])
@pytest.mark.parametrize("key", ["wangxu?p=10&k=10", "imtiaz?d=400&n=200000", "rand?n=nan"])
def test_data_that_cannot_be_made_are_one_sentence(page: str, key: str) -> None:
    app = opened(page, {"data": key, "source": "data"})
    assert not app.exception
    told = [*app.info, *app.warning, *app.error]
    assert len(told) == 1
