"""Spend, draw, store, show: what leaves, the order of events, what failures cost, and the files.

They hold what the ledger holds: rebuilt byte for byte, without the table they came from.
"""

import hashlib
import io
import re
import traceback
import zipfile
from dataclasses import replace

import numpy as np
import pytest

from dpca_core.data.errors import TableError
from dpca_core.data.recipe import Combine, MissingPerson, RowLength
from dpca_core.release import exact_sums, reading
from dpca_core.release.draw import NotFinished, draw, finish, noise
from dpca_core.release.exact_noise import RandomBits
from dpca_core.release.grid import GRID
from dpca_core.release.ledger import Ledger, LedgerError, Status
from dpca_core.release.plan import MATRIX, MEANS, SCORES, TABLES, PlanError
from dpca_core.release.published_release import Published
from dpca_core.release.table_source import RowSource, TableSource
from tests.core.release import cases
from tests.core.release.cases import COLUMNS, PRIVATE_MEAN, RECIPE, opened, with_everything

PLAN = cases.some_plan("0.5", recipe=RECIPE)
WAYS = (RECIPE, PRIVATE_MEAN, replace(PRIVATE_MEAN, row_length=RowLength.ONE))
GOLDEN = {
    "gaussian": ("500693c7deb9fc31", "cdaa4dc0eb185a10", "37340e855045d9fb"),
    "wishart_difference": ("1d3adabd6402548a", "cbeccef16bc55869", "91336d7d6c6bc388"),
    "laplace": ("e2429b93604c0e5f", "d6145df7a495b313", "64d788d5a954da7c"),
}
"""SHA-256 of matrix and means, the first 16 digits, for each way to make rows."""


@pytest.fixture
def clinic(tmp_path):
    return opened(tmp_path)


@pytest.mark.parametrize("way", range(3), ids=["bounded", "private mean", "length one"])
@pytest.mark.parametrize("mechanism", cases.NOISES)
def test_what_leaves_is_the_exact_table_plus_the_noise_of_the_plan(tmp_path, mechanism, way):
    """To the last bit what the program has always drawn from the same bits."""
    plan = with_everything(mechanism, WAYS[way])
    source = TableSource([cases.table(tmp_path)], WAYS[way])
    clinic = opened(tmp_path, "10", "1e-6" if plan.gaussian else "0")
    tables = draw(*clinic, plan, source, cases.repeating_bits(11)).reading.tables
    whole = tables[MATRIX].tobytes() + tables[MEANS].tobytes()
    assert hashlib.sha256(whole).hexdigest()[:16] == GOLDEN[mechanism][way]
    centre = exact_sums.released_mean(tables[MEANS]) if plan.private_mean else None
    # Along the directions of the released matrix: those of the exact one would tell of it.
    along = exact_sums.score_directions(tables[MATRIX]), plan.scores.bins, plan.scores.reach
    counts = exact_sums.score_counts(source, *along, centre, length_one=way == 2)
    assert counts.sum() == exact_sums.exact_sums(source).c == cases.PEOPLE
    bits = cases.repeating_bits(11)
    drawn = {name: noise(plan, name, tables[name].shape, bits) for name in TABLES}
    assert (tables[SCORES] == counts * GRID + drawn[SCORES]).all()


def rows_after(before):
    """Fifty rows; whenever they are read, something is done first."""
    rows = RowSource(np.random.default_rng(1).normal(size=(50, 4)), COLUMNS)
    blocks = rows.blocks
    rows.blocks = lambda: before() or blocks()
    return rows


def bits_after(before):
    bits = np.random.default_rng(2).bytes
    return RandomBits(lambda size: before() or bits(size))


CELL = "the cell 123.456"
SAID = {Status.SPENT: "costs nothing more", Status.DRAWN: "costs as much again"}
FAILURES = {
    Status.SPENT: ("told spent", "reading rows", "before begin_drawing"),
    Status.DRAWN: ("after begin_drawing", "told drawn", "before publish"),
    Status.PUBLISHED: ("after publish", "told published"),
}


@pytest.mark.parametrize("failure", [KeyError(CELL), KeyboardInterrupt(CELL)])
@pytest.mark.parametrize(
    ("where", "status"), [(where, status) for status in FAILURES for where in FAILURES[status]]
)
def test_what_a_failure_costs_is_what_the_ledger_says(clinic, monkeypatch, where, status, failure):
    """It quotes nothing and keeps no other error, and no bit is asked for before it is recorded."""
    asked, (_, name) = [], where.split()

    def fail_at(place):
        if place == where:
            raise failure

    if hasattr(Ledger, name):
        real = getattr(Ledger, name)

        def lost(*given):
            fail_at(f"before {name}")
            real(*given)
            fail_at(f"after {name}")

        monkeypatch.setattr(Ledger, name, lost)
    rows, bits = rows_after(lambda: fail_at("reading rows")), bits_after(lambda: asked.append(1))
    given = *clinic, PLAN, rows, bits, lambda reached: fail_at(f"told {reached}")
    if status is Status.PUBLISHED:
        shown = draw(*given)
        assert shown.row == clinic.ledger.release(shown.row.id)
    else:
        with pytest.raises(NotFinished, match=SAID[status]) as found:
            draw(*given)
        assert CELL not in "".join(traceback.format_exception(found.value))
        assert found.value.__context__ is None
        assert found.value.__cause__ is None
    assert clinic.statuses() == [status]
    assert bool(asked) == (name in ("publish", "published"))


