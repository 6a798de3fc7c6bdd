"""Hostile addresses: every page opens, with a sentence where it cannot do as asked."""

import gc
import logging
import random
from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from tests.paths import page_file
from ui.server import scheduler

NUMBERS = (
    "nan", "inf", "-inf", "-1", "0", "1e999", "1e308", "5e-324", "9" * 400, "0x10", "1_0", "１０",
    "٣", "", " ", "x", "--", "1e-400", "2e9", "+1", "1,5", "\u202e1", "1\x00", "[]",
)  # fmt: skip
TEXTS = (
    "", " ", "../../etc/passwd", "upload:", "upload:https://evil.example/x:1234", "upload:::",
    "rand?n=1e999", "rand??", "?", "wangxu?p=10&k=10", "imtiaz?d=400&n=200000", "chaudhuri?n=nan",
    "imtiaz?d=40&d=50", "chaudhuri?seed=-1", "<script>alert(1)</script>", "{}", "None", "a" * 5000,
    "![x](http://127.0.0.1:9/x.png)", "rand\n", "RAND", "\u202edna", "😀", "%00", "gaussian",
    "$x^2$", "' OR 1=1 --", "wine?x=1", "gaussian,gaussian", ",,,", "local_sparse,nothing",
    "upload:a:b:c`:$x$", "upload:" + "f" * 32,
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
PAGES = {"explore": 15, "local": 8, "eigengap": 8, "sample_size": 6}
PAGES |= {"proofs": 6, "data": 3, "claims": 3, "papers": 3}
"""How many addresses each page gets."""


def addresses(page: str) -> list[dict[str, str]]:
    """Some with one parameter alone, then with several at a time."""
    rng = random.Random(page)
    found = []
    for number in range(PAGES[page]):
        some = rng.sample(sorted(TAKEN), 1 if number % 3 == 0 else rng.randint(2, 6))
        if page == "explore" and number % 2:
            some = ["data"]
        if page == "papers":
            some = rng.sample(OF_PAPERS, rng.randint(2, 4))
        found.append({name: rng.choice(TAKEN[name]) for name in some})
    return found


def opened(page: str, query: dict[str, str]) -> AppTest:
    """Run a page for a visitor who has left, so that no long work goes on behind the tests."""
    app = AppTest.from_file(page_file(page), default_timeout=60)
    for name, value in query.items():
        app.query_params[name] = value
    return app.run()


@pytest.fixture(scope="module", autouse=True)
def swept() -> Iterator[None]:
    """Streamlit collects garbage after every run: what is here already need not be looked at."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture(autouse=True)
def busy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures begin coarse, as on a busy server: they are not the point here."""
    monkeypatch.setattr(scheduler.PAGE_SCHEDULER, "_busy_until", float("inf"))


@pytest.mark.parametrize("page", PAGES)
def test_no_address_is_an_error(page: str, caplog: pytest.LogCaptureFixture) -> None:
    for query in addresses(page):
        app = opened(page, query)
        assert not app.exception, (query, app.exception)
        assert len(app.main) > 0, query
        assert not [r for r in caplog.records if r.levelno >= logging.ERROR], query
        assert all(info.value.endswith(".") for info in app.info), query
        if page == "explore" and not app.info:
            app.session_state["explore.drawn"].packed()


@pytest.mark.parametrize(
    ("page", "key"),
    [
        ("explore", "wangxu?p=10&k=10"),
        ("explore", "x" * 999),
        ("eigengap", "rand?n=nan"),
    ],
)
def test_data_that_cannot_be_made_are_one_sentence(page: str, key: str) -> None:
    app = opened(page, {"data": key, "source": "data"})
    assert not app.exception
    (said,) = [*app.info, *app.warning, *app.error]
    assert len(said.value) < 300
