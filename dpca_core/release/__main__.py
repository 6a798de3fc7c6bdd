"""The command line of releases, ``python -m dpca_core.release``: accounts, a check, draws.

Nothing printed was computed from a table, but for what ``check`` tells the owner. What can be asked
or refused is, before anything is spent: packages, settings, names, the header, and the folder,
which is made first. Imports that need an extra are made when a command runs.
"""

import argparse
import os
import shlex
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpca_core.data import recipe_json
from dpca_core.data.errors import RecipeError, TableError
from dpca_core.data.recipe import Recipe
from dpca_core.mechanisms.registry import DEFAULT, DRAWN_EXACTLY
from dpca_core.privacy.budget import Adjacency
from dpca_core.release.ledger import (
    Account,
    Ledger,
    LedgerError,
    OverLimit,
    account_words,
    budget_words,
    left_words,
)
from dpca_core.release.plan import Plan, PlanError, Scores, exact, loads, preview_rows
from dpca_core.text.listed import listed
from dpca_core.text.release_statements import INSTALL, Answer, Declaration, Fact, sentence

if TYPE_CHECKING:
    from dpca_core.release.published_release import Published

DONE, WRONG, OVER_LIMIT, NOT_FINISHED, NOT_WRITTEN, STOPPED = 0, 2, 3, 4, 5, 130
EXIT_CODES = f"""exit codes:
  {DONE}    done
  {WRONG}    wrong arguments, recipe, header, path, ledger or output: nothing was spent
  {OVER_LIMIT}    the limit does not allow it: nothing was spent
  {NOT_FINISHED}    spent but not finished: to be finished, not drawn again
  {NOT_WRITTEN}    spent and stored, but its files were not written: to be written again, free
  {STOPPED}  stopped by Ctrl-C: the account shows whether anything was spent"""
LOOKS = {
    "nothing": Fact.NOTHING,
    "values": Fact.VALUES,
    "curves": Fact.CURVES,
    "curves-after": Fact.CURVES_AFTER,
    "check": Fact.CHECKED,
    "check-and-change": Fact.CHANGED,
}
"""What an owner may say of looks at the table."""
QUESTIONS = {
    "unread": (Fact.UNREAD, "nobody’s file was read to fix ranges"),
    "unit": (Fact.UNIT, "one who is protected is one row, or one value of the recipe’s ID"),
    "accounts": (Fact.ACCOUNTS, "they are in no other account"),
}
"""Answered with yes or no before a release."""
_NEEDED = ("jinja2", "pandas", "pyarrow")
"""What the extra ``release`` adds; asked for at once, as nothing may be missing after spending."""


class Failed(Exception):
    """A sentence for standard error, and an exit code; at ``WRONG`` nothing was spent."""

    def __init__(self, said: str, code: int = WRONG) -> None:
        super().__init__(said)
        self.code = code


def parser() -> ArgumentParser:
    """Return the parser of all commands; ``run`` is the function of the one that was chosen."""
    style: Any = {"epilog": EXIT_CODES, "formatter_class": argparse.RawDescriptionHelpFormatter}
    what = "Spend a privacy budget once and publish principal components for good."
    found = ArgumentParser("python -m dpca_core.release", description=what, **style)
    commands = found.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run: Callable[[Namespace], None], said: str) -> Callable[..., Any]:
        added = commands.add_parser(name, help=said, **style)
        added.set_defaults(run=run)
        if run is not check_table:
            usual = "default: DPCA_LEDGER, or your data folder"
            added.add_argument("--ledger", metavar="FILE", default="", help=usual)
            whose = "whose accounts: the subject (sub) of a login on a server, not its name"
            added.add_argument("--owner", metavar="LOGIN", default="", help=whose)
        return added.add_argument

    add = command("open", open_account, "open an account: a group of people with a limit")
    add("--account", required=True, metavar="NAME")
    add("--people", required=True, metavar="TEXT", help="who they are; published")
    add("--neighbours", choices=[*Adjacency], default=Adjacency.ADD_OR_REMOVE_ONE)
    add("--epsilon", type=_number, required=True, help="limit of all releases")
    add("--delta", type=_number, required=True, help="limit of all releases; 0 for pure noise")
    before = "ε and δ of what these people have spent outside this ledger"
    add("--before", type=_number, nargs=2, default=("0", "0"), metavar=("ε", "δ"), help=before)
    other = "their account with the other kind of noise"
    add("--same-people-as", metavar="NAME", help=other)

    add = command("show", show, "show what is left of each account, or an account's releases")
    add("account", metavar="NAME", nargs="?")

    add = command("check", check_table, "say how well a table can be read: for its owner alone")
    add("tables", nargs="+", metavar="TABLE", help="CSV, Parquet, a folder, a glob")
    add("--recipe", required=True, metavar="FILE", help="a dpca-recipe/1 file")
    add("--id", action="append", default=[], metavar="COLUMN", help="that may name a person")

    add = command("draw", draw_release, "spend, draw and store one release")
    add("tables", nargs="+", metavar="TABLE", help="CSV, Parquet, a folder, a glob")
    add("--recipe", required=True, metavar="FILE", help="a dpca-recipe/1 file")
    add("--account", required=True, metavar="NAME")
    add("--epsilon", type=_number, required=True)
    add("--delta", type=_number, default=Fraction(0))
    add("--mechanism", choices=[*DRAWN_EXACTLY], default=DEFAULT.key)
    add("--means", type=_number, default=Fraction(0), metavar="SHARE")
    add("--scores", type=_number, metavar="SHARE")
    add("--bins", type=int, nargs=2, default=(12, 12), metavar=("ACROSS", "UP"))
    add("--reach", type=_number, default=Fraction(1))
    add("--k", type=int, default=2, help="directions in the report; costs nothing")
    add("--reason", default="", metavar="TEXT", help="why this ε; published")
    for key, (_, said) in QUESTIONS.items():
        add(f"--{key}", choices=("yes", "no"), help=said)
    looked = "what of the table was looked at, once for each; published, also if not stated"
    add("--looked-at", action="append", default=[], choices=[*LOOKS], help=looked)
    add("--out", required=True, metavar="DIR", help="an empty or absent folder")
    add("--dry-run", action="store_true", help="show the plan; open no table")
    add("--yes", action="store_true", help="do not ask for the account's name")

    add = command("finish", finish_release, "finish a release, or write a stored one again, free")
    add("release", metavar="ID")
    add("tables", nargs="*", metavar="TABLE")
    add("--out", required=True, metavar="DIR")
    add("--spend-again", action="store_true", help="draw anew, at full cost, if a draw had begun")
    return found