def test_a_release_whose_rows_could_not_be_read_is_finished_for_nothing(tmp_path, clinic):
    ledger, account = clinic
    row = ledger.spend(account, PLAN)
    for source, said in ((None, "needs the table"), (RowSource(np.ones((3, 2))), "other columns")):
        with pytest.raises((LedgerError, PlanError), match=said):
            finish(ledger, row, source)
    titled = replace(RECIPE, numbers=tuple(replace(of, title="What?") for of in RECIPE.numbers))
    release = finish(ledger, row, TableSource([cases.table(tmp_path)], titled))
    assert release.row.status is Status.PUBLISHED
    assert finish(ledger, row, None).row == release.row
    assert ledger.releases(account)[-1].total == row.total


def test_what_can_be_refused_is_refused_before_anything_is_spent(tmp_path):
    clinic, path = opened(tmp_path, "10"), cases.table(tmp_path)
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    several = replace(RECIPE, person=("age",), combine=Combine.AT_MOST, most=5)
    wider = replace(RECIPE, numbers=(replace(RECIPE.numbers[0], high=900.0), *RECIPE.numbers[1:]))
    of_several = replace(PLAN, recipe=several, scales={})
    small = {MATRIX: {"a": 10**9, "b": 2 * 10**9}}
    for plan, source, said in (
        (PLAN, TableSource([tmp_path / "other.csv"], RECIPE), "no column “age”"),
        (PLAN, RowSource(np.ones((3, 2))), "other columns"),
        (PLAN, TableSource([path], several), "otherwise"),
        (PLAN, TableSource([path], wider), "otherwise"),
        (of_several, RowSource(np.ones((3, 4)), COLUMNS), "otherwise"),
        (replace(PLAN, scales=small), TableSource([path], RECIPE), "smaller than its budget"),
        (replace(PLAN, practice="RAND"), TableSource([path], RECIPE), "built-in data only"),
    ):
        with pytest.raises((PlanError, TableError), match=said):
            draw(*clinic, plan, source)
    assert clinic.statuses() == []
    with pytest.raises(PlanError, match="without an ID"):
        replace(PLAN, recipe=replace(several, missing_person=MissingPerson.OWN))


ODD = ("", "1,2,3,4\n", "x,,nan,1e999\n", '"1,2,3,4\n5,6,7,8\n', "\x00\n,,,,,,,,\n\n\n")


def test_no_rows_and_odd_rows_end_like_any_others(tmp_path):
    clinic, path, plan = opened(tmp_path, "10"), tmp_path / "odd.csv", with_everything()
    shapes = {name: found.shape for name, found in cases.made_up(plan).items()}
    for content in ODD:
        path.write_text(",".join(COLUMNS) + "\n" + content)
        odd = draw(*clinic, plan, TableSource([path], RECIPE))
        assert {name: found.shape for name, found in odd.reading.tables.items()} == shapes
        assert "certificate.json" in odd.files()


SECRETS = ("7919", "7,919", "123.4567", "777.25", "88.125", "31.4159", "secret_extract")


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """Return the folder of a ledger, and the files of a release of 7,919 people.

    Their values can be told anywhere; most are cut to their ranges.
    """
    folder = tmp_path_factory.mktemp("people")
    path = folder / "secret_extract_of_clinic.csv"
    path.write_text(",".join(COLUMNS) + "\n" + "123.4567,777.25,88.125,31.4159\n" * 7919)
    source = TableSource([path], RECIPE)
    release = draw(*opened(folder), with_everything(), source, cases.repeating_bits(77))
    path.rename(folder / "gone")
    return folder, release.files(), release.zipped()


def test_every_file_is_rebuilt_from_the_ledger_alone_without_a_minute(drawn):
    """Minutes would give the run time and with it the number of rows."""
    folder, files, archive = drawn
    ledger = Ledger(folder / "ledger.sqlite")
    (listed,) = ledger.releases(ledger.account("Clinic"))
    for simulated in (reading.noise_quantile, reading._simulated):
        simulated.cache_clear()
    again = Published(ledger.release(listed.id))
    assert again.files() == files
    assert again.zipped() == archive
    with zipfile.ZipFile(io.BytesIO(archive)) as entries:
        assert {name: entries.read(name) for name in entries.namelist()} == files
        assert {entry.date_time[3:] for entry in entries.infolist()} == {(0, 0, 0)}
    for name in ("certificate.json", "matrix.csv", "README.txt"):
        assert not re.search(rb"\d\d:\d\d|\d{4}-\d\d-\d\d[T ]\d", files[name]), name


def test_nothing_that_was_read_from_the_table_is_in_a_file(drawn):
    """A noisy count such as 7919.83 is published; the number itself is not."""
    _, files, _ = drawn
    assert {"matrix.csv", "means.csv", "scores.csv", "certificate.json", "report.html"} < set(files)
    for name, content in files.items():
        for told in SECRETS:
            secret = rf"(?<![\d.]){re.escape(told)}(?!\.?\d)"
            assert not re.search(secret, content.decode()), (name, told)


def below_comments(content):
    return [line for line in content.decode().splitlines() if not line.startswith("#")]


def test_numbers_have_nine_digits_and_names_open_no_formula_and_hide_no_row(drawn):
    _, files, _ = drawn
    for name in ("directions.csv", "spectrum.csv", "means.csv"):
        found = re.findall(r"(?<=,)-?(\d+\.\d+)", "\n".join(below_comments(files[name])))
        assert max(len(number.replace(".", "").lstrip("0")) for number in found) == 9, name
    odd = with_everything(recipe=cases.ODDLY_NAMED, practice="made-up people")
    files = cases.published(odd).files()
    for name, rows in (("matrix.csv", odd.d), ("directions.csv", odd.d), ("means.csv", odd.d + 1)):
        table = below_comments(files[name])
        assert len(table) == 1 + rows, name
        assert not any(line.lstrip('"')[:1] in "=+-@" for line in table), name
