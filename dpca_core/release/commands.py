"""What each command of ``python -m dpca_core.release`` does. Nothing printed is private."""

import json
import shlex
import sys
from argparse import Namespace
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType

from dpca_core.data import recipe_json
from dpca_core.data.errors import RecipeError
from dpca_core.data.handover import UNREAD, Look, accounts_sentence, look_sentence, unit_sentence
from dpca_core.data.recipe import Recipe
from dpca_core.privacy.budget import Adjacency
from dpca_core.release.draw import draw, finish
from dpca_core.release.ledger import Account, Ledger, LedgerError, Row, Status, ledger_path
from dpca_core.release.plan import Declaration, Plan, Scores
from dpca_core.release.preview import preview
from dpca_core.release.published_release import PublishedRelease, require_writable
from dpca_core.release.table_source import TableSource


class Refused(Exception):
    """A command that cannot be followed; nothing was spent. The message is one sentence."""


class NotWritten(Exception):
    """A release is spent and stored, but its files are not there; the message says how to go on."""


def open_account(options: Namespace) -> None:
    """Open an account with its limit."""
    account = _ledger(options).open_account(
        options.account,
        options.people,
        Adjacency(options.neighbours),
        options.epsilon,
        options.delta,
        options.pure,
    )
    _tell(f"{account.name} is open: {_limit(account)}.")


def draw_release(options: Namespace) -> None:
    """Spend, draw and store a release, and write its files."""
    account = _ledger(options).account(options.account)
    plan = _plan(options, account)
    out = Path(options.out)
    require_writable(out)
    print(_sentence(account, plan))
    print(*preview(plan).lines(), sep="\n")
    print(f"Published with it: {plan.declarations[0].sentence}")
    account.require_fits(plan)
    if options.dry_run:
        print("Nothing was spent, and no table was opened.", flush=True)
        return
    source = TableSource(options.tables, plan.recipe)
    source.check()
    _confirm_name(account, options)
    release = draw(account, plan, source, reached=_say)
    _save(release, out, options)
    _tell(f"Release {release.row.number} ({release.row.id}) is in {out}.")
    certificate = shlex.quote(str(out / "certificate.json"))
    _tell(f"Check it: python -m dpca_core.verify {certificate} {shlex.quote(str(out))}/*")


def finish_release(options: Namespace) -> None:
    """Finish a release that was interrupted, and write its files."""
    account, row = _ledger(options).find(options.release)
    require_writable(Path(options.out))
    source = TableSource(options.tables, row.plan.recipe) if options.tables else None
    release = finish(account, row, source, spend_again=options.spend_again, reached=_say)
    _save(release, Path(options.out), options)
    _tell(f"Release {release.row.number} ({release.row.id}) is in {options.out}.")


def write_again(options: Namespace) -> None:
    """Write the files of a stored release again."""
    _, row = _ledger(options).find(options.release)
    PublishedRelease.of(row).save(options.out)
    _tell(f"Release {row.number} is in {options.out}, as it was stored; nothing was spent.")


def show_account(options: Namespace) -> None:
    """Print an account: its limit, what was spent, and every release."""
    account = _ledger(options).account(options.account)
    rows = account.releases()
    if options.json:
        lines = [json.dumps(_tree(account, rows), ensure_ascii=False, indent=1, sort_keys=True)]
    else:
        lines = [
            f"{account.name}: {account.people}. {_limit(account)}.",
            f"{account.left_epsilon():.6g} of ε is left at this δ.",
        ]
        for row in rows:
            epsilon = f"{float(row.plan.epsilon):g}"
            lines.append(
                f"{row.number}  {row.spent_on}  ε = {epsilon}  {row.status.value}  {row.id}"
            )
    # What nobody could read is an error here: nothing else was asked.
    print(*lines, sep="\n", flush=True)


COMMANDS = MappingProxyType(
    {
        command.__name__: command
        for command in (open_account, draw_release, finish_release, write_again, show_account)
    }
)
"""Each command by its name."""


def _save(release: PublishedRelease, out: Path, options: Namespace) -> None:
    """Write the files; where that fails, say how to write them later: nothing is lost."""
    try:
        release.save(out)
        return
    except LedgerError as error:
        said = str(error)
    except Exception:
        said = "The files could not be made."
    words = ["python", "-m", "dpca_core.release", "again", release.row.id, "--out", "DIR"]
    if options.ledger is not None:
        words += ["--ledger", options.ledger]
    raise NotWritten(f"{said} The release is stored; to write it: {shlex.join(words)}")


def finish_command(options: Namespace, row: Row) -> str:
    """Return the command that finishes a release."""
    words = ["python", "-m", "dpca_core.release", "finish", row.id]
    if options.ledger is not None:
        words += ["--ledger", options.ledger]
    words += ["--out", options.out, *getattr(options, "tables", [])]
    return shlex.join(words)


