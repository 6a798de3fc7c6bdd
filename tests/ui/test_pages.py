"""The Explore page without a browser: what it draws, says and keeps; and how the server starts."""

import gc
import os
import subprocess
import sys

import numpy as np
import pytest
import scipy.special  # noqa: F401  the server imports it before the first visitor comes
import streamlit.web.cli

from dpca_core import MECHANISMS
from sample_data import CATALOGUE
from tests.opened_page import hurry, open_page
from ui import launch
from ui.explore.page import SENTENCES_WITHIN
from ui.figures.packed_content import decode, encode
from ui.server import scheduler
from ui.server.environment import LIBRARY_DEFAULTS
from ui.state.slider_stops import EPSILON_STOPS

STOPS = range(len(EPSILON_STOPS))


def explore(**query):
    return open_page("explore", **query)


def content(page):
    assert not page.exception
    return decode(encode(page.session_state["drawn"][0]))


def chosen(page):
    return next(m for m in content(page)["mechanisms"] if m["chosen"])


def curve(page):
    """The chosen mechanism's variation kept at each ε, as drawn; None where it is not."""
    key = chosen(page)["key"]
    traces = content(page)["curves"]["data"]
    (line,) = [t for t in traces if t.get("meta") == key and "yaxis" not in t]
    return line["y"]


def gap(page):
    """The eigengap, from the line in the panel of noise."""
    shapes = content(page)["curves"]["layout"]["shapes"]
    (line,) = [shape for shape in shapes if shape["yref"] == "y3"]
    return line["y0"]


def refined(page):
    """The next picture, as the browser asks for it."""
    page.session_state["more"] = content(page)["id"]
    page.run()
    return content(page)


def sentences_near(index):
    return [abs(i - index) <= SENTENCES_WITHIN for i in STOPS]


def busy(monkeypatch):
    clock = scheduler.PAGE_SCHEDULER._clock
    monkeypatch.setattr(scheduler.PAGE_SCHEDULER, "_busy_until", clock() + scheduler.MEMORY)


def test_it_opens_on_people_with_a_drawn_curve():
    page = explore()
    found = content(page)
    assert found["says"]["setting"].startswith("RAND Health, **Gaussian**, k\u00a0=\u00a02")
    assert found["axis"]["values"][found["axis"]["index"]] == 0.1
    drawn = [v for v in curve(page) if v is not None]
    assert len(drawn) >= len(EPSILON_STOPS) / 2
    assert max(np.diff(drawn)) > 0
    assert "keeps **9" in found["texts"][found["axis"]["index"]]["answer"]


def test_controls_change_the_picture():
    page = explore()
    before = content(page)["id"]
    page.slider(key="k").set_value(3).run()
    assert content(page)["id"] != before
    assert gap(page) == pytest.approx(17.4, abs=0.1)
    page.select_slider(key="n").set_value(1e7).run()
    assert gap(page) == pytest.approx(17.4 * 1e7 / 5912, rel=0.01)
    page.selectbox(key="adjacency").select("replace_one").run()
    assert "which of two records" in content(page)["texts"][12]["odds"]
    assert page.query_params["adjacency"] == "replace_one"
    page = explore(mechanism="gap_release")
    before = content(page)["id"]
    page.slider(key="gap_release.gap_share").set_value(0.5).run()
    assert content(page)["id"] != before


def test_a_link_sets_every_control():
    budget = {"epsilon": "5", "delta": "0", "k": "7", "n": "1000000", "seed": "9"}
    others = {"mechanism": "laplace", "adjacency": "replace_one", "target": "0.8"}
    page = explore(data="digits", **budget, **others)
    assert page.selectbox(key="data").value == "digits"
    assert page.selectbox(key="mechanism").value == "laplace"
    assert page.slider(key="k").value == 7
    assert page.select_slider(key="delta").value == 0
    assert page.select_slider(key="n").value == 1e6
    assert page.number_input(key="seed").value == 9
    assert content(page)["axis"]["values"][content(page)["axis"]["index"]] == 5
    assert content(page)["target"] == 0.8
    assert content(page)["release"]["markup"][0].count("<img") == 2 * 7


