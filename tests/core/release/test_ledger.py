"""The ledger: limits, statuses, owners, other programs, disks that fail, and what it refuses."""

import multiprocessing
import os
import re
import sqlite3
import stat
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from dpca_core.data.recipe import ONE_ROW
from dpca_core.privacy.budget import Adjacency
from dpca_core.release.ledger import Ledger, LedgerError, OverLimit, Status
from dpca_core.release.plan import dumps, most_mu2
from dpca_core.text.release_statements import Answer, Declaration, Fact
from tests.core.release.cases import ADD, opened, some_plan, some_recipe

SPAWN = multiprocessing.get_context("spawn")
PATIENTS = "Patients", ADD
pure_plan = partial(some_plan, mechanism="laplace")


def refuses(said, ask, *given, **named):
    with pytest.raises(LedgerError, match=said):
        ask(*given, **named)


def alter(path, *statements):
    with closing(sqlite3.connect(path)) as other:
        found = [other.execute(statement).fetchall() for statement in statements]
        other.commit()
    return found[-1]


@pytest.fixture
def ledger(tmp_path):
    return Ledger(tmp_path / "ledger.sqlite")


@pytest.fixture
def account(ledger):
    return ledger.open_account("Clinic", *PATIENTS, "1", "1e-6")


@pytest.fixture
def three(ledger, account):
    """Releases of each status: published, drawn, spent."""
    rows = [ledger.spend(account, some_plan("0.1")) for _ in range(3)]
    for row in rows[:2]:
        ledger.begin_drawing(row.id)
    ledger.publish(rows[0].id, b"result")
    return ledger.releases(account)


def test_what_is_said_to_be_left_fits_and_more_does_not(ledger, account):
    rows = [ledger.spend(account, some_plan()) for _ in range(13)]
    assert [row.number for row in rows] == list(range(1, 14))
    left = ledger.left_epsilon(account)
    for more in ("0.25", f"{left * 1.0001:.9f}"):
        refuses(r"one more .* ε = 0\.132 at δ = 10⁻⁶", ledger.spend, account, some_plan(more))
    last = ledger.spend(account, some_plan(f"{left:.9f}"))
    assert last == ledger.releases(account)[-1] == ledger.release(last.id)
    assert last.total == sum(row.cost for row in rows) + last.cost
    # A row is all that files need, with account and total as of then.
    assert (rows[0].plan, rows[0].account) == (dumps(some_plan()), account)
    assert ledger.release(rows[0].id).total == rows[0].cost


def test_an_account_has_one_kind_of_noise_and_pays_what_is_left(ledger, account):
    pure = ledger.open_account("Pure", *PATIENTS, "1", "0")
    for _ in range(10):
        ledger.spend(pure, pure_plan("0.1"))
    refuses("second account that names this one", ledger.spend, pure, some_plan())
    refuses("Pure: nothing is left, and", ledger.spend, pure, pure_plan("0.000001"))
    refuses("is for Gaussian noise", ledger.spend, account, pure_plan("0.1"))
    # What was spent outside is taken off the limit.
    before = ledger.open_account("Before", *PATIENTS, "1", "0", ("0.4", "0"))
    assert before.limit == Fraction("0.6")
    refuses("one more release", ledger.spend, before, pure_plan("0.61"))
    both = ledger.open_account("Both", *PATIENTS, "1", "2e-6", ("0.4", "1e-6"))
    assert both.limit == most_mu2(Fraction("0.6"), Fraction("1e-6"))


def test_people_with_both_kinds_have_two_accounts_that_name_each_other(ledger, account):
    before = ledger.spend(account, some_plan())
    pure = ledger.open_account("Pure", *PATIENTS, "0.5", "0", same_people_as=account)
    after, other = ledger.spend(account, some_plan()), ledger.spend(pure, pure_plan("0.1"))
    assert (before.sister, after.sister, other.sister) == (None, pure, account)
    assert (ledger.sister(account), ledger.sister(pure)) == (pure, account)
    # What a release said of its sister when it was spent is what it says for good.
    assert ledger.releases(account)[0].sister is None
    third = partial(ledger.open_account, "Third", "Patients")
    for same, delta in product((account, pure), ("0", "1e-7")):
        refuses("have an account for", third, ADD, "1", delta, same_people_as=same)
    refuses("count alike", third, Adjacency.REPLACE_ONE, "1", "0", same_people_as=account)


