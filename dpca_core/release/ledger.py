"""The ledger: accounts of people, each with a limit, and every release that was spent from it.

| status    | is committed                                        | after a crash                  |
|-----------|-----------------------------------------------------|--------------------------------|
| spent     | before a row is read for it, if it fits             | finishing costs nothing        |
| drawn     | before the first random bit is read, by one program | finishing is a new release     |
| published | with its result; whoever stores first is shown      | reading it again costs nothing |

A commit has reached the disk when it returns. An account has one kind of noise, so its releases
add up in one currency: μ² of Gaussian noise where its limit has a δ, ε of pure noise where it has
none. The limit is fixed when it is opened, so budgets may be chosen after seeing earlier releases
(Theorem 2, docs/release.md). People who need both kinds have two accounts, sisters of each other;
together their releases keep (ε of one + ε of the other, δ).
"""

import hashlib
import json
import os
import sqlite3
import threading
import unicodedata
import uuid
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from decimal import ROUND_FLOOR, Context, Decimal
from enum import StrEnum
from fractions import Fraction
from math import ceil
from pathlib import Path

from dpca_core.privacy.budget import LEAST_DELTA, MOST_EPSILON, Adjacency
from dpca_core.release.plan import (
    LEAST_EPSILON,
    Plan,
    below,
    dumps,
    exact,
    loads,
    most_mu2,
    mu2_epsilon,
    text_of,
)
from dpca_core.runtime.cached_property import cached_property
from dpca_core.text.privacy_numbers import delta_text, upward

FIRST_LINK = 64 * "0"
"""What the first release of an account follows."""
LONGEST_NAME, LONGEST_PEOPLE = 100, 500
"""Characters of an account's name, and of the words that say who they are."""

_SCHEMA = Path(__file__).with_name("ledger_schema.sql").read_text("utf-8")
_APPLICATION, _FORMAT = 0x64706361, 2
"""In the file's header: “dpca”, and the format."""
_STORED = (
    *("id", "number", "status", "cost", "plan", "spent_on", "again_for", "previous", "link"),
    "result_sha256",
)
"""Columns of a release that are fields of its row."""
_NEARLY = 1 - Fraction(1, 10**9)
"""Of a limit: noise is rounded up, so that no release takes the last of it."""
_DOWN = 1 - 2.0**-30
"""What is left is rounded down by more than a plan of it is rounded up."""


class LedgerError(ValueError):
    """The ledger cannot do what was asked; the message is a sentence or two, none about a table."""


class OverLimit(LedgerError):
    """A release does not fit its account's limit; nothing was spent."""


class Status(StrEnum):
    """How far a release has come."""

    SPENT = "spent"
    DRAWN = "drawn"
    PUBLISHED = "published"


@dataclass(frozen=True)
class Account:
    """A group of people and what may be learned about one of them; all of it is published.

    ``epsilon`` and ``delta`` are the limit of all releases together, of which what is ``before``
    was spent outside this ledger, as the owner says: exact decimal text.
    """

    id: str
    name: str
    people: str
    """Who they are, in the owner's words."""
    neighbours: Adjacency
    epsilon: str
    delta: str
    before_epsilon: str
    before_delta: str
    sister: str
    """Id of the account of the other kind about the same people that was open before; or ""."""
    opened_on: str

    @property
    def pure(self) -> bool:
        """Whether its releases have pure noise and add up in ε; else Gaussian noise, in μ²."""
        return Fraction(self.delta) == 0

    @cached_property
    def limit(self) -> Fraction:
        """What all its releases in this ledger may cost together.

        What was spent outside may be any (ε, δ)-DP release: it is taken off ε and off δ.
        """
        epsilon = Fraction(self.epsilon) - Fraction(self.before_epsilon)
        delta = Fraction(self.delta) - Fraction(self.before_delta)
        return epsilon if self.pure else most_mu2(epsilon, delta)


