"""The ledger: limits, statuses, owners, and what it refuses."""

import json
import stat
from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest

from dpca_core.privacy.budget import Adjacency
from dpca_core.release import ledger_rows
from dpca_core.release.assumptions import ASSUMPTIONS
from dpca_core.release.ledger import Ledger, LedgerError, OverLimit, Status, ledger_path
from tests.core.release.plans import ADD, pure_plan, some_account, some_plan


def test_thirteen_fit_and_the_fourteenth_is_refused(tmp_path):
    account = some_account(tmp_path)
    assert account.more_like(some_plan()) == 13
    rows = [account.spend(some_plan()) for _ in range(13)]
    assert [row.number for row in rows] == list(range(1, 14))
    assert account.more_like(some_plan()) == 0
    with pytest.raises(OverLimit) as refusal:
        account.spend(some_plan())
    assert str(refusal.value) == (
        "Clinic has ε = 0.132 left at δ = 10⁻⁶; ask for less: the limit of an account can’t "
        "be raised."
    )
    assert account.spend(some_plan("0.132")).total == account.total()
    assert len(account.releases()) == 14


def test_what_is_said_to_be_left_fits(tmp_path):
    account = some_account(tmp_path)
    account.spend(some_plan("0.731"))
    left = account.left(Fraction("1e-7"))
    assert left > account.left_epsilon() > 0.1
    account.require_fits(some_plan(f"{left:.9f}", "1e-7"))
    with pytest.raises(OverLimit):
        account.require_fits(some_plan(f"{left * 1.0001:.9f}", "1e-7"))
    assert len(account.releases()) == 1


def test_pure_noise_after_gaussian_noise_takes_what_was_set_aside(tmp_path):
    account = some_account(tmp_path, pure="0.1")
    account.spend(some_plan("0.3"))
    account.spend(pure_plan("0.1"))
    with pytest.raises(OverLimit, match=r"nothing left for pure noise.*set aside"):
        account.spend(pure_plan("0.000001"))
    assert account.left(Fraction(0)) == 0


def test_a_limit_with_no_delta_is_for_pure_noise(tmp_path):
    account = some_account(tmp_path, delta="0")
    with pytest.raises(OverLimit, match="only a pure mechanism"):
        account.spend(some_plan())
    for _ in range(10):
        account.spend(pure_plan("0.1"))
    with pytest.raises(OverLimit, match="Clinic has nothing left:"):
        account.spend(pure_plan("0.000001"))


def test_the_least_limit_of_delta_that_is_said_to_be_allowed_is(tmp_path):
    assert some_account(tmp_path, delta="1e-30").delta == Fraction(1, 10**30)


def test_a_release_goes_from_spent_to_drawn_to_published(tmp_path):
    account = some_account(tmp_path)
    row = account.spend(some_plan())
    assert (row.status, row.result, row.published_on) == (Status.SPENT, None, None)
    drawn = account.begin_drawing(row)
    assert drawn.status is Status.DRAWN
    with pytest.raises(LedgerError, match=r"finishing spends another ε = 0.25"):
        account.begin_drawing(row)
    published = account.publish(row, b"first")
    assert (published.status, published.result) == (Status.PUBLISHED, b"first")
    assert account.publish(row, b"second") == published
    assert account.release(row.id) == published
    with pytest.raises(LedgerError, match="published already"):
        account.begin_drawing(row)
    assert [r.status for r in account.releases()] == [Status.PUBLISHED]


def test_nothing_is_published_that_was_not_drawn(tmp_path):
    account = some_account(tmp_path)
    row = account.spend(some_plan())
    with pytest.raises(LedgerError, match="finish release 1"):
        account.publish(row, b"result")
    assert account.release(row.id).status is Status.SPENT


def test_a_row_is_all_that_files_need(tmp_path):
    account = some_account(tmp_path)
    first = account.spend(some_plan("0.1"))
    account.lower(Fraction("0.8"), Fraction("1e-7"))
    second = account.spend(some_plan("0.2", "1e-7"))
    assert second.plan == some_plan("0.2", "1e-7")
    assert (second.account, second.spent_on) == (account.facts, second.spent_on[:10])
    assert date.fromisoformat(second.spent_on)
    assert (second.limit.epsilon, second.promised.epsilon) == (Fraction("0.8"), Fraction(1))
    assert second.total == first.cost + second.cost
    account.spend(some_plan("0.05", "1e-7"))
    assert account.release(second.id) == second


def test_the_chain_covers_what_was_spent(tmp_path):
    account = some_account(tmp_path)
    first, second = (account.spend(some_plan("0.1")) for _ in range(2))
    assert first.previous == ledger_rows.FIRST_LINK
    assert second.previous == first.chain
    assert json.dumps(second.chained)
    assert second.chain == ledger_rows.link(first.chain, second.chained)
    dearer = replace(second, cost=second.cost * 2)
    assert second.chain != ledger_rows.link(first.chain, dearer.chained)


