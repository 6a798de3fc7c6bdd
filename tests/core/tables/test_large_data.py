"""The examples of docs/large-data.md, run; Dask with two workers."""

import os
import re
import signal
import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from dpca_core.data.errors import RecipeError, TableError
from dpca_core.tables.dask_sum import dask_sum
from dpca_core.tables.prepare import prepare
from dpca_core.tables.second_moment import Cancelled, second_moment
from tests.core.tables.text_tables import same
from tests.paths import ROOT

TEXT = (ROOT / "docs" / "large-data.md").read_text("utf-8")
RNG, ROWS = np.random.default_rng(0), 2000
PEOPLE = pd.DataFrame(
    {
        "person": RNG.integers(0, ROWS // 2, ROWS),
        "region": RNG.choice(["north", "south", "west"], ROWS),
        "age": RNG.integers(-5, 120, ROWS).astype(float),
        "height": RNG.normal(1.7, 0.3, ROWS),
        "sex": RNG.choice(["f", "m ", "x"], ROWS),
    }
)
PEOPLE = PEOPLE.mask(RNG.random(PEOPLE.shape) < [0, 0, 0.1, 0.1, 0.1])


def run(word, **known):
    """Run the one example with this word; return its names."""
    (code,) = (code for code in re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL) if word in code)
    exec(compile(code, word, "exec"), known)
    return known


@pytest.fixture
def example(tmp_path, monkeypatch):
    """Names after the first example has run."""
    (tmp_path / "people").mkdir()
    for i in range(5):
        PEOPLE.iloc[i * 400 : (i + 1) * 400].to_parquet(tmp_path / "people" / f"{i}.parquet")
    monkeypatch.chdir(tmp_path)
    return run('recipe = Recipe(\n    (Number("age"')


def test_one_machine_with_a_private_mean_and_with_persons_of_any_files(example):
    data = prepare(PEOPLE, example["recipe"], "people")
    assert same(example["problem"].moment, data.moment)
    names = run("private_mean_of_sum(", **example)
    assert names["problem"].n == len(PEOPLE)
    assert names["left"].epsilon == pytest.approx(0.9)
    recipe = replace(example["recipe"], person=("person",))
    found, data = second_moment("people", recipe), prepare(PEOPLE, recipe, "people")
    assert same(found.problem(2).moment, data.moment), "as no sum of parts could be"
    assert found.people == data.people == PEOPLE.person.nunique()


def test_dask_sums_up_partitions_and_says_what_is_wrong_in_one_sentence(example, monkeypatch):
    """Without processes."""
    import dask
    import dask.dataframe as dd
    from distributed import Client

    recipe = example["recipe"]
    parts = [dask.delayed(PEOPLE.iloc[a : a + 500]) for a in range(0, 2000, 500)]
    persons = replace(recipe, person=("person",))
    with Client(processes=False, dashboard_address=None) as client:
        for collection in (dd.from_pandas(PEOPLE, npartitions=20), parts, "people"):
            found = dask_sum(collection, recipe, client, sample=20)
            assert same(found.moment, example["problem"].moment)
            assert (found.rows, found.columns) == (2000, recipe.coded_names)
            assert found.sample.rows.shape == (20, len(found.columns))
        for collection, given, words in (
            ([PEOPLE.drop(columns="age")], recipe, r"no column “age”\.$"),
            ([], recipe, "no partition"),
            (3, recipe, "Pass a Dask data frame"),
            ("people", persons, "may lie in several parts"),
        ):
            with pytest.raises((TableError, RecipeError, ValueError), match=words):
                dask_sum(collection, given, client)
        monkeypatch.setitem(sys.modules, "dask", None)
        with pytest.raises(ImportError, match=r"Dask is not installed: .*\.$"):
            dask_sum(parts, recipe, client)
        monkeypatch.undo()


@pytest.mark.long("Dask starts processes")
def test_two_processes_say_how_far_they_are_and_one_that_is_killed_costs_no_row(example, client):
    recipe, told, killed = example["recipe"], [], []
    names = run("dd.read_parquet", recipe=recipe, client=client)
    assert names["people"].npartitions > 1
    assert same(names["problem"].moment, example["problem"].moment)
    dask_sum("people", recipe, client, on_progress=told.append)
    assert (told[-1].rows, told[-1].done) == (2000, 1.0)
    assert [p.done for p in told] == sorted(p.done for p in told)
    with pytest.raises(Cancelled):
        dask_sum("people", recipe, client, on_progress=lambda _: False)

    def kill(progress):
        if progress.rows and not killed:
            killed.append(next(iter(client.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)

    found = dask_sum("people", recipe, client, on_progress=kill)
    assert killed
    assert same(found.moment, example["problem"].moment)
    assert found.rows == 2000