@dataclass(frozen=True)
class Row:
    """One release, numbered from 1 in its account; its links are of it and the one ``previous``."""

    id: str
    number: int
    status: Status
    cost: Fraction
    plan: str
    """As ``plan.dumps`` wrote it."""
    spent_on: str
    again_for: str
    """Id of the drawn release that this one was spent for again; or ""."""
    previous: str
    account: Account
    sister: Account | None
    """The account of the other kind that there was when it was spent."""
    total: Fraction
    """Cost of all releases of the account up to this one."""
    link: str = ""
    result_sha256: str | None = None
    result: bytes | None = None
    """The released tables; None until they are published, and in lists of releases."""


def link_of(row: Row) -> str:
    """Return SHA-256 over the link before and all public facts of a release, in hex."""
    booked = [row.id, row.number, _quotient(row.cost), row.plan, row.spent_on, row.again_for]
    facts = [row.previous, asdict(row.account), row.sister and asdict(row.sister), *booked]
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


class Ledger:
    """A ledger on a local disk; nothing is made before an account is opened."""

    def __init__(self, path: Path | None, owner: str = "", patience: float = 30.0) -> None:
        """Name its file, or None for one in memory, for practice, that leaves nothing behind.

        Accounts are the ``owner``'s, the subject of a login or empty without one; others' are out
        of reach. ``patience`` is how many seconds to wait for another program.
        """
        self.path, self.owner, self._patience = path, owner, patience
        self._turn = threading.RLock()
        self._memory = None
        if path is None:
            self._memory = self._connect()
            self._memory.executescript(_SCHEMA)

    @classmethod
    def open(cls, path: str | os.PathLike[str] = "", owner: str = "") -> "Ledger":
        """Return the ledger of a path, or the one that ``ledger_path`` names."""
        return cls(Path(path) if path else ledger_path(), owner)

    def open_account(
        self,
        name: str,
        people: str,
        neighbours: Adjacency,
        epsilon: Fraction | str,
        delta: Fraction | str,
        before: tuple[Fraction | str, Fraction | str] = ("0", "0"),
        same_people_as: Account | None = None,
    ) -> Account:
        """Open an account; nothing of it ever changes.

        The limit is in exact decimals; with δ = 0 its releases have pure noise, else Gaussian
        noise. ``before`` is the ε and δ that these people have spent outside this ledger,
        ``same_people_as`` their account with the other kind of noise. LedgerError for what cannot
        be opened, printed or written.
        """
        for text, most, what in (
            (name, LONGEST_NAME, "An account’s name"),
            (people, LONGEST_PEOPLE, "“Who they are”"),
        ):
            if not 0 < len(text) <= most or not text.isprintable() or text != text.strip():
                raise LedgerError(f"{what} takes 1 to {most} characters on one line.")
        limit, sister = _limit_texts(epsilon, delta, *before), same_people_as
        named = str(uuid.uuid4()), name, people, Adjacency(neighbours)
        found = Account(*named, *limit, sister.id if sister else "", _today())
        self._create()
        with self._transaction("No account was opened.") as connection:
            known = self._accounts(connection)
            if alike := [of.name for of in known.values() if _alike(of.name) == _alike(name)]:
                raise LedgerError(
                    f"There is an account “{alike[0]}” already: if these are the same people, "
                    "release from that one, as a second account would count them twice."
                )
            if sister is not None:
                _require_other_kind(found, sister, known)
            _insert(connection, "account", {"owner": self.owner, **asdict(found)})
        return found

    def accounts(self) -> tuple[Account, ...]:
        """Return the owner's accounts by name; none where there is no ledger yet."""
        if not self._exists():
            return ()
        with self._transaction() as connection:
            return tuple(self._accounts(connection).values())

    def account(self, name: str) -> Account:
        """Return an account by its name."""
        if found := [account for account in self.accounts() if account.name == name]:
            return found[0]
        raise _no_account(name)

    def sister(self, account: Account) -> Account | None:
        """Return the account of the other kind about the same people; None where there is none."""
        with self._transaction() as connection:
            return _sister(account, self._accounts(connection))

    def releases(self, account: Account) -> tuple[Row, ...]:
        """Return an account's releases without results; LedgerError if any is not as written."""
        with self._transaction() as connection:
            return self._rows(connection, account)

    def release(self, id_: str) -> Row:
        """Return one release with its result."""
        with self._transaction() as connection:
            return self._row(connection, id_)

    def left(self, account: Account) -> Fraction:
        """Return what one more release may cost, in the account's currency."""
        return account.limit - _total(self.releases(account))

    def left_epsilon(self, account: Account) -> float:
        """Return the largest ε of one more release at the account's own δ, rounded down."""
        return _epsilon_of(self.left(account), Fraction(account.delta))

    def require_fits(self, account: Account, plan: Plan) -> None:
        """Refuse a plan as ``spend`` would; spends nothing."""
        with self._transaction() as connection:
            self._require(connection, account, plan)

    def spend(self, account: Account, plan: Plan, again_for: Row | None = None) -> Row:
        """Book a plan for good; when this returns it is on the disk.

        ``again_for`` is a drawn release of the same plan that this one is spent for again: where
        another program was first, its release is returned, and nothing is booked. LedgerError, and
        nothing is spent, for what is not this account's; OverLimit where it does not fit.
        """
        again, text = again_for.id if again_for else "", dumps(plan)
        with self._transaction("Nothing was spent.") as connection:
            rows = self._rows(connection, account)
            for row in rows:
                if again and row.again_for == again:
                    return self._row(connection, row.id)
            drawn = {row.id: row.plan for row in rows if row.status is Status.DRAWN}
            if again and drawn.get(again) != text:
                raise LedgerError(
                    "Only a release whose draw had begun is spent again, and with its own plan."
                )
            self._require(connection, account, plan)
            sister = _sister(account, self._accounts(connection))
            row = Row(
                id=str(uuid.uuid4()),
                number=len(rows) + 1,
                status=Status.SPENT,
                cost=plan.cost,
                plan=text,
                # A clock may have been set back since an account was opened.
                spent_on=max(_today(), *(of.opened_on for of in (account, sister) if of)),
                again_for=again,
                previous=rows[-1].link if rows else FIRST_LINK,
                account=account,
                sister=sister,
                total=_total(rows) + plan.cost,
            )
            stored = {name: getattr(row, name) for name in _STORED} | {
                "account": account.id,
                "sister": sister.id if sister else "",
                "cost": _quotient(row.cost),
                "link": link_of(row),
            }
            _insert(connection, "release", stored)
            # Read before it is on the disk: what fails from here on takes the booking back.
            return self._row(connection, row.id)

    def begin_drawing(self, id_: str) -> Row:
        """Record that random bits are about to be read for a spent release; one program may."""
        with self._transaction("It is spent; finishing it costs nothing more.") as connection:
            found = connection.execute(
                "UPDATE release SET status = 'drawn' WHERE id = ? AND status = 'spent'",
                (self._row(connection, id_).id,),
            )
            row = self._row(connection, id_)
            if found.rowcount == 1:
                return row
            if row.status is Status.PUBLISHED:
                raise LedgerError(f"Release {row.number} is published already.")
            raise LedgerError(
                f"Another program is drawing release {row.number}, or was stopped while it did: "
                "finish it only if it stays so, as that costs as much again."
            )

    def publish(self, id_: str, result: bytes) -> Row:
        """Store a drawn release's result, and return what is stored: the first is shown to all."""
        digest = hashlib.sha256(result).hexdigest()
        outcome = "A draw may have reached the disk; finishing it costs as much again."
        with self._transaction(outcome) as connection:
            connection.execute(
                "UPDATE release SET status = 'published', result = ?, result_sha256 = ?, "
                "published_on = ? WHERE id = ? AND status = 'drawn'",
                (result, digest, _today(), self._row(connection, id_).id),
            )
            row = self._row(connection, id_)
            if row.status is not Status.PUBLISHED:
                raise LedgerError(f"Release {row.number} was not drawn yet.")
            return row

    def _require(self, connection: sqlite3.Connection, account: Account, plan: Plan) -> None:
        """Refuse a plan that is not one of this account's, or does not fit."""
        if self.path is None and not plan.practice:
            raise LedgerError("A practice ledger forgets: it is for built-in data only.")
        if self.path is not None and plan.practice:
            raise LedgerError(
                "Practice on built-in data spends nobody’s budget: use a practice ledger."
            )
        if plan.neighbours is not account.neighbours:
            replaced = account.neighbours is Adjacency.REPLACE_ONE
            counts = "one replaced" if replaced else "one added or removed"
            raise LedgerError(f"{account.name} counts {counts}; its releases all must.")
        if plan.gaussian is account.pure:
            kind, other = ("pure", "δ") if account.pure else ("Gaussian", "δ = 0")
            raise LedgerError(
                f"{account.name} is for {kind} noise: for a release with {other} these people need "
                "a second account that names this one."
            )
        rows, sister = self._rows(connection, account), _sister(account, self._accounts(connection))
        one, _ = plan.protects
        for row in (*rows, *(self._rows(connection, sister) if sister else ())):
            # What is proved of one row says nothing of somebody's several rows, nor of an average.
            if one != (other := loads(row.plan).protects[0]):
                raise LedgerError(
                    f"Release {row.number} of {row.account.name} protects one {other}, and this "
                    f"plan one {one}: their costs cannot be added up. Use one word for one unit, "
                    "and another account for another."
                )
        left = account.limit - _total(rows)
        if plan.cost > left:
            at = f" at δ = {delta_text(float(plan.delta))}" if plan.gaussian else ""
            room = left_words(_epsilon_of(left, plan.delta))
            raise OverLimit(
                f"{account.name}: {room}{at}, and the limit of an account can’t be raised."
            )

    def _accounts(self, connection: sqlite3.Connection) -> dict[str, Account]:
        """Return the owner's accounts by id, in the order of their names."""
        names = ", ".join(field.name for field in fields(Account))
        query = f"SELECT {names} FROM account WHERE owner = ? ORDER BY name"
        return {
            id_: Account(id_, name, people, Adjacency(neighbours), *rest)
            for id_, name, people, neighbours, *rest in connection.execute(query, (self.owner,))
        }

    def _rows(self, connection: sqlite3.Connection, account: Account) -> tuple[Row, ...]:
        accounts, rows = self._accounts(connection), list[Row]()
        if accounts.get(account.id) != account:
            raise _no_account(account.name)
        query = (
            f"SELECT sister, {', '.join(_STORED)} FROM release WHERE account = ? ORDER BY number"
        )
        for sister, *values in connection.execute(query, (account.id,)):
            stored = dict(zip(_STORED, values, strict=True))
            stored |= {"status": Status(stored["status"]), "cost": _fraction(stored["cost"])}
            total = _total(rows) + stored["cost"]
            row = Row(**stored, account=account, sister=accounts.get(sister), total=total)
            last = rows[-1].link if rows else FIRST_LINK
            if (row.number, row.previous, row.link) != (len(rows) + 1, last, link_of(row)):
                raise LedgerError(
                    f"Release {row.number} of {account.name} is not as it was written: this ledger "
                    "was changed by something else."
                )
            rows.append(row)
        return tuple(rows)

    def _row(self, connection: sqlite3.Connection, id_: str) -> Row:
        for account in self._accounts(connection).values():
            for row in self._rows(connection, account):
                if row.id == id_:
                    query = "SELECT result FROM release WHERE id = ?"
                    (result,) = connection.execute(query, (id_,)).fetchone()
                    if result and hashlib.sha256(result).hexdigest() != row.result_sha256:
                        raise LedgerError(f"The result of release {row.number} is damaged.")
                    return replace(row, result=result)
        raise LedgerError("There is no such release in this ledger.")

    def _exists(self) -> bool:
        try:
            return self.path is None or self.path.stat().st_size > 0
        except OSError:
            return False

    def _create(self) -> None:
        """Make the file where there is none: its owner alone can read it, and the folder."""
        if self.path is None or self._exists():
            return
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))
            with closing(self._connect()) as connection:
                connection.executescript(_SCHEMA)
        except (OSError, sqlite3.Error) as error:
            why = getattr(error, "strerror", error)
            raise LedgerError(f"The ledger {self.path} cannot be made: {why}.") from None

    @contextmanager
    def _transaction(self, outcome: str = "") -> Iterator[sqlite3.Connection]:
        """Work on the ledger alone; whatever is raised inside takes every change back.

        ``outcome`` is of a change, for messages: what it means that nothing was written.
        """
        if not self._exists():
            raise LedgerError(f"There is no ledger at {self.path}: open an account first.")
        if self.path is not None and self.path.stat().st_nlink > 1:
            # After a crash under one name its journal is not found under the other.
            raise LedgerError(f"The ledger {self.path} has a second name (a hard link): remove it.")
        kept = self._memory
        try:
            with self._turn, nullcontext(kept) if kept else closing(self._connect()) as connection:
                self._require_format(connection)
                connection.execute("BEGIN IMMEDIATE" if outcome else "BEGIN")
                try:
                    yield connection
                    connection.execute("COMMIT")
                finally:
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
        except sqlite3.Error as error:
            where = self.path or "in memory"
            raise LedgerError(f"The ledger {where}: {error}. {outcome}".rstrip()) from None

    def _require_format(self, connection: sqlite3.Connection) -> None:
        application, form = (
            connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("application_id", "user_version")
        )
        if application != _APPLICATION:
            raise LedgerError(f"{self.path} is no ledger: name another file.")
        if form > _FORMAT:
            raise LedgerError(f"A newer version of this program wrote {self.path}: use that.")
        if form < _FORMAT:
            raise LedgerError(
                f"An older version of this program wrote {self.path}, and what it has spent stays "
                "spent: open the account of these people in a new ledger, and say there what was "
                "spent before."
            )

    def _connect(self) -> sqlite3.Connection:
        """Open a connection; never makes a file."""
        name = ":memory:" if self.path is None else f"{self.path.absolute().as_uri()}?mode=rw"
        connection = sqlite3.connect(
            name, self._patience, isolation_level=None, check_same_thread=False, uri=True
        )
        # EXTRA: the folder's entry has reached the disk too, so a power cut takes nothing back.
        for setting in ("journal_mode=DELETE", "synchronous=EXTRA", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {setting}")
        return connection


def server_ledger() -> Path | None:
    """Return the path that the operator set in ``DPCA_LEDGER``; None where none is set."""
    named = os.environ.get("DPCA_LEDGER", "").strip()
    return Path(named).expanduser() if named else None


def ledger_path() -> Path:
    """Return the operator's path, or the one that is proposed in the user's folder for data."""
    if (named := server_ledger()) is not None:
        return named
    for variable in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        folder = os.environ.get(variable, "")
        if folder and Path(folder).is_absolute():
            return Path(folder) / "dpca" / "ledger.sqlite"
    return Path.home() / ".local" / "share" / "dpca" / "ledger.sqlite"


def budget_words(epsilon: Fraction | str, delta: Fraction | str) -> str:
    """Write ε, and δ where there is one, rounded up: both are promises."""
    more = f", δ = {delta_text(float(Fraction(delta)))}" if Fraction(delta) else ""
    return f"ε = {upward(float(Fraction(epsilon)))}{more}"


def part_words(part: Fraction) -> str:
    """Write a part of a limit, rounded up, but never to all of what it is not all of."""
    percent = ceil(100 * part)
    if percent == 100 and part < _NEARLY:
        return "more than 99 %"
    return "less than 1 %" if percent == 1 and part < Fraction(1, 100) else f"{percent} %"


def left_words(epsilon: float) -> str:
    """Say which ε is left, rounded down to three digits: of more a release would be refused."""
    if epsilon < LEAST_EPSILON:
        return "nothing is left"
    left = Context(prec=3, rounding=ROUND_FLOOR).create_decimal(Decimal(epsilon * (1 + 1e-9)))
    return f"one more release may have ε = {float(left):g}"


def account_words(account: Account, sister: Account | None = None) -> str:
    """Say what an account's limit is, and what it and its sister promise together."""
    before = budget_words(account.before_epsilon, account.before_delta)
    spent = f", of which {before} was spent before" if before != "ε = 0" else ""
    said = f"at most {budget_words(account.epsilon, account.delta)} in all{spent}"
    if sister is None:
        return said
    epsilon = Fraction(sister.epsilon) + Fraction(account.epsilon)
    both = budget_words(epsilon, max(sister.delta, account.delta, key=Fraction))
    return f"{said}; with “{sister.name}”, which has the other kind of noise about them, {both}"


def _limit_texts(*given: Fraction | str) -> tuple[str, str, str, str]:
    """Check a limit and what was spent of it before: ε, δ, ε, δ; return them as decimal text."""
    try:
        epsilon, delta, before_epsilon, before_delta = map(exact, given)
    except ValueError as error:
        raise LedgerError(f"A limit must be exact: {error}") from None
    texts = text_of(epsilon), text_of(delta), text_of(before_epsilon), text_of(before_delta)
    if "/" in "".join(texts):
        raise LedgerError("A limit must be exact: give ε and δ as decimal numbers.")
    if not 0 < epsilon <= MOST_EPSILON:
        raise LedgerError("The limit’s ε must be above 0 and at most 10¹⁰.")
    if not (delta == 0 or LEAST_DELTA <= delta < 1):
        raise LedgerError("The limit’s δ must be 0, or at least 10⁻³⁰ and below 1.")
    rest = delta - before_delta
    if before_epsilon >= epsilon or not (rest == delta == 0 or rest >= LEAST_DELTA):
        raise LedgerError("What was spent before leaves nothing of the limit.")
    return texts


def _alike(name: str) -> str:
    """Return what names that look the same have in common: case and spelling of letters are not."""
    return unicodedata.normalize("NFKC", name).casefold()


def _require_other_kind(new: Account, same: Account, known: dict[str, Account]) -> None:
    """Refuse a second account of one kind of noise for the same people."""
    if known.get(same.id) != same:
        raise _no_account(same.name)
    if new.neighbours is not same.neighbours:
        raise LedgerError(f"{same.name} counts other neighbours: both accounts must count alike.")
    for account in (same, _sister(same, known)):
        if account is not None and account.pure is new.pure:
            kind = "pure" if new.pure else "Gaussian"
            raise LedgerError(
                f"These people have an account for {kind} noise already, “{account.name}”: release "
                "from that one."
            )


def _sister(account: Account, known: dict[str, Account]) -> Account | None:
    named = known.get(account.sister)
    return named or next((of for of in known.values() if of.sister == account.id), None)


def _no_account(name: str) -> LedgerError:
    return LedgerError(f"There is no account “{name}” in this ledger: open it first.")


def _insert(connection: sqlite3.Connection, table: str, row: dict[str, object]) -> None:
    marks = ", ".join("?" * len(row))
    connection.execute(
        f"INSERT INTO {table}({', '.join(row)}) VALUES({marks})", tuple(row.values())
    )


def _total(rows: Sequence[Row]) -> Fraction:
    return rows[-1].total if rows else Fraction(0)


def _epsilon_of(cost: Fraction, delta: Fraction) -> float:
    """Return the largest ε of a release that may cost so much, rounded down; pure where δ is 0."""
    if cost <= 0 or delta == 0:
        return max(0.0, below(cost))
    return mu2_epsilon(cost, delta) * _DOWN


def _quotient(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"


def _fraction(text: str) -> Fraction:
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise LedgerError("This ledger was changed by something else: a number is none.") from None


def _today() -> str:
    """Return the day: minutes would tell how long a release took, and with it n."""
    return datetime.now(UTC).date().isoformat()
