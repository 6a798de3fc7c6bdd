"""What the command line of releases takes. Nothing in here needs an extra to be installed."""

import argparse
import re
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType

from dpca_core.data.handover import UNREAD, Look
from dpca_core.mechanisms.registry import DEFAULT, DRAWN_EXACTLY
from dpca_core.privacy.budget import Adjacency

DONE, WRONG, OVER_LIMIT, NOT_FINISHED, NOT_WRITTEN, STOPPED = 0, 2, 3, 4, 5, 130
EXIT_CODES = f"""exit codes:
  {DONE}    done
  {WRONG}    wrong arguments, recipe, header, path, ledger or output: nothing was spent
  {OVER_LIMIT}    the limit does not allow it: nothing was spent
  {NOT_FINISHED}    spent but not finished: to be finished, not drawn again
  {NOT_WRITTEN}    spent and stored, but its files were not written: to be written again, free
  {STOPPED}  stopped by Ctrl-C: the account shows whether anything was spent"""
"""Printed below every help."""
CONFIRMED = MappingProxyType(
    {
        "unread": UNREAD,
        "unit": "One of those who are protected is one row, or one value of the recipe’s ID.",
        "accounts": "They are in no other account.",
    }
)
"""What is answered with yes or no before a release; printed with it in the recipe’s words."""
_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,6})?")
_MOST_DIGITS = 400


def parser() -> argparse.ArgumentParser:
    """Return the parser of all commands; ``command`` is the name of a function of ``commands``."""
    found = argparse.ArgumentParser(
        prog="python -m dpca_core.release",
        description="Spend a privacy budget once and publish principal components for good.",
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    some = found.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, said: str) -> argparse.ArgumentParser:
        return some.add_parser(
            name,
            help=said,
            epilog=EXIT_CODES,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )

    _add_open(command("open", "open an account: a group of people with a limit"))
    _add_draw(command("draw", "spend, draw and store one release"))
    _add_finish(command("finish", "finish a release that was interrupted"))
    _add_again(command("again", "write the files of a stored release again, free"))
    _add_account(command("account", "show what an account has spent"))
    return found


def _add_open(parser: argparse.ArgumentParser) -> None:
    _add_ledger(parser)
    parser.add_argument("--account", required=True, metavar="NAME")
    parser.add_argument("--people", required=True, metavar="TEXT", help="who they are; published")
    names = [adjacency.value for adjacency in Adjacency]
    parser.add_argument("--neighbours", choices=names, default=names[0])
    parser.add_argument("--epsilon", type=_positive, required=True, help="limit of all releases")
    parser.add_argument("--delta", type=_fraction, required=True, help="limit of all releases")
    parser.add_argument(
        "--pure",
        type=_fraction,
        default=Fraction(0),
        help="part of ε that is set aside for pure releases after a Gaussian one",
    )
    parser.set_defaults(command="open_account")


def _add_draw(parser: argparse.ArgumentParser) -> None:
    _add_ledger(parser)
    parser.add_argument("tables", nargs="+", metavar="TABLE", help="CSV, Parquet, a folder, a glob")
    parser.add_argument("--recipe", required=True, metavar="FILE", help="a dpca-recipe/1 file")
    parser.add_argument("--account", required=True, metavar="NAME")
    parser.add_argument("--epsilon", type=_positive, required=True)
    parser.add_argument("--delta", type=_fraction, default=Fraction(0))
    parser.add_argument("--mechanism", choices=tuple(DRAWN_EXACTLY), default=DEFAULT.key)
    parser.add_argument("--means", type=_fraction, default=Fraction(0), metavar="SHARE")
    parser.add_argument("--scores", type=_positive, default=None, metavar="SHARE")
    parser.add_argument("--bins", type=int, nargs=2, default=(12, 12), metavar=("ACROSS", "UP"))
    parser.add_argument("--reach", type=_positive, default=Fraction(1))
    parser.add_argument("--k", type=int, default=2, help="directions in the report; costs nothing")
    parser.add_argument("--reason", required=True, metavar="TEXT", help="why this ε; published")
    for key, sentence in CONFIRMED.items():
        parser.add_argument(f"--{key}", choices=("yes", "no"), default=None, help=sentence)
    parser.add_argument(
        "--looked-at",
        action="append",
        choices=[look.value for look in Look],
        default=None,
        help="what of the table you looked at before deciding, once for each; published, also "
        "where it is not stated",
    )
    parser.add_argument("--out", required=True, metavar="DIR", help="an empty or absent folder")
    parser.add_argument("--dry-run", action="store_true", help="show the plan; open no table")
    parser.add_argument("--yes", action="store_true", help="do not ask for the account's name")
    parser.set_defaults(command="draw_release")


def _add_finish(parser: argparse.ArgumentParser) -> None:
    _add_ledger(parser)
    parser.add_argument("release", metavar="ID")
    parser.add_argument("tables", nargs="*", metavar="TABLE")
    parser.add_argument("--out", required=True, metavar="DIR")
    parser.add_argument(
        "--spend-again",
        action="store_true",
        help="draw anew, at full cost, where a draw had begun",
    )
    parser.set_defaults(command="finish_release")


def _add_again(parser: argparse.ArgumentParser) -> None:
    _add_ledger(parser)
    parser.add_argument("release", metavar="ID")
    parser.add_argument("--out", required=True, metavar="DIR")
    parser.set_defaults(command="write_again")


def _add_account(parser: argparse.ArgumentParser) -> None:
    _add_ledger(parser)
    parser.add_argument("account", metavar="NAME")
    parser.add_argument("--json", action="store_true", help="as JSON")
    parser.set_defaults(command="show_account")


def _add_ledger(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--ledger", metavar="FILE", default=None, help="default: DPCA_LEDGER, or your data folder"
    )


def _fraction(text: str) -> Fraction:
    """Read a decimal number exactly."""
    if not _DECIMAL.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{text} is no number")
    found = Decimal(text)
    if not (0 <= found <= 10**10) or found.adjusted() < -_MOST_DIGITS:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 10 billion")
    return Fraction(found)


def _positive(text: str) -> Fraction:
    found = _fraction(text)
    if found == 0:
        raise argparse.ArgumentTypeError("it must be above 0")
    return found