def account_command(options: Namespace) -> str:
    """Return the command that shows what an account has spent."""
    words = ["python", "-m", "dpca_core.release", "account", getattr(options, "account", "NAME")]
    if options.ledger is not None:
        words += ["--ledger", options.ledger]
    return shlex.join(words)


def _ledger(options: Namespace) -> Ledger:
    return Ledger(ledger_path() if options.ledger is None else Path(options.ledger))


def _plan(options: Namespace, account: Account) -> Plan:
    try:
        recipe = recipe_json.loads(Path(options.recipe).read_bytes())
    except OSError as error:
        raise RecipeError(f"{options.recipe} cannot be read: {error.strerror}.") from None
    scores = None
    if options.scores is not None:
        scores = Scores(options.scores, tuple(options.bins), options.reach)
    return Plan(
        columns=recipe.coded_names,
        recipe=recipe,
        adjacency=account.neighbours,
        epsilon=options.epsilon,
        delta=options.delta,
        mechanism=options.mechanism,
        means=options.means,
        scores=scores,
        k=options.k,
        reason=options.reason,
        declarations=_declarations(options, recipe),
    )


def _declarations(options: Namespace, recipe: Recipe) -> tuple[Declaration, ...]:
    sentences = {
        "unread": UNREAD,
        "unit": unit_sentence(recipe.person, recipe.unit),
        "accounts": accounts_sentence(recipe.unit),
    }
    looks = _looks(options, recipe)
    # That values were seen stands in the recipe, and in the certificate: it is not asked again.
    # Who looked, and says that a file was read, has said more.
    seen = any(column.seen for column in recipe.columns)
    if (seen or looks - {Look.NOTHING}) and options.unread != "no":
        del sentences["unread"]
    found = [Declaration(look_sentence(looks), True)]
    for key, sentence in sentences.items():
        answer = getattr(options, key)
        while answer not in ("yes", "no"):
            if not sys.stdin.isatty():
                raise Refused(f"Say --{key} yes or --{key} no: “{sentence}”")
            answer = input(f"{sentence} (yes or no) ").strip().lower()
        found.append(Declaration(sentence, answer == "yes"))
    return tuple(found)


def _looks(options: Namespace, recipe: Recipe) -> frozenset[Look]:
    """Return what was stated of looks before deciding; refuse what contradicts itself."""
    looks = frozenset(map(Look, options.looked_at or ()))
    if Look.NOTHING not in looks:
        return looks
    if len(looks) > 1:
        raise Refused("--looked-at nothing goes with nothing else. Nothing was spent.")
    if any(column.seen for column in recipe.columns):
        raise Refused(
            "The recipe says that values of the table were shown before it was described, so "
            "--looked-at nothing would be false. Nothing was spent."
        )
    return looks


def _confirm_name(account: Account, options: Namespace) -> None:
    """Ask for the account's name before it is spent from, unless that was waived."""
    if options.yes:
        return
    if not sys.stdin.isatty():
        raise Refused("Without a terminal, --yes is needed to spend. Nothing was spent.")
    if input(f"Type the account’s name, {account.name}, to spend: ").strip() != account.name:
        raise Refused("That is not the account’s name. Nothing was spent.")


def _sentence(account: Account, plan: Plan) -> str:
    """Say in one sentence what is spent and published."""
    tables = [f"a matrix, {plan.d} × {plan.d}"]
    if plan.means > 0:
        tables.append("means")
    if plan.scores is not None:
        across, up = plan.scores.bins
        tables.append(f"a histogram, {across} × {up}")
    delta = f", δ = {float(plan.delta):g}" if plan.cost.mu2 > 0 else ""
    return (
        f"Spend ε = {float(plan.epsilon):g}{delta} of {account.name} and publish "
        f"{' and '.join(tables)}."
    )


def _limit(account: Account) -> str:
    return f"at most ε = {float(account.epsilon):g}, δ = {float(account.delta):g} in all"


def _say(status: Status) -> None:
    _tell(status.value)


def _tell(line: str) -> None:
    # Whoever reads along may have gone, or cannot be written a letter: that is no reason to lose
    # what is spent, or to end as if it were not.
    with suppress(OSError, ValueError):
        print(line, flush=True)


def _tree(account: Account, rows: tuple[Row, ...]) -> dict[str, object]:
    total = account.total()
    return {
        "account": account.name,
        "people": account.people,
        "neighbours": account.neighbours.value,
        "limit": {"epsilon": str(account.epsilon), "delta": str(account.delta)},
        "spent": {"mu2": str(total.mu2), "pure": str(total.pure)},
        "left_epsilon": account.left_epsilon(),
        "releases": [
            {
                "id": row.id,
                "number": row.number,
                "status": row.status.value,
                "spent_on": row.spent_on,
                "mu2": str(row.cost.mu2),
                "pure": str(row.cost.pure),
            }
            for row in rows
        ],
    }