def test_releases_that_protect_different_units_have_no_account_in_common(ledger, account):
    """One row of somebody with twenty moves the sums of rows by a twentieth of what he does."""
    ledger.spend(account, some_plan())
    pure = ledger.open_account("Pure", *PATIENTS, "1", "0", same_people_as=account)
    by_words = {"recipe": replace(some_recipe(), unit=ONE_ROW)}
    by_answer = {"declarations": (Declaration(Fact.UNIT, Answer.NO),)}
    for said in (by_words, by_answer):
        for payer, plan in ((account, some_plan(**said)), (pure, pure_plan("0.1", **said))):
            for ask in (ledger.spend, ledger.require_fits):
                refuses("protects one person, and this plan one row", ask, payer, plan)


def test_a_release_goes_from_spent_to_drawn_to_published(ledger, account):
    row = ledger.spend(account, some_plan())
    assert (row.status, row.result) == (Status.SPENT, None)
    refuses("was not drawn", ledger.publish, row.id, b"result")
    assert ledger.begin_drawing(row.id).status is Status.DRAWN
    refuses("Another program is drawing release 1", ledger.begin_drawing, row.id)
    published = ledger.publish(row.id, b"first")
    assert (published.status, published.result) == (Status.PUBLISHED, b"first")
    # Whoever stores first is shown.
    assert ledger.publish(row.id, b"second") == ledger.release(row.id) == published
    refuses("published already", ledger.begin_drawing, row.id)


def test_owners_do_not_see_each_other(tmp_path):
    ann, bob = (Ledger.open(tmp_path / "ledger.sqlite", owner) for owner in ("ann", "bob"))
    of_ann, of_bob = (of.open_account("Clinic", *PATIENTS, "1", "1e-6") for of in (ann, bob))
    row = ann.spend(of_ann, some_plan())
    assert bob.accounts() == (of_bob,)
    nothing = r"no (such release|account)"
    refuses(nothing, bob.release, row.id)
    refuses(nothing, bob.begin_drawing, row.id)
    refuses(nothing, bob.publish, row.id, b"result")
    refuses(nothing, bob.releases, of_ann)
    refuses(nothing, bob.spend, of_ann, some_plan())
    refuses(nothing, bob.open_account, "Pure", *PATIENTS, "1", "0", same_people_as=of_ann)
    assert [found.status for found in ann.releases(of_ann)] == [Status.SPENT]


def test_an_account_is_refused(ledger, account):
    given = {"name": "Other", "people": "Patients", "neighbours": ADD, "epsilon": "1", "delta": "0"}
    for changes, said in (
        ({"name": "Clinic"}, "count them twice"),
        *(({"name": name}, "account “Clinic” already") for name in ("CLINIC", "Ｃlinic")),
        *(({"name": name}, "name takes") for name in ("", " x", "x\ny", "\ud800")),
        ({"people": "x" * 501}, "Who they are” takes"),
        ({"epsilon": "0"}, "ε must be"),
        ({"epsilon": Fraction(1, 3)}, "decimal"),
        *(({"epsilon": epsilon}, "exact") for epsilon in (0.5, "1e999999999", "1_0", "١", "1/0")),
        ({"delta": "1"}, "δ must be"),
        *(({"before": before}, "leaves nothing") for before in (("1", "0"), ("0", "1e-9"))),
    ):
        refuses(said, ledger.open_account, **given | changes)
    assert len(ledger.accounts()) == 1


