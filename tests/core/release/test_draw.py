"""Spend, draw, store, show: what leaves, the order of events, what failures cost, and the files.

They hold what the ledger holds: rebuilt byte for byte, without the table they came from.
"""

import hashlib
import io
import re
import traceback
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from dpca_core.data.errors import TableError
from dpca_core.data.recipe import Combine, MissingPerson, RowLength
from dpca_core.release import reading
from dpca_core.release.draw import NotFinished, draw, finish, noise
from dpca_core.release.exact_noise import RandomBits
from dpca_core.release.exact_sums import exact_sums, released_mean, score_counts, score_directions
from dpca_core.release.grid import GRID, Whole
from dpca_core.release.ledger import Ledger, LedgerError, Status
from dpca_core.release.plan import MATRIX, MEANS, SCORES, TABLES, PlanError
from dpca_core.release.published_release import Published
from dpca_core.release.table_source import RowSource, TableSource
from tests.core.release.cases import (
    COLUMNS,
    NOISES,
    ODD_NAMES,
    ODDLY_NAMED,
    PEOPLE,
    PRIVATE_MEAN,
    RECIPE,
    made_up,
    opened,
    plan,
    published,
    repeating_bits,
    table,
    with_everything,
)
from tests.product_source import modules_imported

ONE = replace(PRIVATE_MEAN, row_length=RowLength.ONE)
WAYS = {"bounded": RECIPE, "private mean": PRIVATE_MEAN, "length one": ONE}


GOLDEN = {
    "gaussian": ("500693c7deb9fc31", "cdaa4dc0eb185a10", "37340e855045d9fb"),
    "wishart_difference": ("1d3adabd6402548a", "cbeccef16bc55869", "91336d7d6c6bc388"),
    "laplace": ("e2429b93604c0e5f", "d6145df7a495b313", "64d788d5a954da7c"),
}
"""SHA-256 of matrix and means, the first 16 digits, for each way."""


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("mechanism", NOISES)
def test_what_leaves_is_the_exact_table_plus_the_noise_of_the_plan(tmp_path, mechanism, way):
    """To the last bit what the program has always drawn from the same bits."""
    wanted = with_everything(mechanism, WAYS[way])
    source = TableSource([table(tmp_path)], WAYS[way])
    clinic = opened(tmp_path, "10", "1e-6" if wanted.gaussian else "0")
    tables = draw(*clinic, wanted, source, repeating_bits(11)).reading.tables
    whole = tables[MATRIX].tobytes() + tables[MEANS].tobytes()
    assert hashlib.sha256(whole).hexdigest()[:16] == GOLDEN[mechanism][[*WAYS].index(way)]
    centre = released_mean(tables[MEANS]) if wanted.private_mean else None
    along, one, scores = score_directions(tables[MATRIX]), way == "length one", wanted.scores
    counts = score_counts(source, along, scores.bins, scores.reach, centre, length_one=one)
    assert counts.sum() == exact_sums(source).c == PEOPLE
    # Along the directions of the released matrix: those of the exact one would tell of it.
    bits = repeating_bits(11)
    drawn = {name: noise(wanted, name, tables[name].shape, bits) for name in TABLES}
    assert (tables[SCORES] == counts * GRID + drawn[SCORES]).all()


class Rows(RowSource):
    """Fifty rows; whenever they are read, something is done first."""

    def __init__(self, before: Callable[[], object] = lambda: None) -> None:
        super().__init__(np.random.default_rng(1).normal(size=(50, 4)), columns=COLUMNS)
        self._before = before

    def blocks(self) -> Iterator[Whole]:
        self._before()
        return super().blocks()


def failing(*_: object, **__: object) -> bytes:
    raise KeyError(CELL)


FREE, AGAIN, CELL = "costs nothing more", "costs as much again", "the cell 123.456"


@pytest.fixture
def clinic(tmp_path):
    return opened(tmp_path)


