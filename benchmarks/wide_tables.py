"""How long Explore takes until its curves are there on a wide table: 99,762 people, 401 columns.

The rows are the Census-Income data, each category a column, from the folder that DPCA_DATA names;
without them made-up rows of the same shape. Measured as the page does it, slice after slice with a
content composed after each, but without a server and a browser: seconds from "Use", by the clock,
until the chosen mechanism's first curve, until that of every usual mechanism, and until all is
complete. One ``eigh`` at d = 100 is printed beside, to compare machines.

    python -m benchmarks.wide_tables
    python -m benchmarks.wide_tables --data rand    # a built-in set instead

With ``--columns`` made-up rows of a very wide table: seconds until its first answer, with long work
in another process as on a server, cold and with that process running; and meanwhile what another
visitor's change takes, in milliseconds, beside what it takes alone.

    python -m benchmarks.wide_tables --columns 1990 --rows 120
"""

import argparse
import os
from threading import Event, Thread
from time import perf_counter, process_time
from typing import Any

import numpy as np

from benchmarks.latency import eigh_milliseconds
from dpca_core import MECHANISMS, Adjacency
from dpca_core.data.dataset import Dataset
from dpca_core.mechanisms.registry import shown_by_default
from dpca_core.runtime.offload import set_executor
from sample_data import load_key
from tests.real_data import path_of
from ui.explore.example_loadings_and_projections import SampleReleases
from ui.explore.figures import page_content
from ui.explore.measurements import Study
from ui.explore.progress import progress_of
from ui.explore.query import ExploreQuery
from ui.explore.summary import summarize
from ui.server.background_processes import PAGE_WORKERS
from ui.state.slider_stops import EPSILON_STOPS

FILE, PEOPLE, COLUMNS = "census_income_kdd_nominal_full.parquet", 99_762, 401
LEFT_OUT = ("detailed industry recode", "detailed occupation recode", "income")
"""Columns of the file that repeat others, and what is to be predicted."""
DELTA, TARGET = 1e-6, 0.9


def census() -> Dataset | None:
    """One-hot rows of norm 1, of the most frequent categories; None without the file."""
    import pandas as pd

    path = path_of(FILE)
    if path is None:
        return None
    table = pd.read_parquet(path).iloc[:PEOPLE].drop(columns=list(LEFT_OUT))
    one_hot = pd.get_dummies(table.astype(str))
    kept = one_hot.sum().nlargest(COLUMNS).index
    rows = one_hot[kept].to_numpy(dtype=float) / np.sqrt(table.shape[1])
    return Dataset("census", "Census", "Census", rows, tuple(kept))


def made_up(people: int = PEOPLE, columns: int = COLUMNS) -> Dataset:
    """Rows (people, columns) with a falling spectrum, in the unit ball."""
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((people, columns)) * 0.97 ** np.minimum(np.arange(columns), COLUMNS)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return Dataset("wide", "Made up", "Made up", rows, tuple(f"c{j}" for j in range(columns)))


def compose(study: Study, index: int) -> None:
    """Compute what a painting shows: medians, guarantees, single releases."""
    summarize(study, TARGET)
    samples = SampleReleases(study, index)
    samples.loadings()
    samples.projections()


def beside(work: Any, *given: Any) -> Any:
    """Do long work in another process, as a server does."""
    return PAGE_WORKERS.run(work, *given, on_wait=lambda begun, seconds: None)


def first_answer(data: Dataset, query: ExploreQuery, index: int) -> dict[str, Any]:
    """Measure and compose what a visitor sees first."""
    study = Study(data, query, shown_by_default())
    study.first_paint(index)
    return page_content(
        study, identity="", epsilon=EPSILON_STOPS[index], target=TARGET, samples=None,
        public=False, sentences_within=2,
    )  # fmt: skip


def very_wide(people: int, columns: int, index: int) -> None:
    """Print what a very wide table's first answer takes, and what others wait meanwhile."""
    small = load_key("wine")
    done, waits = Event(), list[float]()

    def query_of(data: Dataset) -> ExploreQuery:
        added = Adjacency.ADD_OR_REMOVE_ONE
        return ExploreQuery(MECHANISMS["gaussian"], 2, DELTA, float(data.people), added, 0)

    def change(into: list[float]) -> None:
        begun = perf_counter()
        first_answer(small, query_of(small), index)
        into.append(1e3 * (perf_counter() - begun))

    def others() -> None:
        while not done.wait(0.1):
            change(waits)

    alone = list[float]()
    for _ in range(20):
        change(alone)
    set_executor(beside)
    thread = Thread(target=others)
    thread.start()
    for state in ("process starts", "process runs"):
        data = made_up(people, columns)
        begun, processor = perf_counter(), process_time()
        first_answer(data, query_of(data), index)
        taken, used = perf_counter() - begun, process_time() - processor
        print(f"the first answer, {state}: {taken:.2f} s, {used:.2f} s of the server's processor")
    done.set()
    thread.join()
    for name, times in (("alone", alone), ("meanwhile", waits)):
        middle, late = np.quantile(times, (0.5, 0.95))
        print(f"another visitor's change {name}: {middle:.0f} ms, 95 % within {late:.0f} ms")
    PAGE_WORKERS.end_idle(0.0)


def main() -> None:
    """Run the benchmark and print its report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--data", help="key of a built-in set")
    parser.add_argument("--k", type=int, default=2)
    parser.add_argument("--epsilon", type=float, default=0.1)
    parser.add_argument("--mechanism", default="gaussian", choices=list(MECHANISMS))
    parser.add_argument("--columns", type=int, help="of a very wide table that is made up")
    parser.add_argument("--rows", type=int, default=120, help="of that table")
    asked = parser.parse_args()
    index = EPSILON_STOPS.index(asked.epsilon)
    if asked.columns:
        very_wide(asked.rows, asked.columns, index)
        return
    data = load_key(asked.data) if asked.data else census() or made_up()
    query = ExploreQuery(
        MECHANISMS[asked.mechanism],
        asked.k,
        DELTA,
        float(data.people),
        Adjacency.ADD_OR_REMOVE_ONE,
        0,
    )
    print(f"{data.name}: {data.people:,} people, {data.d} columns; load {os.getloadavg()[0]:.1f}")
    print(f"{'np.linalg.eigh at d = 100':<44}{eigh_milliseconds():9.2f} ms")
    start, processor = perf_counter(), process_time()

    def report(what: str, paintings: int) -> None:
        now, used = perf_counter() - start, process_time() - processor
        print(f"{what:<44}{now:9.2f} s, {used:7.2f} s of processor, {paintings} paintings")

    study = Study(data, query, shown_by_default())
    study.first_paint(index)
    compose(study, index)
    report("the first answer", 1)
    paintings, curves = 1, set[str]()
    while not study.complete:
        found = {m.key for m in study.mechanisms if study.has_curve(m)}
        if query.mechanism.key in found - curves:
            report("the chosen mechanism's first curve", paintings)
        if len(found) > len(curves) and study.has_all_curves:
            report("every usual mechanism's first curve", paintings)
            print(f"    {progress_of(study)['text']}")
        curves = found
        study.advance()
        compose(study, index)
        paintings += 1
    report("complete", paintings)


if __name__ == "__main__":
    main()