def open_account(options: Namespace) -> None:
    """Open an account with its limit."""
    ledger, same = _ledger(options), options.same_people_as
    limit = options.epsilon, options.delta, options.before
    sister = None if same is None else ledger.account(same)
    account = ledger.open_account(
        options.account, options.people, options.neighbours, *limit, sister
    )
    say(f"{account.name} is open: {account_words(account, sister)}.")


def show(options: Namespace) -> None:
    """Print what is left of all accounts; or of one, with every release."""
    ledger, one = _ledger(options), options.account
    # What nobody could read is an error here: nothing else was asked.
    for account in ledger.accounts() if one is None else [ledger.account(one)]:
        limit, left = account_words(account, ledger.sister(account)), ledger.left_epsilon(account)
        print(f"{account.name}, {account.people}: {limit}; {left_words(left)}.", flush=True)
        for row in ledger.releases(account) if one else ():
            print(f"{row.number}  {row.spent_on}  {row.status}  {row.id}", flush=True)


def check_table(options: Namespace) -> None:
    """Print how well a table fits its recipe; whatever is found, the command succeeds."""
    from dpca_core.tables.check import check

    found = check(options.tables, _recipe(options), options.id)
    how = "This was a look at the table: state it, when you release, with --looked-at check."
    print(*found.sentences(), how, sep="\n", flush=True)


def draw_release(options: Namespace) -> None:
    """Spend, draw and store a release, and write its files."""
    from dpca_core.release.draw import draw
    from dpca_core.release.table_source import TableSource

    ledger = _ledger(options)
    account = ledger.account(options.account)
    plan = _plan(options, account)
    tables = listed([f"the {table}" for table in plan.shares])
    spent = budget_words(plan.epsilon, plan.delta)
    say(f"Spend {spent} of {account.name} and publish {tables}.")
    say(*(f"{what}: {much}" for what, much in preview_rows(plan)))
    for of in plan.declarations:
        if of.answer is Answer.STATED:
            say(f"Published with it: {_sentence(of.fact, plan.recipe)}")
    ledger.require_fits(account, plan)
    if options.dry_run:
        print("Nothing was spent, and no table was opened.", flush=True)
        return
    source = TableSource(options.tables, plan.recipe)
    source.check()
    question = f"Type the account’s name, {account.name}, to spend:"
    if not options.yes and _asked(question, "--yes") != account.name:
        raise Failed("That is not the account’s name. Nothing was spent.")
    _written(options, lambda: draw(ledger, account, plan, source, reached=say))


def finish_release(options: Namespace) -> None:
    """Finish a release that was interrupted; one that is stored is written again, free."""
    from dpca_core.release.draw import finish
    from dpca_core.release.table_source import TableSource

    ledger = _ledger(options)
    row = ledger.release(options.release)
    source = TableSource(options.tables, loads(row.plan).recipe) if options.tables else None
    again = options.spend_again
    _written(options, lambda: finish(ledger, row, source, spend_again=again, reached=say))


def say(*lines: object) -> None:
    """Print lines, if anybody reads them: a reader who has gone is no reason to lose a release."""
    with suppress(OSError, ValueError):
        print(*lines, sep="\n", flush=True)


