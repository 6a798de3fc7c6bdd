"""The Explore page without a browser: what it draws, says and keeps."""

from dataclasses import dataclass

import numpy as np
import pytest
import scipy.special  # noqa: F401  the server imports it before the first visitor comes

from dpca_core import MECHANISMS
from dpca_core.linalg.symmetric import mirrored
from dpca_core.mechanisms.gaussian import Gaussian
from tests.opened_page import hurry, open_page
from ui.explore.page import SENTENCES_WITHIN
from ui.figures.packed_content import decode, encode
from ui.server import scheduler
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


def test_it_opens_on_people_with_a_drawn_curve():
    page = explore()
    assert content(page)["says"]["setting"].startswith("RAND Health, **Gaussian**, k\u00a0=\u00a02")
    assert content(page)["axis"]["values"][content(page)["axis"]["index"]] == 0.1
    drawn = [v for v in curve(page) if v is not None]
    assert len(drawn) >= len(EPSILON_STOPS) / 2
    assert drawn == sorted(drawn) or max(np.diff(drawn)) > 0
    assert "98" in content(page)["texts"][content(page)["axis"]["index"]]["answer"]


@dataclass(frozen=True)
class Toy(Gaussian):
    """Gaussian noise on the upper triangle, twice as large as needed: a toy for this test."""

    key = "toy"
    name = "Toy mechanism"
    family = "toys"

    def matrices(self, d, rng, trials):
        return 2 * mirrored(rng.standard_normal((trials, d, d)))

    @staticmethod
    def entry_std(d):
        return 2.0, 2.0


def test_a_new_mechanism_is_one_class_and_one_line(monkeypatch):
    monkeypatch.setitem(MECHANISMS, "toy", Toy())
    page = explore(data="wine", k="1", mechanism="toy")
    assert "Toy mechanism" in page.selectbox(key="mechanism").options
    assert chosen(page)["name"] == "Toy mechanism"
    assert any(v is not None for v in curve(page))
    assert "Toy mechanism" in content(page)["texts"][10]["kept"]
    study = page.session_state["drawn"][1]
    while not study.complete:
        study.advance(1)
    page.selectbox(key="mechanism").select("gaussian").run()
    while not (study := page.session_state["drawn"][1]).complete:
        study.advance(1)
    page.run()
    rival = next(m for m in content(page)["mechanisms"] if m["key"] == "toy")
    assert rival["needed"] is not None
    assert not rival["chosen"]


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


def test_a_link_sets_every_control():
    page = explore(
        data="digits",
        mechanism="laplace",
        epsilon="5",
        delta="0",
        k="7",
        n="1000000",
        seed="9",
        adjacency="replace_one",
        target="0.8",
    )
    assert page.selectbox(key="data").value == "digits"
    assert page.selectbox(key="mechanism").value == "laplace"
    assert page.slider(key="k").value == 7
    assert page.select_slider(key="delta").value == 0
    assert page.select_slider(key="n").value == 1e6
    assert page.number_input(key="seed").value == 9
    assert content(page)["axis"]["values"][content(page)["axis"]["index"]] == 5
    assert content(page)["target"] == 0.8
    assert content(page)["release"]["markup"][0].count("<img") == 2 * 7


def test_a_synthetic_set_with_parameters_is_in_the_link():
    page = explore(data="wangxu?p=20&k=3&n=2000")
    assert page.selectbox(key="data").value == "wangxu?p=20&k=3&n=2000"
    figures = [each["figure"] for each in content(page)["release"]["figures"]]
    assert [len(figure["data"][1]["y"]) for figure in figures] == [20] * len(figures)
    assert figures


def test_a_link_to_an_upload_says_which_and_keeps_the_controls():
    page = explore(data=f"upload:{'0123456789abcdef' * 2}", mechanism="laplace", k="4")
    assert not page.exception
    (message,) = [box.value for box in page.info]
    assert message.startswith("This link refers to a table uploaded in another session")
    page.selectbox(key="data").select("digits").run()
    assert not page.info
    assert chosen(page)["key"] == "laplace"


@pytest.mark.parametrize("data", ["nonsense", "wangxu?p=x", "rand?n=3", "../etc", ""])
def test_data_that_do_not_exist_are_one_sentence(data):
    page = explore(data=data)
    assert not page.exception
    assert len(page.info) == 1


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("delta", ["0", "1e-06", "0.1"])
def test_every_mechanism_has_a_page_at_every_budget(mechanism, delta, monkeypatch):
    hurry(monkeypatch)
    page = explore(data="wine", mechanism=mechanism, delta=delta, k="1", epsilon="0.001")
    assert [text is not None for text in content(page)["texts"]] == [
        i <= SENTENCES_WITHIN for i in STOPS
    ]
    texts = refined(page)["texts"]
    assert all(text["answer"] for text in texts)
    assert all("nan" not in str(value) for text in texts for value in text.values())


def test_pictures_and_distant_sentences_come_later_while_the_server_is_busy(monkeypatch):
    monkeypatch.setattr(
        scheduler.PAGE_SCHEDULER, "_long_wait_at", scheduler.PAGE_SCHEDULER._clock()
    )
    page = explore(data="wine", k="1", epsilon="0.1")
    first, start = content(page), EPSILON_STOPS.index(0.1)
    assert first["later"]
    assert first["release"] is None
    assert [text is not None for text in first["texts"]] == [
        abs(i - start) <= SENTENCES_WITHIN for i in STOPS
    ]
    assert first["busy"].startswith("The server is busy")
    assert "10 releases per point" in first["says"]["footer"]
    whole = refined(page)
    assert not whole["later"]
    assert whole["release"]["figures"]
    assert all(whole["texts"])


def test_a_picture_that_is_complete_has_everything_while_the_server_is_busy(monkeypatch):
    page = explore(data="wine", k="1")
    study = page.session_state["drawn"][1]
    study.advance(60)
    monkeypatch.setattr(
        scheduler.PAGE_SCHEDULER, "_long_wait_at", scheduler.PAGE_SCHEDULER._clock()
    )
    page.run()
    assert content(page)["complete"]
    assert not content(page)["later"]
    assert all(content(page)["texts"])


def test_a_setting_of_a_mechanism_has_a_slider():
    page = explore(mechanism="gap_release")
    slider = page.slider(key="gap_release.gap_share")
    before = content(page)["id"]
    slider.set_value(0.5).run()
    assert content(page)["id"] != before


def test_a_delta_of_one_over_n_is_warned_of():
    page = explore(data="wine", delta="0.1")
    assert "<i>Too large</i>" in content(page)["disclosures"]


def test_the_picture_is_refined_until_complete():
    page = explore(data="wine", k="1")
    first = content(page)["stage"]
    study = page.session_state["drawn"][1]
    while not study.complete:
        study.advance(1)
    page.run()
    done = content(page)
    assert done["complete"]
    assert done["stage"] > first
    assert sum("fill" in t for t in done["curves"]["data"]) == 9
    assert "19 of 20" in done["texts"][-1]["answer"]
    lines = [t for t in done["curves"]["data"] if t.get("meta") == chosen(page)["key"]]
    assert [t["connectgaps"] for t in lines] == [False] * 3
