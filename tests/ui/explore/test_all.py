"""All mechanisms: numbers along each axis, ranking, what is recommended and taken away."""

import io
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from dpca_core import MECHANISMS, Adjacency
from dpca_core.data.recipe import Category, Number, Recipe, Scaling
from dpca_core.mechanisms.registry import shown_by_default
from dpca_core.simulation.releases_per_point import BANDS
from dpca_core.tables.prepare import prepare
from sample_data import load_key
from tests.opened_page import hurry, open_page
from tests.page_charts import assert_charts
from tests.paths import ROOT
from tests.ui.explore.studies import measured, study_of
from ui.explore.all import all_content
from ui.explore.export import loading_code, quantiles_csv, script
from ui.explore.headline_and_titles import say
from ui.explore.medians import Summary
from ui.page.files import NOT_PRIVATE
from ui.state.slider_stops import EPSILON_STOPS
from ui.text.numbers import percent

MOST_BYTES = 31_000
SOME = ("gaussian", "analyze_gauss", "wishart_sn", "gap_release")
AT = EPSILON_STOPS.index(0.1)


def compared(keys=SOME, trials=5, data="wine", **changes):
    found = load_key(data) if isinstance(data, str) else data
    rivals = [MECHANISMS[key] for key in keys]
    return measured(study_of(found, keys[0], rivals, trials, **({"k": 1} | changes)))


def cells(content, key, index):
    (row,) = [row for row in content.rows if row.key == key]
    return [cell if isinstance(cell, str) else cell[index] for cell in row.cells]


@pytest.mark.parametrize("axis", ["epsilon", "k"])
def test_rows_say_the_curves_numbers_and_are_ranked_by_them(axis):
    keys = dict.fromkeys([*(m.key for m in shown_by_default()), "sulq", "mod_sulq", *SOME])
    study = compared(tuple(keys), axis=axis)
    content = all_content(study, "x", 3, 0.9)
    assert_charts(content)
    medians = {m.mechanism.key: m for m in Summary(study, 0.9).mechanisms}
    keys = [row.key for row in content.rows]
    assert sorted(keys) == sorted(medians)
    for i, order in enumerate(content.order):
        kept, turned, *_ = cells(content, "gaussian", i)
        assert kept.startswith(f"**{percent(medians['gaussian'].captured[i])}**")
        assert turned.startswith(f"{medians['gaussian'].sin_theta[i]:.2f}")
        assert sorted(order) == list(range(len(keys)))
        split = content.ranked[i]
        for numbers in (order[:split], order[split:]):
            kept = [medians[keys[n]].captured[i] for n in numbers]
            assert (np.diff(np.nan_to_num(kept, nan=-1.0)) <= 0).all()
        assert all(medians[keys[n]].ranked[i] == (n in order[:split]) for n in order)


def test_only_what_is_proved_is_ranked():
    content = all_content(compared(adjacency=Adjacency.REPLACE_ONE), "x", AT, 0.9)
    keys = [row.key for row in content.rows]
    for order, split in zip(content.order, content.ranked, strict=True):
        assert keys.index("wishart_sn") in order[split:]
        assert keys.index("gaussian") in order[:split]
    assert cells(content, "wishart_sn", AT)[2].startswith("refuted: ")
    # Printed for a change of 1, a replaced person moves S by √2: weaker than claimed from ε ≈ 0.1.
    assert keys.index("analyze_gauss") in content.order[-1][content.ranked[-1] :]
    assert [row.key for row in content.rows if row.struck] == ["wishart_sn"], "it is refuted"
    assert content.says["apart"] == say("not_ranked")
    assert all("SN" not in answer for answer in content.says["answer"])


RNG = np.random.default_rng(1)
TABLE = pd.DataFrame(RNG.normal(size=(300, 2)), columns=["a", "b"])
TABLE["c"] = RNG.choice(["x", "y"], 300)
COLUMNS = (Number("a", -3.0, 3.0), Number("b", -2.0, 2.0)), (Category("c", ("x", "y")),)


def uploaded(**choices):
    return prepare(TABLE, Recipe(*COLUMNS, **choices), "people.csv")


def test_a_private_mean_is_part_of_what_holds_and_what_was_read_is_not_private():
    data = uploaded(scaling=Scaling.PRIVATE_MEAN, bounds_are_public=True, mean_share=0.2)
    study = compared(("laplace",), data=data, delta=0.0)
    holds = cells(all_content(study, "", AT, 0.9), "laplace", AT)[2]
    assert holds == "proved: ε\u00a0=\u00a00.1, pure"
    assert study.curves.chosen.guarantees[AT].epsilon == pytest.approx(0.08)
    data = uploaded(scaling=Scaling.BOUNDED, bounds_are_public=False)
    study = compared(("gaussian",), data=data)
    assert "not private" in cells(all_content(study, "", AT, 0.9), "gaussian", AT)[2]


def test_an_answer_is_small():
    study = compared(tuple(m.key for m in shown_by_default()), BANDS)
    assert len(all_content(study, "x", AT, 0.9).packed()) <= MOST_BYTES


def test_the_script_prepares_an_upload_and_makes_the_same_numbers(tmp_path):
    """In a process of its own, to six digits, and marked."""
    TABLE.to_csv(tmp_path / "people.csv", index=False)
    data = uploaded(scaling=Scaling.PRIVATE_MEAN, bounds_are_public=True)
    study = compared(("gaussian", "laplace"), data=data, k=2)
    content = all_content(study, "x", 0, 0.9)
    text = script(study, content).replace("PATH_TO_YOUR_FILE", str(tmp_path / "people.csv"))
    (tmp_path / "again.py").write_text(text, "utf-8")
    environment = {"PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, tmp_path / "again.py"]
    again = subprocess.check_output(command, cwd=tmp_path, text=True, env=environment)
    assert text.startswith(f"# {NOT_PRIVATE}\n")
    files = quantiles_csv(study, content), again
    assert all(file.startswith(f"# {NOT_PRIVATE}\n") for file in files)
    first, second = (pd.read_csv(io.StringIO(file), skiprows=1) for file in files)
    pd.testing.assert_frame_equal(first, second, rtol=1e-6, atol=1e-9)


def test_people_are_compared_in_pairs_where_one_is_replaced(monkeypatch):
    """The switch is off for neighbours of whom one is added; a script prepares the same pairs."""
    hurry(monkeypatch)
    link = {"view": "all", "data": "wine", "pairs": "1"}
    for adjacency in Adjacency:
        page = open_page("explore", **link, adjacency=str(adjacency))
        assert not page.exception
        replaced = adjacency is Adjacency.REPLACE_ONE
        assert ("in pairs" in page.session_state["all.drawn"].settings) is replaced
        (switch,) = [one for one in page.toggle if "pairs" in one.label]
        assert (switch.value, switch.disabled) == (True, not replaced)
    pairs = load_key("wine").in_pairs
    assert pairs.identity in loading_code(pairs)
    assert ".in_pairs" in loading_code(pairs)