def _written(options: Namespace, release: Callable[[], "Published"]) -> None:
    """Make the folder, make the release, and write its files."""
    from dpca_core.release.draw import NotFinished
    from dpca_core.release.published_release import empty_folder

    out = empty_folder(options.out)
    try:
        found = release()
    except NotFinished as error:
        # Tables behind an option would not be read as those of this command.
        more = [*options.tables, "--out", options.out]
        how = f"To finish it: {_command(options, 'finish', error.row.id, *more)}"
        raise Failed(f"{error}\n{how}", NOT_FINISHED) from None
    try:
        found.save(out)
    except Exception as error:
        why = str(error) if isinstance(error, LedgerError) else "The files could not be made."
        how = _command(options, "finish", found.row.id, "--out", "DIR")
        raise Failed(f"{why} The release is stored; to write it: {how}", NOT_WRITTEN) from None
    say(f"Release {found.row.number} ({found.row.id}) is in {out}.")
    say(f"Check it: python -m dpca_core.verify {shlex.quote(str(out))}")


def _plan(options: Namespace, account: Account) -> Plan:
    recipe, scores = _recipe(options), options.scores
    return Plan(
        recipe=recipe,
        neighbours=account.neighbours,
        epsilon=options.epsilon,
        delta=options.delta,
        mechanism=options.mechanism,
        reason=options.reason,
        means=options.means,
        scores=None if scores is None else Scores(scores, tuple(options.bins), options.reach),
        k=options.k,
        declarations=tuple(_declarations(options, recipe)),
    )


def _declarations(options: Namespace, recipe: Recipe) -> list[Declaration]:
    """Return what was stated of looks, and the answers to questions, asked where they are open."""
    looks = {LOOKS[look] for look in options.looked_at}
    seen = any(column.seen for column in recipe.columns)
    if Fact.NOTHING in looks and seen:
        raise Failed(
            "The recipe says that values of the table were shown before it was described, so "
            "--looked-at nothing would be false. Nothing was spent."
        )
    found = [Declaration(fact, Answer.STATED) for fact in Fact if fact in looks]
    # Whoever looked before deciding has said more than the question whether nobody did.
    known = seen or looks & {Fact.VALUES, Fact.CURVES}
    for key, (fact, _) in QUESTIONS.items():
        answer = getattr(options, key)
        if fact is Fact.UNREAD and known and answer != "no":
            continue
        while answer not in ("yes", "no"):
            answer = _asked(f"{_sentence(fact, recipe)} (yes or no)", f"--{key} yes or no").lower()
        found.append(Declaration(fact, Answer(answer)))
    return found


def _sentence(fact: Fact, recipe: Recipe) -> str:
    return sentence(fact, recipe.unit.one, recipe.unit.many, recipe.person)


def _recipe(options: Namespace) -> Recipe:
    try:
        return recipe_json.loads(Path(options.recipe).read_bytes())
    except OSError as error:
        raise RecipeError(f"{options.recipe} cannot be read: {error.strerror}.") from None


def _asked(question: str, option: str) -> str:
    """Ask on a terminal; without one the option is needed."""
    if not sys.stdin.isatty():
        raise Failed(f"Without a terminal, {option} is needed: “{question}” Nothing was spent.")
    try:
        return input(f"{question} ").strip()
    except EOFError:
        raise Failed("That is no answer. Nothing was spent.") from None


def _ledger(options: Namespace) -> Ledger:
    return Ledger.open(options.ledger, options.owner)


def _command(options: Namespace, *words: str) -> str:
    named = [("--ledger", options.ledger), ("--owner", options.owner)]
    more = [word for pair in named if pair[1] for word in pair]
    return shlex.join(["python", "-m", "dpca_core.release", *words, *more])


def _number(text: str) -> Fraction:
    """Read a decimal number exactly."""
    try:
        return exact(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    options = parser().parse_args(arguments)
    try:
        if missing := [name for name in _NEEDED if find_spec(name) is None]:
            raise Failed(
                f"A release needs {' and '.join(missing)}: {INSTALL} adds what is missing."
            )
        options.run(options)
    except (Failed, PlanError, LedgerError, RecipeError, TableError) as error:
        code = OVER_LIMIT if isinstance(error, OverLimit) else getattr(error, "code", WRONG)
        return _failed(error, code)
    except OSError as error:
        return _failed(f"{error.filename or 'The output'}: {error.strerror}.", WRONG)
    except KeyboardInterrupt:
        how = _command(options, "show", getattr(options, "account", "NAME"))
        return _failed(f"Stopped. To see what is spent: {how}", STOPPED)
    return DONE


def _failed(said: object, code: int) -> int:
    # Nobody may be there to read it; the exit code says as much.
    if sys.stderr:
        with suppress(OSError, ValueError):
            print(said, file=sys.stderr, flush=True)
    return code


def run() -> int:
    """Run the command of this process; what cannot be printed does not change its exit code.

    A reader who has gone, or a disk that is full, would otherwise make Python end with 120, and a
    letter that the output has no code for with 1: a release that is spent and written would look
    as if it were to be drawn again.
    """
    streams = [stream for stream in (sys.stdout, sys.stderr) if stream]
    for stream in streams:
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        return main()
    finally:
        for stream in streams:
            try:
                stream.flush()
            except OSError:
                # Python flushes once more when it ends.
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


if __name__ == "__main__":
    sys.exit(run())
