"""Whatever fails after a spend: a sentence that is true of the ledger, or what is stored."""

import sqlite3

import pytest

from dpca_core.release import draw as drawing
from dpca_core.release.draw import NotFinished, draw, finish
from dpca_core.release.ledger import LedgerError, Status
from dpca_core.release.ledger_account import Account
from dpca_core.release.table_source import TableSource
from tests.core.release.draw_cases import RECIPE, account, plan, table

FREE, AGAIN = "costs nothing more", "spends another"
CELL = "the cell 123.456"


def failing(*_, **__):
    """Fail with a message about the table."""
    raise KeyError(CELL)


def outcome(people, folder, **options):
    """The sentence of a draw that fails, which quotes nothing and keeps no other error."""
    with pytest.raises(NotFinished) as found:
        draw(people, plan(), TableSource([table(folder)], RECIPE), **options)
    assert CELL not in str(found.value)
    assert found.value.__context__ is None
    assert found.value.__cause__ is None
    return str(found.value)


@pytest.mark.parametrize("failure", [BrokenPipeError, KeyboardInterrupt])
@pytest.mark.parametrize(
    ("status", "said"), [(Status.SPENT, FREE), (Status.DRAWN, AGAIN), (Status.PUBLISHED, None)]
)
def test_whoever_is_told_of_a_status_may_fail(tmp_path, status, said, failure):
    people = account(tmp_path)

    def told(reached):
        if reached is status:
            raise failure

    if said is None:
        source = TableSource([table(tmp_path)], RECIPE)
        shown = draw(people, plan(), source, reached=told)
        assert shown.row.result == people.release(shown.row.id).result
    else:
        assert said in outcome(people, tmp_path, reached=told)
    assert [row.status for row in people.releases()] == [status]


def test_a_plan_that_cannot_be_read_back_is_spent(tmp_path, monkeypatch):
    people = account(tmp_path)
    with monkeypatch.context() as broken:
        broken.setattr("dpca_core.release.plan_json.loads", failing)
        assert FREE in outcome(people, tmp_path)
    row = people.releases()[0]
    assert finish(people, row, TableSource([table(tmp_path)], RECIPE)).row.id == row.id


def test_a_draw_that_began_is_never_called_free(tmp_path, monkeypatch):
    people, begin = account(tmp_path), Account.begin_drawing

    def begun_and_lost(self, row):
        begin(self, row)
        failing()

    monkeypatch.setattr(Account, "begin_drawing", begun_and_lost)
    assert AGAIN in outcome(people, tmp_path)
    assert people.releases()[0].status is Status.DRAWN


def test_what_is_stored_is_shown_after_a_failure(tmp_path, monkeypatch):
    people, publish = account(tmp_path), Account.publish

    def stored_and_lost(self, row, result):
        publish(self, row, result)
        failing()

    monkeypatch.setattr(Account, "publish", stored_and_lost)
    shown = draw(people, plan(), TableSource([table(tmp_path)], RECIPE))
    assert shown.row.result == people.release(shown.row.id).result
    assert len(people.releases()) == 1


def test_a_stored_result_that_cannot_be_shown_is_called_stored(tmp_path, monkeypatch):
    people = account(tmp_path)
    with monkeypatch.context() as broken:
        broken.setattr(drawing.PublishedRelease, "of", failing)
        assert "published already" in outcome(people, tmp_path)
    row = people.releases()[0]
    assert finish(people, row, None).row.result == people.release(row.id).result


def test_a_loser_of_a_race_is_shown_what_is_stored(tmp_path):
    people = account(tmp_path)
    row, source = people.spend(plan()), TableSource([table(tmp_path)], RECIPE)
    begin, first = Account.begin_drawing, []

    def late(self, late_row):
        if not first:
            first.append(None)
            first[0] = finish(people, row, source).row.result
        return begin(self, late_row)

    with pytest.MonkeyPatch.context() as race:
        race.setattr(Account, "begin_drawing", late)
        assert finish(people, row, source).row.result == first[0]
    assert len(people.releases()) == 1


@pytest.mark.parametrize("step", ["spend", "begin_drawing", "publish"])
def test_what_cannot_be_read_back_is_not_written(tmp_path, monkeypatch, step):
    people = account(tmp_path)
    row = None if step == "spend" else people.spend(plan())
    if step == "publish":
        row = people.begin_drawing(row)
    before = people.releases()

    def broken(*_):
        raise sqlite3.OperationalError(CELL)

    given = {"spend": (plan(),), "begin_drawing": (row,), "publish": (row, b"result")}[step]
    with monkeypatch.context() as disk:
        disk.setattr("dpca_core.release.ledger_account.read_result", broken)
        with pytest.raises(LedgerError) as said:
            getattr(people, step)(*given)
    assert CELL not in str(said.value)
    assert people.releases() == before