def statuses(clinic) -> list[str]:
    ledger, account = clinic
    return [row.status.value for row in ledger.releases(account)]


def outcome(clinic, source, **options: object) -> str:
    """The sentence of a draw that fails, which quotes nothing and keeps no other error."""
    with pytest.raises(NotFinished) as found:
        draw(*clinic, plan(), source, **options)
    assert CELL not in "".join(traceback.format_exception(found.value))
    assert found.value.__context__ is None
    assert found.value.__cause__ is None
    return str(found.value)


def test_rows_are_read_after_the_spend_and_bits_after_the_draw_is_recorded(clinic):
    seen, bits = [], np.random.default_rng(2).bytes
    witnessed = RandomBits(lambda size: seen.append(("bits", statuses(clinic))) or bits(size))
    rows = Rows(lambda: seen.append(("rows", statuses(clinic))))
    draw(*clinic, with_everything(), rows, witnessed)
    assert seen[0] == ("rows", ["spent"])
    assert [status for what, status in seen if what == "bits"] == [["drawn"]] * (len(seen) - 2)
    assert statuses(clinic) == ["published"]


def test_a_release_whose_rows_could_not_be_read_is_finished_for_nothing(tmp_path, clinic):
    ledger, account = clinic
    assert FREE in outcome(clinic, Rows(failing))
    (row,) = ledger.releases(account)
    release = finish(ledger, row, TableSource([table(tmp_path)], RECIPE))
    assert release.row.status is Status.PUBLISHED
    assert finish(ledger, row, None).row == release.row
    assert ledger.releases(account)[-1].total == row.total


def test_what_can_be_refused_is_refused_before_anything_is_spent(tmp_path):
    ledger, account = clinic = opened(tmp_path, "10")
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    several = replace(RECIPE, person=("age",), combine=Combine.AT_MOST, most=5)
    wider = replace(RECIPE, numbers=(replace(RECIPE.numbers[0], high=900.0), *RECIPE.numbers[1:]))
    path, usual = table(tmp_path), plan()
    small = {MATRIX: {"a": 10**9, "b": 2 * 10**9}}
    for wanted, source, said in (
        (usual, TableSource([tmp_path / "other.csv"], RECIPE), "no column “age”"),
        (usual, RowSource(np.ones((3, 2))), "other columns"),
        (usual, TableSource([path], several), "otherwise"),
        (usual, TableSource([path], wider), "otherwise"),
        (plan(recipe=several), RowSource(np.ones((3, 4)), COLUMNS), "otherwise"),
        (replace(usual, scales=small), TableSource([path], RECIPE), "smaller than its budget"),
        (replace(usual, practice="RAND"), TableSource([path], RECIPE), "built-in data only"),
    ):
        with pytest.raises((PlanError, TableError), match=said):
            draw(ledger, account, wanted, source, RandomBits(failing))
    assert statuses(clinic) == []
    with pytest.raises(LedgerError, match="needs the table"):
        finish(ledger, ledger.spend(account, usual), None)
    with pytest.raises(PlanError, match="without an ID"):
        plan(recipe=replace(RECIPE, person=("age",), missing_person=MissingPerson.OWN))


@pytest.mark.parametrize(
    "content",
    ["", "1,2,3,4\n", "x,,nan,1e999\n", '"1,2,3,4\n5,6,7,8\n', "\x00\n,,,,,,,,\n\n\n"],
    ids=["no rows", "one row", "no numbers", "a lone quote", "noise"],
)
def test_no_rows_and_odd_rows_end_like_any_others(tmp_path, content):
    path = tmp_path / "odd.csv"
    path.write_text(",".join(COLUMNS) + "\n" + content)
    odd = draw(*opened(tmp_path), with_everything(), TableSource([path], RECIPE))
    shapes = {name: found.shape for name, found in odd.reading.tables.items()}
    assert shapes == {name: found.shape for name, found in made_up(with_everything()).items()}
    assert "certificate.json" in odd.files()