def test_the_file_is_its_owners_alone_and_made_when_it_is_needed(monkeypatch, tmp_path):
    """No key beside it, and no table or column for a digest of data."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("DPCA_LEDGER", raising=False)
    ledger = Ledger.open()
    assert ledger.accounts() == ()
    refuses("There is no ledger", ledger.release, "x")
    assert list(tmp_path.iterdir()) == []
    ledger.open_account("Clinic", *PATIENTS, "1", "1e-6")
    path = tmp_path / "dpca" / "ledger.sqlite"
    modes = [stat.S_IMODE(one.stat().st_mode) for one in (path, path.parent)]
    assert (modes, list(path.parent.iterdir())) == ([0o600, 0o700], [path])
    with closing(ledger._connect()) as connection:
        # 3 is EXTRA: the folder's entry has reached the disk too.
        for name, value in (("synchronous", 3), ("journal_mode", "delete")):
            assert connection.execute(f"PRAGMA {name}").fetchone()[0] == value
        rows = connection.execute("SELECT sql FROM sqlite_schema").fetchall()
    assert not re.search(r"seen|key_|tag|digest|source|file", str(rows))
    monkeypatch.setenv("DPCA_LEDGER", str(path / "below" / "ledger.sqlite"))
    refuses("cannot be made", Ledger.open().open_account, "Clinic", *PATIENTS, "1", "1e-6")


def test_practice_is_for_built_in_data_and_admits_what_fits_whichever_thread_asks(ledger, account):
    practice, on_rand = Ledger(None), some_plan(practice="RAND")
    own = practice.open_account("Practice", "Nobody", ADD, "1", "1e-6")
    with ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(practice.spend, own, on_rand) for _ in range(40)]
    assert sum(isinstance(one.exception(), OverLimit) for one in asked) == 27
    assert len(practice.releases(own)) == 13
    refuses("built-in data only", practice.spend, own, some_plan())
    refuses("use a practice ledger", ledger.spend, account, on_rand)
    replaced = some_plan(neighbours=Adjacency.REPLACE_ONE)
    refuses("one added or removed", ledger.spend, account, replaced)


REFUSED = Path(__file__).with_name("refused.sql").read_text("utf-8").splitlines()


def test_no_statement_deletes_or_alters_whoever_asks(ledger, account, three):
    before = ledger.accounts()
    assert len(REFUSED) > 15
    for statement in REFUSED:
        with pytest.raises(sqlite3.IntegrityError):
            alter(ledger.path, statement)
    assert (ledger.releases(account), ledger.accounts()) == (three, before)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE release SET cost = 'much' WHERE number = 2",
        "UPDATE release SET cost = '0/1' WHERE number = 2",
        "UPDATE release SET previous = 'x' WHERE number = 2",
        "UPDATE release SET spent_on = '2000-01-01' WHERE number = 2",
        "UPDATE release SET sister = account WHERE number = 2",
        "DELETE FROM release WHERE number = 2",
        "UPDATE account SET epsilon = '9'",
        "UPDATE release SET result = x'00' WHERE number = 1",
    ],
)
def test_what_another_program_did_without_triggers_is_noticed(ledger, three, change):
    triggers = alter(ledger.path, "SELECT name FROM sqlite_schema WHERE type = 'trigger'")
    alter(ledger.path, *(f"DROP TRIGGER {name}" for (name,) in triggers), change)
    if "result" in change:
        refuses("result of release 1 is damaged", ledger.release, three[0].id)
        return
    (account,) = ledger.accounts()
    refuses("changed by something else", ledger.releases, account)
    refuses("changed by something else", ledger.spend, account, some_plan("0.1"))


def test_what_cannot_be_read_back_is_not_written(ledger, account, three, monkeypatch):
    (_, drawn, spent), reads = (row.id for row in three), ledger._row

    def broken(connection, id_):
        # What a step needs to know beforehand can be read, what it wrote cannot.
        if connection.total_changes:
            raise sqlite3.OperationalError("disk I/O error")
        return reads(connection, id_)

    with monkeypatch.context() as disk:
        disk.setattr(ledger, "_row", broken)
        refuses("disk I/O error", ledger.spend, account, some_plan("0.1"))
        refuses("disk I/O error", ledger.begin_drawing, spent)
        refuses("disk I/O error", ledger.publish, drawn, b"x")
    assert ledger.releases(account) == three


def test_a_full_disk_costs_what_was_written_and_says_so(ledger, account, monkeypatch):
    drawn = ledger.begin_drawing(ledger.spend(account, some_plan("0.1")).id)
    connect = ledger._connect

    def full():
        connection = connect()
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count={pages}")
        return connection

    with monkeypatch.context() as disk:
        disk.setattr(ledger, "_connect", full)
        with pytest.raises(LedgerError, match=r"disk is full\. Nothing was spent\."):
            [ledger.spend(account, some_plan("0.01", reason="x" * 500)) for _ in range(13)]
        refuses(r"is full.*finishing it costs as much", ledger.publish, drawn.id, bytes(100_000))
    spent = ledger.releases(account)
    assert len(spent) < 14
    assert spent[0].status is Status.DRAWN
    # The process that drew it still has it.
    assert ledger.publish(drawn.id, b"result").result == b"result"
    assert ledger.spend(account, some_plan("0.1")).number == len(spent) + 1


def test_another_format_and_another_file_are_left_alone(tmp_path, ledger, account):
    other, none = tmp_path / "database", r"no ledger|not a database|malformed"
    alter(other, "CREATE TABLE account(id)")
    wrong = [b"name,age\n1,2\n" * 100, b"SQLite format 3\0" + bytes(500)]
    found = [*((content, none) for content in wrong), (other.read_bytes(), "is no ledger")]
    for version, said in ((3, "newer version"), (1, "stays spent: open the account of these")):
        alter(ledger.path, f"PRAGMA user_version={version}")
        found.append((ledger.path.read_bytes(), said))
    for content, said in found:
        ledger.path.write_bytes(content)
        refuses(said, ledger.spend, account, some_plan())
        refuses(said, ledger.open_account, "W", "All", ADD, "1", "0")
        assert ledger.path.read_bytes() == content


def test_a_ledger_of_two_names_is_refused(tmp_path, ledger, account):
    """A journal has the name under which it was written: under the other it is not played back."""
    ledger.spend(account, some_plan())
    other = Ledger(tmp_path / "other.sqlite")
    other.path.hardlink_to(ledger.path)
    refuses("second name", other.accounts)
    refuses("second name", ledger.spend, account, some_plan())
    other.path.unlink()
    # A symbolic link leads to the file's own name, and so to its journal.
    other.path.symlink_to(ledger.path)
    assert other.spend(account, some_plan()).number == 2


def test_a_clock_that_was_set_back_dates_nothing_before_its_account(ledger, account, monkeypatch):
    monkeypatch.setattr("dpca_core.release.ledger._today", lambda: "1999-12-31")
    assert ledger.spend(account, some_plan()).spent_on == account.opened_on
    monkeypatch.setattr("dpca_core.release.ledger._today", lambda: "2999-12-31")
    ledger.open_account("Sister", *PATIENTS, "1", "0", same_people_as=account)
    monkeypatch.undo()
    assert ledger.spend(account, some_plan()).spent_on == "2999-12-31"


def test_a_ledger_in_use_is_waited_for_and_then_refused(ledger, account):
    impatient = Ledger(ledger.path, patience=0.1)
    with closing(sqlite3.connect(ledger.path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        refuses(r"is locked\. Nothing was spent\.", impatient.spend, account, some_plan())
    assert ledger.releases(account) == ()


# --- By processes of their own ---


def spend_often(ledger, account):
    admitted = 0
    for _ in range(20):
        with suppress(OverLimit):
            ledger.spend(account, some_plan())
            admitted += 1
    return admitted


def create(ledger, _):
    return ledger.open_account(f"Account {os.getpid()}", *PATIENTS, "1", "0").name


def spend_again(ledger, account):
    return ledger.spend(account, some_plan(), again_for=ledger.releases(account)[0]).id


def finish_first(ledger, account):
    row = ledger.releases(account)[0]
    try:
        row = ledger.publish(ledger.begin_drawing(row.id).id, os.urandom(20_000))
    except LedgerError:
        while (row := ledger.release(row.id)).result is None:
            pass
    return row.result_sha256


def spend_as_a_reader(ledger, account):
    plan = some_plan()
    # No permission binds root.
    if os.getuid() == 0:
        os.setuid(65534)
    refuses("Nothing was spent", ledger.spend, account, plan)
    return ledger.releases(account)


def die_writing(ledger, _):
    """Be killed in the middle of a change that has reached the file in part."""
    with ledger._transaction("nothing") as connection:
        connection.execute("PRAGMA cache_size=1")
        half = "INSERT INTO account VALUES ('half', '', 'Half', ?, 'replace_one', "
        connection.execute(f"{half}'1', '0', '0', '0', '', '')", ("x" * 10**6,))
        os.kill(os.getpid(), 9)


def die_spent(ledger, account):
    ledger.spend(account, some_plan())
    os.kill(os.getpid(), 9)


def die_drawn(ledger, account):
    ledger.begin_drawing(ledger.spend(account, some_plan()).id)
    os.kill(os.getpid(), 9)


def with_ledger(path, what):
    ledger = Ledger(path)
    return what(ledger, next(iter(ledger.accounts()), None))


def together(times, path, what):
    with ProcessPoolExecutor(times, SPAWN, SPAWN.Barrier(times).wait) as pool:
        return list(pool.map(with_ledger, [path] * times, [what] * times))


def is_killed(path, what):
    process = SPAWN.Process(target=with_ledger, args=(path, what))
    process.start()
    process.join()
    return process.exitcode == -9


def test_four_processes_admit_exactly_what_fits(tmp_path, ledger, account):
    assert sum(together(4, ledger.path, spend_often)) == 13
    assert [row.number for row in ledger.releases(account)] == list(range(1, 14))
    # Several may make a ledger at once, too.
    path = tmp_path / "new" / "ledger.sqlite"
    assert sorted(together(4, path, create)) == [own.name for own in Ledger(path).accounts()]


def test_what_was_drawn_is_spent_again_once_and_with_its_own_plan(ledger, account):
    other = ledger.open_account("Other", "Others", ADD, "1", "1e-6")
    spent, own = ledger.spend(account, some_plan()), "with its own plan"
    refuses(own, ledger.spend, account, some_plan(), again_for=spent)
    drawn = ledger.begin_drawing(spent.id)
    # A cheaper one would book less than the draw that follows costs.
    refuses(own, ledger.spend, account, some_plan("0.001"), again_for=drawn)
    refuses(own, ledger.spend, other, some_plan(), again_for=drawn)
    # Whoever asks at the same time.
    one, two = together(2, ledger.path, spend_again)
    first, second = ledger.releases(account)
    assert one == two == second.id
    assert second.again_for == first.id


def test_what_is_killed_has_spent_what_was_written_and_no_more(ledger, account):
    size = ledger.path.stat().st_size
    assert is_killed(ledger.path, die_writing)
    assert ledger.path.with_name(f"{ledger.path.name}-journal").exists()
    assert (ledger.releases(account), len(ledger.accounts())) == ((), 1)
    assert ledger.path.stat().st_size == size
    assert is_killed(ledger.path, die_spent)
    (row,) = ledger.releases(account)
    assert row.status is Status.SPENT
    # Two who finish it show the same result.
    shown = together(2, ledger.path, finish_first)
    assert shown == [ledger.release(row.id).result_sha256] * 2
    assert is_killed(ledger.path, die_drawn)
    assert ledger.releases(account)[1].status is Status.DRAWN


@pytest.mark.parametrize(("file", "folder"), [(0o444, 0o755), (0o666, 0o555)])
def test_a_ledger_that_is_read_only_is_read_and_nothing_is_spent(file, folder):
    with TemporaryDirectory() as made:
        ledger, account = opened(Path(made))
        ledger.path.chmod(file)
        Path(made).chmod(folder)
        assert together(1, ledger.path, spend_as_a_reader) == [()]
        Path(made).chmod(0o755)
        assert ledger.releases(account) == ()
