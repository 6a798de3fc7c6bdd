"""A table on the server: what is offered, the job that sums it, and what the page says."""

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import streamlit

from dpca_core.data.recipe import Category, Number, Recipe
from dpca_core.tables.prepare import data_set
from dpca_core.tables.second_moment import SAMPLED_ROWS, second_moment
from tests.ui.owner.beginnings import begun
from ui.explore.export import loading_code
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


def people(rows, seed=0):
    rng = np.random.default_rng(seed)
    age, height = rng.integers(18, 99, rows), rng.normal(1.7, 0.2, rows).round(3)
    return pd.DataFrame({"age": age, "height": height, "sex": rng.choice(["f", "m"], rows)})


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An allowed folder with two files and a folder of six."""
    root = tmp_path / "survey"
    (root / "parts").mkdir(parents=True)
    people(500).to_csv(root / "one.csv", index=False)
    people(500).to_parquet(root / "two.parquet")
    for i in range(6):
        people(3000, i).to_csv(root / "parts" / f"{i}.csv", index=False)
    allow(monkeypatch, root, tmp_path / "no")
    return root


def allow(monkeypatch, *roots):
    monkeypatch.setenv(server_folders.FOLDERS_VARIABLE, os.pathsep.join(map(str, roots)))


def test_only_tables_in_allowed_folders_are_offered(folder, tmp_path, monkeypatch):
    parts = {f"survey/parts/{i}.csv" for i in range(6)}
    names = {"survey/one.csv", "survey/two.parquet", "survey/parts", *parts}
    assert set(server_folders.tables()) == names
    here, beside = sum_job.IN_PROCESS, sum_job.PROCESSES
    with monkeypatch.context() as patch:
        patch.setattr("streamlit.selectbox", lambda label, options, *_, **__: options)
        assert sum_job.choose_place(folder / "one.csv") == here
        assert sum_job.choose_place(folder / "parts") == [here, beside]
    # Folders of one name are told apart.
    roots = [tmp_path / side / "data" for side in ("a", "b")]
    for root in roots:
        root.mkdir(parents=True)
        people(5).to_csv(root / "t.csv", index=False)
    allow(monkeypatch, *roots)
    assert set(server_folders.tables().values()) == {root.resolve() / "t.csv" for root in roots}
    monkeypatch.delenv(server_folders.FOLDERS_VARIABLE)
    assert server_folders.tables() == {}
    assert "source" not in begun().session_state


def done(path, *, stop=False, recipe=RECIPE, **options):
    job = sum_job.StreamingJob(path.name, path, recipe, **options)
    if stop:
        job.stop.set()
    job.start()
    job.thread.join(60)
    return job


DASK = pytest.mark.long("Dask starts processes; the same sum is made in this process")
PLACES = [sum_job.IN_PROCESS]
PLACES += [pytest.param(place, marks=DASK) for place in (sum_job.PROCESSES, sum_job.CLUSTER)]


@pytest.mark.parametrize("where", PLACES)
def test_a_job_ends_with_a_data_set(where, folder, request, monkeypatch):
    if where == sum_job.CLUSTER:
        address = request.getfixturevalue("client").scheduler.address
        monkeypatch.setenv(sum_job.CLUSTER_ADDRESS, address)
    job = done(folder / "parts", where=where)
    assert (job.problem, job.found.people, job.status[0]) == ("", 18_000, 1.0)
    assert job.status[1].startswith(r"parts\: 18,000 rows, ")


def test_a_job_can_be_stopped_and_says_what_is_wrong_without_a_cell(folder, monkeypatch, caplog):
    stopped = done(folder / "parts", stop=True)
    assert (stopped.found, stopped.problem) == (None, say("stopped"))
    absent = replace(RECIPE, numbers=(*RECIPE.numbers, Number("weight", 0, 1)))
    assert "no column “weight”" in done(folder / "one.csv", recipe=absent).problem
    assert "There is no file" in done(folder / "gone.csv").problem

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
    page = begun()
    assert page.session_state["source"] == say("upload")
    page.put("source", say("server"))
    page.put("server.table", "survey/parts")
    assert any("the first 3,000 rows" in one.value for one in page.markdown)
    assert any("first 5,000 rows" in one.value for one in page.caption)
    assert len(page.named("who.answer").options) == 2, "every row differs, or unknown"
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


def test_the_script_of_a_comparison_sums_up_again(folder, monkeypatch):
    monkeypatch.chdir(folder.parent)
    found = second_moment(Path("survey/parts"), RECIPE, sample=SAMPLED_ROWS)
    data = data_set(found, "survey/parts")
    lines, known = loading_code(data), {}
    assert "survey" not in lines
    exec(compile(lines.replace("PATH_TO_YOUR_FILE", "survey/parts"), "script", "exec"), known)
    np.testing.assert_allclose(known["data"].moment, data.moment, atol=1e-9)
