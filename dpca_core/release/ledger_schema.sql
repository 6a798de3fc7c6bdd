-- Accounts of people, and every release that was spent from them. A release is inserted as spent,
-- becomes drawn, then published; nothing else ever changes, and nothing is deleted: the triggers
-- tell every program so. No digest of a table is here, and days stand for times: minutes would tell
-- how long a release took, and with it n. Needs SQLite 3.37 (STRICT).
BEGIN IMMEDIATE;
PRAGMA application_id = 0x64706361;
PRAGMA user_version = 2;

CREATE TABLE IF NOT EXISTS account(
  id TEXT PRIMARY KEY, owner TEXT NOT NULL, name TEXT NOT NULL, people TEXT NOT NULL,
  neighbours TEXT NOT NULL CHECK(neighbours IN ('add_or_remove_one', 'replace_one')),
  epsilon TEXT NOT NULL, delta TEXT NOT NULL,  -- the limit; pure noise where δ is 0
  before_epsilon TEXT NOT NULL, before_delta TEXT NOT NULL,  -- spent outside this ledger
  sister TEXT NOT NULL,  -- id of the account of the other kind of noise about these people, or ''
  opened_on TEXT NOT NULL,
  UNIQUE(owner, name)) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS release(
  id TEXT PRIMARY KEY, account TEXT NOT NULL REFERENCES account(id), number INTEGER NOT NULL,
  status TEXT NOT NULL CHECK(status IN ('spent', 'drawn', 'published')),
  cost TEXT NOT NULL,  -- exact: μ² where the account has a δ, else ε
  plan TEXT NOT NULL, spent_on TEXT NOT NULL,
  sister TEXT NOT NULL,  -- id of the sister account that there was then, or ''
  again_for TEXT NOT NULL,  -- id of the drawn release that this one was spent for again, or ''
  previous TEXT NOT NULL, link TEXT NOT NULL,
  result BLOB, result_sha256 TEXT, published_on TEXT,
  CHECK((status = 'published') = (result IS NOT NULL)),
  CHECK((status = 'published') = (result_sha256 IS NOT NULL)),
  CHECK((status = 'published') = (published_on IS NOT NULL)),
  UNIQUE(account, number)) STRICT, WITHOUT ROWID;

CREATE TRIGGER IF NOT EXISTS account_kept BEFORE DELETE ON account
BEGIN SELECT RAISE(ABORT, 'an account is never deleted'); END;
CREATE TRIGGER IF NOT EXISTS account_fixed BEFORE UPDATE ON account
BEGIN SELECT RAISE(ABORT, 'an account never changes'); END;
-- REPLACE deletes without asking the triggers above: a row that exists cannot be inserted again.
CREATE TRIGGER IF NOT EXISTS account_once BEFORE INSERT ON account
WHEN EXISTS (SELECT 1 FROM account WHERE id = NEW.id OR (owner = NEW.owner AND name = NEW.name))
BEGIN SELECT RAISE(ABORT, 'an account is opened once'); END;

CREATE TRIGGER IF NOT EXISTS release_kept BEFORE DELETE ON release
BEGIN SELECT RAISE(ABORT, 'a release is never deleted'); END;
CREATE TRIGGER IF NOT EXISTS release_once BEFORE INSERT ON release
WHEN NEW.status <> 'spent' OR EXISTS (
  SELECT 1 FROM release WHERE id = NEW.id OR (account = NEW.account AND number = NEW.number)
  OR (again_for = NEW.again_for AND again_for <> ''))
BEGIN SELECT RAISE(ABORT, 'a release begins as spent, and is spent again once'); END;
CREATE TRIGGER IF NOT EXISTS release_fixed
BEFORE UPDATE OF id, account, number, cost, plan, spent_on, sister, again_for, previous, link
ON release
BEGIN SELECT RAISE(ABORT, 'what was spent never changes'); END;
CREATE TRIGGER IF NOT EXISTS release_goes_on BEFORE UPDATE ON release
WHEN NOT ((OLD.status = 'spent' AND NEW.status = 'drawn')
  OR (OLD.status = 'drawn' AND NEW.status = 'published'))
BEGIN SELECT RAISE(ABORT, 'a release goes from spent to drawn to published'); END;
COMMIT;