FIRST = [("ppca", "0"), ("gaussian", "0"), ("gap_release", "1e-06"), ("wishart", "0.1")]
FIRST += [("smooth_cauchy", "0"), ("local_sparse", "1e-06"), ("non_private", "0.1")]
REST = [(m, d) for m in MECHANISMS for d in ("0", "1e-06", "0.1") if (m, d) not in FIRST]


@pytest.mark.parametrize(
    ("mechanism", "delta"),
    [*FIRST, *(pytest.param(*c, marks=pytest.mark.long("every mechanism")) for c in REST)],
)
def test_every_mechanism_has_a_page_at_every_budget(mechanism, delta, monkeypatch):
    hurry(monkeypatch)
    page = explore(data="wine", mechanism=mechanism, delta=delta, k="1", epsilon="0.001")
    assert [text is not None for text in content(page)["texts"]] == sentences_near(0)
    texts = refined(page)["texts"]
    assert all(text["answer"] for text in texts)
    assert all("nan" not in str(value) for text in texts for value in text.values())
    assert ("<i>Too large</i>" in content(page)["disclosures"]) == (delta == "0.1")


def test_pictures_and_distant_sentences_come_later_while_the_server_is_busy(monkeypatch):
    busy(monkeypatch)
    page = explore(data="wine", k="1", epsilon="0.1")
    first = content(page)
    assert first["later"]
    assert first["release"] is None
    near = sentences_near(EPSILON_STOPS.index(0.1))
    assert [text is not None for text in first["texts"]] == near
    assert first["busy"].startswith("The server is busy")
    assert "10 releases per point" in first["says"]["footer"]
    whole = refined(page)
    assert not whole["later"]
    assert whole["release"]["figures"]
    assert all(whole["texts"])


def test_the_picture_is_refined_until_complete_and_then_whole_on_a_busy_server(monkeypatch):
    page = explore(data="wine", k="1")
    first = content(page)["stage"]
    study = page.session_state["drawn"][1]
    while not study.complete:
        study.advance(1)
    busy(monkeypatch)
    page.run()
    done = content(page)
    assert done["complete"]
    assert done["stage"] > first
    assert not done["later"]
    assert all(done["texts"])
    assert sum("fill" in t for t in done["curves"]["data"]) == 9
    assert "19 of 20" in done["texts"][-1]["answer"]
    lines = [t for t in done["curves"]["data"] if t.get("meta") == chosen(page)["key"]]
    assert [t["connectgaps"] for t in lines] == [False] * 3


def test_practice_offers_only_sets_with_rows():
    page = open_page("release", data="covtype")
    assert not page.exception
    menu = next(box for box in page.selectbox if box.label == "Built-in set")
    assert CATALOGUE["covtype"].name not in menu.options
    assert len(menu.options) > 3


def test_before_the_server_starts_what_lasts_is_set_aside(monkeypatch):
    seen = []

    def run(app, config):
        seen.append((app.script_path, config, gc.get_freeze_count()))

    monkeypatch.setattr(streamlit.App, "run", run)
    arguments = ["--server.port", "8765", "--server.headless=true", "--server.address", "0.0.0.0"]
    monkeypatch.setattr(sys, "argv", ["ui/launch.py", *arguments])
    try:
        launch.main()
    finally:
        gc.unfreeze()
    ((script, options, frozen),) = seen
    assert script == launch.APP
    assert script.exists()
    said = {"server.port": 8765, "server.headless": True, "server.address": "0.0.0.0"}
    assert options == said
    assert frozen > 100_000
    assert all(name in sys.modules for name in launch.PRELOADED)


@pytest.mark.parametrize("set_before", [{}, {"OMP_NUM_THREADS": "3"}])
def test_libraries_find_the_environment_and_the_operator_has_the_last_word(set_before):
    code = (
        "import os, sys, ui.launch; print({'numpy', 'pandas', 'pyarrow'} & {*sys.modules}, "
        f"[os.environ[name] for name in {list(LIBRARY_DEFAULTS)}])"
    )
    bare = {name: value for name, value in os.environ.items() if name not in LIBRARY_DEFAULTS}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=launch.APP.parent,
        env=bare | set_before,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == f"{set()} {[*(LIBRARY_DEFAULTS | set_before).values()]}"
