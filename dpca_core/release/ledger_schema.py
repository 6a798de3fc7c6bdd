"""Tables of the ledger, and the changes that they allow: everything else is refused by triggers.

A release is inserted as spent, becomes drawn, then published; no row is ever deleted. An account's
limit can only fall. Tables have no row ids, and a row that exists cannot be inserted again: so
``REPLACE`` has nothing to replace. Needs SQLite 3.37 (``STRICT``).
"""

LEDGER_FORMAT = 1
LEAST_SQLITE = (3, 37)
APPLICATION = 0x64706361
"""“dpca”, in the header of the file."""

_DECIMAL = "{0} NOT GLOB '*[^0-9.]*' AND {0} GLOB '[0-9]*' AND {0} NOT GLOB '*.*.*'"

TABLES = (
    f"""
CREATE TABLE account(
  id TEXT NOT NULL PRIMARY KEY,
  owner TEXT NOT NULL,
  name TEXT NOT NULL,
  people TEXT NOT NULL,
  neighbours TEXT NOT NULL CHECK(neighbours IN ('add_or_remove_one', 'replace_one')),
  epsilon TEXT NOT NULL CHECK({_DECIMAL.format("epsilon")}),
  delta TEXT NOT NULL CHECK({_DECIMAL.format("delta")}),
  pure TEXT NOT NULL CHECK({_DECIMAL.format("pure")}),
  opened_on TEXT NOT NULL,
  UNIQUE(owner, name)) STRICT, WITHOUT ROWID""",
    """
CREATE TABLE release(
  id TEXT NOT NULL PRIMARY KEY,
  account TEXT NOT NULL REFERENCES account(id),
  number INTEGER NOT NULL,
  status TEXT NOT NULL CHECK(status IN ('spent', 'drawn', 'published')),
  mu2 TEXT NOT NULL,
  pure TEXT NOT NULL,
  plan TEXT NOT NULL,
  limit_epsilon TEXT NOT NULL,
  limit_delta TEXT NOT NULL,
  limit_pure TEXT NOT NULL,
  spent_on TEXT NOT NULL,
  previous TEXT NOT NULL,
  chain TEXT NOT NULL,
  result BLOB,
  result_sha256 TEXT,
  published_on TEXT,
  CHECK((status = 'published') = (result IS NOT NULL)),
  CHECK((status = 'published') = (result_sha256 IS NOT NULL)),
  CHECK((status = 'published') = (published_on IS NOT NULL)),
  UNIQUE(account, number)) STRICT, WITHOUT ROWID""",
)

TRIGGERS = (
    """
CREATE TRIGGER account_kept BEFORE DELETE ON account
BEGIN SELECT RAISE(ABORT, 'an account is never deleted'); END""",
    """
CREATE TRIGGER account_once BEFORE INSERT ON account
WHEN EXISTS (SELECT 1 FROM account
             WHERE id = NEW.id OR (owner = NEW.owner AND name = NEW.name))
BEGIN SELECT RAISE(ABORT, 'an account is opened once'); END""",
    """
CREATE TRIGGER account_limit_falls BEFORE UPDATE ON account
WHEN NOT (NEW.id = OLD.id AND NEW.owner = OLD.owner AND NEW.name = OLD.name
  AND NEW.people = OLD.people AND NEW.neighbours = OLD.neighbours
  AND NEW.pure = OLD.pure AND NEW.opened_on = OLD.opened_on
  AND (NEW.epsilon = OLD.epsilon OR CAST(NEW.epsilon AS REAL) < CAST(OLD.epsilon AS REAL))
  AND (NEW.delta = OLD.delta OR CAST(NEW.delta AS REAL) < CAST(OLD.delta AS REAL)))
BEGIN SELECT RAISE(ABORT, 'a limit can only be lowered'); END""",
    """
CREATE TRIGGER release_kept BEFORE DELETE ON release
BEGIN SELECT RAISE(ABORT, 'a release is never deleted'); END""",
    """
CREATE TRIGGER release_spent_once BEFORE INSERT ON release
WHEN NEW.status <> 'spent'
  OR EXISTS (SELECT 1 FROM release
             WHERE id = NEW.id OR (account = NEW.account AND number = NEW.number))
BEGIN SELECT RAISE(ABORT, 'a release begins as spent'); END""",
    """
CREATE TRIGGER release_goes_on BEFORE UPDATE ON release
WHEN NOT (NEW.id = OLD.id AND NEW.account = OLD.account AND NEW.number = OLD.number
  AND NEW.mu2 = OLD.mu2 AND NEW.pure = OLD.pure AND NEW.plan = OLD.plan
  AND NEW.limit_epsilon = OLD.limit_epsilon AND NEW.limit_delta = OLD.limit_delta
  AND NEW.limit_pure = OLD.limit_pure AND NEW.spent_on = OLD.spent_on
  AND NEW.previous = OLD.previous AND NEW.chain = OLD.chain
  AND ((OLD.status = 'spent' AND NEW.status = 'drawn')
       OR (OLD.status = 'drawn' AND NEW.status = 'published')))
BEGIN SELECT RAISE(ABORT, 'a release goes from spent to drawn to published'); END""",
)