def test_a_limit_only_falls(tmp_path):
    account = some_account(tmp_path)
    for epsilon, delta in (("2", "1e-6"), ("1", "1e-5"), ("0.5", "1e-5")):
        with pytest.raises(LedgerError, match="only be lowered"):
            account.lower(Fraction(epsilon), Fraction(delta))
    account.lower(Fraction("0.5"), Fraction(0))
    found = account.limit.epsilon, Ledger(tmp_path / "ledger.sqlite").account("Clinic").limit
    assert found[0] == 1
    assert (found[1].epsilon, found[1].delta) == (Fraction("0.5"), 0)
    # What was read before the limit fell is not what counts.
    with pytest.raises(OverLimit):
        account.spend(pure_plan("0.6"))


def test_neighbours_are_the_accounts(tmp_path):
    account = some_account(tmp_path)
    with pytest.raises(LedgerError, match="counts one person added or removed"):
        account.spend(some_plan(adjacency=Adjacency.REPLACE_ONE))


def test_owners_do_not_see_each_other(tmp_path):
    path = tmp_path / "ledger.sqlite"
    ann, bob = Ledger(path, "ann"), Ledger(path, "bob")
    of_ann, of_bob = (
        ledger.open_account("Clinic", "Patients", ADD, Fraction(1), Fraction("1e-6"))
        for ledger in (ann, bob)
    )
    row = of_ann.spend(some_plan())
    assert of_bob.releases() == ()
    assert [account.name for account in bob.accounts()] == ["Clinic"]
    assert ann.find(row.id)[1] == row
    with pytest.raises(LedgerError, match="no such release"):
        bob.find(row.id)
    for stolen in (replace(of_ann, owner="bob"), of_bob):
        with pytest.raises(LedgerError):
            stolen.begin_drawing(row)
        with pytest.raises(LedgerError):
            stolen.release(row.id)
    with pytest.raises(LedgerError, match="no account"):
        replace(of_ann, owner="bob").spend(some_plan())
    with pytest.raises(LedgerError, match="no account"):
        replace(of_ann, owner="bob").lower(Fraction("0.5"), Fraction(0))
    assert of_ann.release(row.id).status is Status.SPENT
    assert len(of_ann.releases()) == 1


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"name": "Clinic"}, "already"),
        ({"name": ""}, "name must be"),
        ({"name": " x"}, "name must be"),
        ({"name": "x\ny"}, "name must be"),
        ({"name": "\ud800"}, "name must be"),
        ({"people": "x" * 501}, "who they are must be"),
        ({"epsilon": Fraction(0)}, "ε must be"),
        ({"epsilon": Fraction(1, 3)}, "decimal"),
        ({"epsilon": 0.5}, "decimal"),
        ({"delta": Fraction(1)}, "δ must be"),
        ({"pure": Fraction(2)}, "set aside"),
    ],
)
def test_an_account_is_refused(tmp_path, changes, said):
    ledger = Ledger(some_account(tmp_path).file.path)
    given = {
        "name": "Other",
        "people": "Patients",
        "neighbours": ADD,
        "epsilon": Fraction(1),
        "delta": Fraction("1e-6"),
    }
    with pytest.raises(LedgerError, match=said):
        ledger.open_account(**given | changes)
    assert len(ledger.accounts()) == 1


def test_looking_makes_no_file(tmp_path):
    ledger = Ledger(tmp_path / "new" / "ledger.sqlite")
    assert ledger.accounts() == ()
    with pytest.raises(LedgerError, match="There is no ledger"):
        ledger.account("Clinic")
    assert list(tmp_path.iterdir()) == []


def test_only_the_owner_of_the_file_can_read_it(tmp_path):
    account = some_account(tmp_path / "made")
    path = account.file.path
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    account.spend(some_plan())
    assert [entry.name for entry in path.parent.iterdir()] == ["ledger.sqlite"]


def test_practice_leaves_nothing_and_takes_nothing(tmp_path):
    practice = Ledger.in_memory()
    account = practice.open_account("Practice", "Nobody", ADD, Fraction(1), Fraction("1e-6"))
    row = account.begin_drawing(account.spend(some_plan(practice="RAND")))
    assert account.publish(row, b"result").result == b"result"
    with pytest.raises(LedgerError, match="built-in data only"):
        account.spend(some_plan())
    with pytest.raises(LedgerError, match="use a practice ledger"):
        some_account(tmp_path).spend(some_plan(practice="RAND"))


def test_where_the_ledger_is(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("DPCA_LEDGER", raising=False)
    assert ledger_path() == tmp_path / "dpca" / "ledger.sqlite"
    monkeypatch.setenv("DPCA_LEDGER", str(tmp_path / "other"))
    assert ledger_path() == tmp_path / "other"


def test_nothing_recognises_a_file(tmp_path):
    """No key beside the ledger, and no table or column for a digest of data."""
    account = some_account(tmp_path)
    with account.file.reading() as connection:
        names = [row[0] for row in connection.execute("SELECT name FROM sqlite_schema")]
    assert [name for name in names if name in ("account", "release")] == ["account", "release"]
    assert not any("seen" in name or "key" in name or "tag" in name for name in names)
    assert len(list(tmp_path.iterdir())) == 1


def test_a_copied_ledger_is_among_the_assumptions():
    """A copy cannot be told from its original: a release says that there is none."""
    said = next(sentence for sentence in ASSUMPTIONS if "ledger" in sentence)
    assert "not copied, restored or replaced" in said
    assert "all releases about these people are in it" in said
