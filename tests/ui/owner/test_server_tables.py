"""A table on the server: what is offered, the job that sums it, and what the page says."""

import os
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import streamlit

from dpca_core.data.recipe import Category, Number, Recipe
from tests.ui.owner.beginnings import OwnerPage
from ui.owner import server_folders, sum_job
from ui.owner.draft import EVERY_ROW
from ui.owner.steps import Step
from ui.owner.text import say
from ui.server import workers

RECIPE = Recipe(
    (Number("age", 0, 100), Number("height", 1.2, 2.2)),
    (Category("sex", ("f", "m")),),
    bounds_are_public=True,
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An allowed folder with a file and a folder of six."""
    root = tmp_path / "survey"
    (root / "parts").mkdir(parents=True)
    rng = np.random.default_rng(0)
    for path in (root / "one.csv", *(root / "parts" / f"{i}.csv" for i in range(6))):
        age, height = rng.integers(18, 99, 3000), rng.normal(1.7, 0.2, 3000).round(3)
        cells = {"age": age, "height": height, "sex": rng.choice(["f", "m"], 3000)}
        pd.DataFrame(cells).to_csv(path, index=False)
    allowed = os.pathsep.join(map(str, (root, tmp_path / "no")))
    monkeypatch.setenv(server_folders.FOLDERS_VARIABLE, allowed)
    return root


def done(path, *, stop=False, recipe=RECIPE, **options):
    job = sum_job.StreamingJob(path.name, path, recipe, **options)
    if stop:
        job.stop.set()
    job.start()
    job.thread.join(60)
    return job


def test_a_job_can_be_stopped_and_says_what_is_wrong_without_a_cell(folder, monkeypatch, caplog):
    stopped = done(folder / "parts", stop=True)
    assert (stopped.found, stopped.problem) == (None, say("stopped"))
    absent = replace(RECIPE, numbers=(*RECIPE.numbers, Number("weight", 0, 1)))
    assert "no column “weight”" in done(folder / "one.csv", recipe=absent).problem

    def broken(*args, **options):
        raise KeyError(f"{7:05}")

    monkeypatch.setattr(sum_job, "second_moment", broken)
    said = done(folder / "one.csv").problem
    assert said == "one.csv cannot be processed; it may be damaged."
    assert "KeyError" in caplog.text
    assert "00007" not in caplog.text, "what it says may quote a cell"


def test_the_page_sums_up_and_opens_what_it_has(folder, monkeypatch):
    monkeypatch.setattr(streamlit, "switch_page", lambda page: None)
    monkeypatch.setattr(workers.SESSIONS, "has_ended", lambda session: False)
    page = OwnerPage().run().put("source", say("server")).put("server.table", "survey/parts")
    page.answered(EVERY_ROW)
    ranges = {"age": {"low": "0", "high": "100"}, "height": {"low": "1.2", "high": "2.2"}}
    draft = page.draft.merge({**ranges, "sex": {"values": "f; m"}})
    page.keep(draft=draft, step=Step.DECIDE).press("decide-look")
    if (job := page.owner.job) is not None:
        job.thread.join(60)
        page.run()
    (data,) = page.session_state["datasets"].values()
    assert page.draft.looked
    assert (data.people, data.summed is None) == (18_000, False)