@pytest.mark.parametrize("failure", [BrokenPipeError, KeyboardInterrupt])
@pytest.mark.parametrize(("at", "said"), [*zip(Status, (FREE, AGAIN, ""), strict=True)])
def test_whoever_is_told_of_a_status_may_fail(clinic, at, said, failure):
    def told(reached):
        if reached is at:
            raise failure

    if at is Status.PUBLISHED:
        shown = draw(*clinic, plan(), Rows(), reached=told)
        assert shown.row == clinic[0].release(shown.row.id)
    else:
        assert said in outcome(clinic, Rows(), reached=told)
    assert statuses(clinic) == [at.value]


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("name", ["begin_drawing", "publish"])
def test_where_the_ledger_fails_it_is_asked_what_is_said(clinic, monkeypatch, name, known):
    """Before it has written, or after; no bit is asked for that it could not record."""
    asked, real = [], getattr(Ledger, name)
    bits = RandomBits(lambda size: asked.append(size) or np.random.default_rng(3).bytes(size))

    def lost(*given):
        if known:
            real(*given)
        failing()

    with monkeypatch.context() as broken:
        broken.setattr(Ledger, name, lost)
        if name == "publish" and known:
            assert draw(*clinic, plan(), Rows(), bits).row.result
        else:
            said = FREE if (name, known) == ("begin_drawing", False) else AGAIN
            assert said in outcome(clinic, Rows(), bits=bits)
    status = {("begin_drawing", False): "spent", ("publish", True): "published"}
    assert statuses(clinic) == [status.get((name, known), "drawn")]
    assert (asked == []) is (name == "begin_drawing")


PRIVATE = {"dataset", "problem", "tables", "table_source", "exact_sums", "draw"}
SECRETS = ("7919", "7,919", "123.4567", "777.25", "88.125", "31.4159", "secret_extract")


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """Return the folder of a ledger, and the files of a release of 7,919 people.

    Their values can be told anywhere; most are cut to their ranges.
    """
    folder = tmp_path_factory.mktemp("people")
    path = folder / "secret_extract_of_clinic.csv"
    path.write_text("age,weight,height,pulse\n" + "123.4567,777.25,88.125,31.4159\n" * 7919)
    source = TableSource([path], RECIPE)
    release = draw(*opened(folder), with_everything(), source, repeating_bits(77))
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
        text = content.decode()
        for told in SECRETS:
            assert not re.search(rf"(?<![\d.]){re.escape(told)}(?!\.?\d)", text), (name, told)


def test_numbers_have_nine_digits_and_names_open_no_formula_and_hide_no_row(drawn):
    _, files, _ = drawn
    for name in ("directions.csv", "spectrum.csv", "means.csv"):
        lines = [line for line in files[name].decode().splitlines() if not line.startswith("#")]
        found = re.findall(r"(?<=,)-?(\d+\.\d+)", "\n".join(lines))
        digits = [len(number.replace(".", "").lstrip("0")) for number in found]
        assert max(digits) == 9, name
    files = published(with_everything(recipe=ODDLY_NAMED, practice="made-up people")).files()
    for name, more in (("matrix.csv", 0), ("directions.csv", 0), ("means.csv", 1)):
        lines = files[name].decode("utf-8").splitlines()
        table = [line for line in lines if not line.startswith("#")]
        assert len(table) == 1 + len(ODD_NAMES) + more, name
        assert not any(line.lstrip('"')[:1] in "=+-@" for line in table), name


def test_what_reads_a_release_never_sees_a_table():
    """Neither data sets nor problems, sources nor sums are imported."""
    for module in ("reading", "shares", "report", "published_release"):
        names = modules_imported(f"dpca_core.release.{module}")
        assert {part for name in names for part in name.split(".")}.isdisjoint(PRIVATE)
