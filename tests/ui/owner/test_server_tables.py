"""A table on the server: what is offered, the job that sums it, and what the page says."""

import os
import time
from dataclasses import replace
from pathlib import Path

import pytest
import streamlit
from distributed import Client
from streamlit.testing.v1 import AppTest

from dpca_core.data.recipe import Number
from tests.core.streaming.survey import RECIPE, people
from tests.paths import ROOT
from tests.ui.owner.uploads import named
from ui.owner import server_folders, streaming_job
from ui.owner.draft import EVERY_ROW
from ui.owner.session import OWNER, STEP
from ui.owner.steps import Step
from ui.owner.text_table import SERVER, STOPPED, UPLOAD, duration
from ui.server import stoppable_thread

DATA_PAGE = str(ROOT / "pages" / "data.py")


def test_only_tables_in_allowed_folders_are_offered(folder: Path) -> None:
    parts = {f"survey/parts/{i}.csv" for i in range(6)}
    assert set(server_folders.tables()) == {
        "survey/one.csv",
        "survey/two.parquet",
        "survey/parts",
        *parts,
    }
    assert list(streaming_job.places(folder / "one.csv")) == [streaming_job.IN_PROCESS]
    assert list(streaming_job.places(folder / "parts")) == [
        streaming_job.IN_PROCESS,
        streaming_job.PROCESSES,
    ]


def test_a_folder_that_a_link_leads_out_of_is_not_offered_as_a_whole(folder: Path) -> None:
    (folder / "parts" / "9.csv").symlink_to(folder.parent / "outside" / "secret.csv")
    assert "survey/parts" not in server_folders.tables()
    assert "survey/parts/9.csv" not in server_folders.tables()
    assert "survey/parts/0.csv" in server_folders.tables()


def test_folders_of_one_name_are_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    roots = [tmp_path / side / "data" for side in ("a", "b")]
    for root in roots:
        root.mkdir(parents=True)
        people(5).to_csv(root / "t.csv", index=False)
    monkeypatch.setenv(server_folders.FOLDERS_VARIABLE, os.pathsep.join(map(str, roots)))
    assert set(server_folders.tables().values()) == {root.resolve() / "t.csv" for root in roots}


def test_without_a_name_there_is_no_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(server_folders.FOLDERS_VARIABLE, raising=False)
    assert server_folders.tables() == {}
    page = AppTest.from_file(DATA_PAGE, default_timeout=60).run()
    assert not page.exception
    assert "source" not in page.session_state


def test_with_a_folder_the_page_asks_where_the_table_is(folder: Path) -> None:
    page = AppTest.from_file(DATA_PAGE, default_timeout=60).run()
    assert not page.exception
    assert page.session_state["source"] == UPLOAD


@pytest.mark.parametrize(
    "where", [streaming_job.IN_PROCESS, streaming_job.PROCESSES, streaming_job.CLUSTER]
)
def test_a_job_ends_with_a_data_set(
    where: str, folder: Path, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(streaming_job.CLUSTER_ADDRESS, client.scheduler.address)
    job = streaming_job.StreamingJob("parts", folder / "parts", RECIPE, where)
    assert job.status[0] == 0.0
    assert job.status[1].startswith("Waiting")
    job.start()
    assert job.thread is not None
    job.thread.join(60)
    assert job.problem == ""
    assert job.found is not None
    assert job.found.people == 18_000
    share, text = job.status
    assert share == 1.0
    assert text.startswith(r"parts\: 18,000 rows, ")
    assert text.endswith(" a second.")


def test_a_job_can_be_stopped_and_says_what_is_wrong(folder: Path) -> None:
    stopped = streaming_job.StreamingJob("parts", folder / "parts", RECIPE)
    stopped.stop.set()
    wrong = streaming_job.StreamingJob(
        "one.csv", folder / "one.csv", replace(RECIPE, categories=())
    )
    absent = Number("weight", 0, 1)
    lacking = replace(wrong, recipe=replace(RECIPE, numbers=(*RECIPE.numbers, absent)))
    gone = streaming_job.StreamingJob("gone.csv", folder / "gone.csv", RECIPE)
    for job, said in (
        (stopped, STOPPED),
        (lacking, "no column weight"),
        (gone, "There is no file"),
    ):
        job.start()
        assert job.thread is not None
        job.thread.join(60)
        assert job.found is None
        assert said in job.problem


def test_what_nobody_foresaw_is_one_sentence(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: object, **options: object) -> None:
        raise KeyError("inside")

    monkeypatch.setattr(streaming_job, "second_moment", broken)
    job = streaming_job.StreamingJob("one.csv", folder / "one.csv", RECIPE)
    job.start()
    assert job.thread is not None
    job.thread.join(60)
    assert job.problem == "one.csv cannot be processed; it may be damaged."


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.2, "1 second"), (8.4, "8 seconds"), (89, "89 seconds"), (200, "3 min")]
)
def test_times_to_wait(seconds: float, text: str) -> None:
    assert duration(seconds).startswith(text)


def test_the_page_sums_up_and_opens_what_it_has(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streamlit, "switch_page", lambda page: None)
    monkeypatch.setattr(stoppable_thread.SESSIONS, "has_ended", lambda session: False)
    page = AppTest.from_file(DATA_PAGE, default_timeout=60)
    page.session_state["source"] = SERVER
    page.run()
    page.selectbox(key="server.table").set_value("survey/parts").run()
    assert not page.exception
    assert any("the first 3,000 rows" in one.value for one in page.markdown)
    assert any("first 5,000 rows" in one.value for one in page.caption)
    answers = named(page.radio, "who.answer")
    assert len(answers.options) == 2, (
        "every row differs, or nobody can tell: one pass knows no more"
    )
    answers.set_value(EVERY_ROW).run()
    ranges = {"age": ("0", "100"), "height": ("1.2", "2.2")}
    edits = {name: {"low": low, "high": high} for name, (low, high) in ranges.items()}
    draft = page.session_state[OWNER].draft.merge({**edits, "sex": {"values": "f; m"}})
    page.session_state[OWNER] = replace(page.session_state[OWNER], draft=draft)
    page.session_state[STEP] = Step.DECIDE
    page.run()
    assert not page.exception
    assert page.query_params["step"] == "decide"
    page.button(key="decide-look").click().run()
    deadline = time.monotonic() + 60
    while not page.session_state["datasets"] if "datasets" in page.session_state else True:
        assert time.monotonic() < deadline
        page.run()
    (data,) = page.session_state["datasets"].values()
    assert page.session_state[OWNER].draft.looked
    assert data.people == 18_000
    assert data.summed is not None


def test_after_no_the_same_table_is_asked_about_again(folder: Path) -> None:
    (folder / "western.csv").write_bytes("Größe;Gewicht\n171;70\n180;80\n".encode("cp1252"))
    page = AppTest.from_file(DATA_PAGE, default_timeout=60).run()
    page.segmented_control(key="source").set_value(SERVER).run()
    for _ in range(2):
        page.selectbox(key="server.table").set_value("survey/western.csv").run()
        named(page.button, "owner-reading-encoding-1").click().run()
        assert "CSV UTF-8" in page.error[0].value
        page.selectbox(key="server.table").set_value(None).run()
        assert not page.exception
