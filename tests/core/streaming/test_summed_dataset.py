"""A table on the server: what is offered, its first rows, its sum as a data set, its progress."""

import gzip
import os
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from distributed import Client, LocalCluster
from scipy.stats import chi2
from streamlit.testing.v1 import AppTest

from dpca_core import Budget
from dpca_core.data.column_names import TableError
from dpca_core.data.recipe import Category, Number, NumberFormat, Recipe, RecipeError, Scaling
from dpca_core.preparation import prepare
from dpca_core.readers.preview import BYTES, ROWS, format_of, head_of
from dpca_core.streaming.dask_moment import dask_moment
from dpca_core.streaming.moments import merge
from dpca_core.streaming.row_sample import RowSample
from dpca_core.streaming.second_moment import Cancelled, Progress, second_moment
from dpca_core.streaming.summed_dataset import SHOWN, data_set
from tests.paths import ROOT
from ui.compare.export import _load
from ui.data import server_tables, streaming_job
from ui.server import background_job

DATA_PAGE = str(ROOT / "pages" / "data.py")
RECIPE = Recipe(
    (Number("age", 0, 100), Number("height", 1.2, 2.2)), (Category("sex", ("f", "m")),),
    bounds_are_public=True,
)  # fmt: skip


def people(rows: int, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    age, height = rng.integers(18, 99, rows), rng.normal(1.7, 0.2, rows).round(3)
    return pd.DataFrame({"age": age, "height": height, "sex": rng.choice(["f", "m"], rows)})


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An allowed folder with two files, a folder of six, and what must not be offered."""
    root, outside = tmp_path / "survey", tmp_path / "outside"
    (root / "parts").mkdir(parents=True)
    outside.mkdir()
    people(500).to_csv(root / "one.csv", index=False)
    people(500).to_parquet(root / "two.parquet")
    for i in range(6):
        people(3000, i).to_csv(root / "parts" / f"{i}.csv", index=False)
    people(9).to_csv(outside / "secret.csv", index=False)
    (root / "link.csv").symlink_to(outside / "secret.csv")
    (root / "way").symlink_to(outside, target_is_directory=True)
    people(9).to_csv(root / ".hidden.csv", index=False)
    (root / "notes.md").write_text("nothing")
    monkeypatch.setenv(server_tables.FOLDERS, os.pathsep.join([str(root), str(tmp_path / "no")]))
    return root


def test_only_tables_in_allowed_folders_are_offered(folder: Path) -> None:
    parts = {f"survey/parts/{i}.csv" for i in range(6)}
    assert set(server_tables.tables()) == {
        "survey/one.csv", "survey/two.parquet", "survey/parts", *parts
    }  # fmt: skip
    assert list(streaming_job.places(folder / "one.csv")) == [streaming_job.HERE]
    assert list(streaming_job.places(folder / "parts")) == [
        streaming_job.HERE,
        streaming_job.PROCESSES,
    ]


def test_a_folder_that_a_link_leads_out_of_is_not_offered_as_a_whole(folder: Path) -> None:
    (folder / "parts" / "9.csv").symlink_to(folder.parent / "outside" / "secret.csv")
    assert "survey/parts" not in server_tables.tables()
    assert "survey/parts/9.csv" not in server_tables.tables()
    assert "survey/parts/0.csv" in server_tables.tables()


def test_folders_of_one_name_are_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    roots = [tmp_path / side / "data" for side in ("a", "b")]
    for root in roots:
        root.mkdir(parents=True)
        people(5).to_csv(root / "t.csv", index=False)
    monkeypatch.setenv(server_tables.FOLDERS, os.pathsep.join(map(str, roots)))
    assert set(server_tables.tables().values()) == {root.resolve() / "t.csv" for root in roots}


def test_without_a_name_there_is_no_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(server_tables.FOLDERS, raising=False)
    assert server_tables.tables() == {}
    page = AppTest.from_file(DATA_PAGE, default_timeout=60).run()
    assert not page.exception
    assert "source" not in page.session_state


def test_with_a_folder_the_page_asks_where_the_table_is(folder: Path) -> None:
    page = AppTest.from_file(DATA_PAGE, default_timeout=60).run()
    assert not page.exception
    assert page.session_state["source"] == server_tables.UPLOAD


@pytest.mark.parametrize("packed", [False, True])
def test_the_first_rows_end_with_a_whole_line(tmp_path: Path, packed: bool) -> None:
    rows = 40_000
    text = "a;b;c\n" + "".join(f'{i},5;"x;y{"z" * 200}";{i % 7}\n' for i in range(rows))
    assert len(text) > BYTES
    path = tmp_path / ("t.csv.gz" if packed else "t.csv")
    path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    found = head_of(path)
    assert 0 < len(found) < rows
    assert list(found["a"]) == [i + 0.5 for i in range(len(found))]
    assert format_of(path) == NumberFormat(";", ",")
    assert head_of(path, NumberFormat(";", "."))["a"][1] == "1,5"


def test_the_first_rows_of_parquet_and_of_a_folder(folder: Path, tmp_path: Path) -> None:
    long = tmp_path / "long.parquet"
    people(3 * ROWS).to_parquet(long)
    assert len(head_of(long)) == ROWS
    pd.testing.assert_frame_equal(head_of(folder / "parts"), head_of(folder / "parts" / "0.csv"))
    with pytest.raises(TableError, match="damaged"):
        head_of(_written(tmp_path / "cut.parquet", long.read_bytes()[:5000]))
    with pytest.raises(TableError, match="damaged"):
        head_of(
            _written(tmp_path / "cut.csv.gz", gzip.compress(people(99).to_csv().encode())[:-40])
        )


def _written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("way", ["one stream", "chunks", "merged"])
def test_every_row_is_as_likely_to_be_kept(way: str) -> None:
    """χ² of how often each of 40 rows is among 8, in 4,000 samples; it fails once in 10⁶."""
    rng, rows, counts = np.random.default_rng(5), np.arange(40.0)[:, None], np.zeros(40)
    for _ in range(4000):
        none = RowSample.none(8, 1)
        match way:
            case "one stream":
                found = none.seen(rows, rng)
            case "chunks":
                found = none
                for start in range(0, 40, 7):
                    found = found.seen(rows[start : start + 7], rng)
            case _:
                found = none.seen(rows[:5], rng).merged(none.seen(rows[5:], rng))
        assert len(found.rows) == 8
        counts[found.rows[:, 0].astype(int)] += 1
    # Without replacement the counts vary by 1 − 8/40 less than a multinomial's would.
    statistic = np.sum((counts - 800) ** 2 / 800) / (1 - 8 / 40) * 39 / 40
    assert statistic < chi2.isf(1e-6, 39)
    assert statistic > chi2.ppf(1e-6, 39)


def test_a_sum_is_the_data_set_of_the_whole_table(folder: Path) -> None:
    table = pd.concat([people(3000, i) for i in range(6)], ignore_index=True)
    whole = prepare(table, RECIPE, "x")
    summed = data_set(second_moment(folder / "parts", RECIPE, sample=SHOWN), "x")
    np.testing.assert_allclose(summed.moment, whole.moment, rtol=1e-12)
    assert (summed.people, summed.columns, summed.d) == (18_000, whole.columns, whole.d)
    assert summed.clipped_cells == pytest.approx(whole.clipped_cells)
    assert summed.clipped_rows == pytest.approx(whole.clipped_rows)
    assert summed.leaks == whole.leaks
    assert summed.private
    budget = Budget(1.0, 1e-6)
    ours, theirs = (data.point(2, None, budget)[0] for data in (summed, whole))
    np.testing.assert_allclose(ours.spectrum, theirs.spectrum, rtol=1e-10)
    every = {row.tobytes() for row in whole.rows}
    assert summed.rows.shape == (SHOWN, 4)
    assert all(row.tobytes() in every for row in summed.rows)


def test_the_name_of_a_sum_tells_nothing_of_it(folder: Path) -> None:
    found = second_moment(folder / "parts", RECIPE, sample=10)
    first, again = data_set(found, "survey"), data_set(found, "survey")
    assert first.identity == first.key != again.identity
    assert "survey" not in first.identity


def test_ranges_that_were_not_asked_for_do_not_keep_parts_from_merging() -> None:
    nan = float("nan")
    recipe = replace(
        RECIPE, numbers=(Number("age", nan, nan), Number("height", nan, nan)), radius=90.0,
        scaling=Scaling.NORM_ONLY,
    )  # fmt: skip
    again = replace(recipe, numbers=tuple(Number(n.name, float("nan"), float("nan"))
                                          for n in recipe.numbers))  # fmt: skip
    both = merge(second_moment(people(50), recipe), second_moment(people(50, 1), again))
    assert both.rows == 100


def test_what_a_sum_cannot_be() -> None:
    found = second_moment(people(100), RECIPE, sample=5)
    with pytest.raises(RecipeError, match="private mean"):
        data_set(replace(found, recipe=replace(RECIPE, scaling=Scaling.PRIVATE_MEAN)), "x")
    with pytest.raises(RecipeError, match="1 rows"):
        data_set(second_moment(people(1), RECIPE, sample=5), "x")
    with pytest.raises(ValueError, match="sample"):
        data_set(second_moment(people(100), RECIPE), "x")


def test_the_script_of_a_comparison_sums_up_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder.parent)
    data = data_set(second_moment(Path("survey/parts"), RECIPE, sample=SHOWN), "survey/parts")
    lines, known = _load(data), {}
    assert "survey" not in lines
    exec(compile(lines.replace("PATH_TO_YOUR_FILE", "survey/parts"), "script", "exec"), known)
    np.testing.assert_allclose(known["data"].moment, data.moment, atol=1e-9)


@pytest.fixture(scope="module")
def client():
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as connected,
    ):
        yield connected


def test_two_workers_sum_up_a_folder_and_say_how_far_they_are(folder: Path, client: Client) -> None:
    told: list[Progress] = []
    found = dask_moment(
        folder / "parts", RECIPE, client, on_progress=lambda p: told.append(p), sample=50
    )
    alone = second_moment(folder / "parts", RECIPE)
    np.testing.assert_allclose(found.moment, alone.moment, rtol=1e-10)
    assert (told[-1].rows, told[-1].done) == (18_000, 1.0)
    assert [p.done for p in told] == sorted(p.done for p in told if p.done is not None)
    assert found.sample is not None
    assert found.sample.rows.shape == (50, 4)
    with pytest.raises(Cancelled):
        dask_moment(folder / "parts", RECIPE, client, on_progress=lambda _: False)


@pytest.mark.parametrize(
    "where", [streaming_job.HERE, streaming_job.PROCESSES, streaming_job.CLUSTER]
)
def test_a_job_ends_with_a_data_set(
    where: str, folder: Path, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(streaming_job.ADDRESS, client.scheduler.address)
    job = streaming_job.Job("parts", folder / "parts", RECIPE, where)
    assert streaming_job.said(job)[0] == 0.0
    assert "waits" in streaming_job.said(job)[1]
    job.start()
    assert job.thread is not None
    job.thread.join(60)
    assert job.problem == ""
    assert job.found is not None
    assert job.found.people == 18_000
    share, text = streaming_job.said(job)
    assert share == 1.0
    assert text.startswith(r"parts\: 18,000 rows, ")
    assert text.endswith(" a second.")


def test_a_job_can_be_stopped_and_says_what_is_wrong(folder: Path) -> None:
    stopped = streaming_job.Job("parts", folder / "parts", RECIPE)
    stopped.stop.set()
    wrong = streaming_job.Job("one.csv", folder / "one.csv", replace(RECIPE, categories=()))
    absent = Number("weight", 0, 1)
    lacking = replace(wrong, recipe=replace(RECIPE, numbers=(*RECIPE.numbers, absent)))
    gone = streaming_job.Job("gone.csv", folder / "gone.csv", RECIPE)
    for job, said in (
        (stopped, streaming_job.STOPPED), (lacking, "no column weight"), (gone, "There is no file"),
    ):  # fmt: skip
        job.start()
        assert job.thread is not None
        job.thread.join(60)
        assert job.found is None
        assert said in job.problem


def test_what_nobody_foresaw_is_one_sentence(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: object, **options: object) -> None:
        raise KeyError("inside")

    monkeypatch.setattr(streaming_job, "second_moment", broken)
    job = streaming_job.Job("one.csv", folder / "one.csv", RECIPE)
    job.start()
    assert job.thread is not None
    job.thread.join(60)
    assert job.problem == "one.csv cannot be summed up; it may be damaged."


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.2, "1 second"), (8.4, "8 seconds"), (89, "89 seconds"), (200, "3 min")]
)
def test_times_to_wait(seconds: float, text: str) -> None:
    assert streaming_job.duration(seconds).startswith(text)


def test_the_page_sums_up_and_opens_what_it_has(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background_job.VISITS, "left", lambda session: False)
    page = AppTest.from_file(DATA_PAGE, default_timeout=60)
    page.session_state["source"] = server_tables.SERVER
    page.run()
    page.selectbox(key="server.table").set_value("survey/parts").run()
    assert not page.exception
    assert any("first 3,000 rows" in one.value for one in page.markdown)
    page.button(key="fill").click().run()
    page.button(key="sum.start").click().run()
    deadline = time.monotonic() + 60
    while not page.session_state["datasets"] if "datasets" in page.session_state else True:
        assert time.monotonic() < deadline
        page.run()
    (data,) = page.session_state["datasets"].values()
    assert data.people == 18_000
    assert data.summed is not None
    assert not data.private
