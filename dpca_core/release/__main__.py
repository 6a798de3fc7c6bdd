"""The command line of releases: ``python -m dpca_core.release open|draw|finish|again|account``.

Exit codes: 0 done, 2 wrong arguments, recipe, header or path, 3 the limit does not allow it and
nothing was drawn, 4 spent but not finished, 130 stopped by Ctrl-C before. Nothing printed was
computed from a table.
"""

import argparse
import sys
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from dpca_core.data.errors import EncodingError, RecipeError, TableError
from dpca_core.mechanisms.registry import DEFAULT, MECHANISMS
from dpca_core.privacy.budget import Adjacency
from dpca_core.release import commands
from dpca_core.release.commands import Refused
from dpca_core.release.draw import NotFinished
from dpca_core.release.ledger import LedgerError, OverLimit
from dpca_core.release.plan import PlanError

DONE, WRONG, OVER_LIMIT, NOT_FINISHED, STOPPED = 0, 2, 3, 4, 130
_MOST_DIGITS = 400


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    options = _parser().parse_args(arguments)
    try:
        options.run(options)
    except NotFinished as error:
        print(error, file=sys.stderr)
        print(f"To finish it: {commands.finish_command(options, error.row)}", file=sys.stderr)
        return NOT_FINISHED
    except OverLimit as error:
        print(error, file=sys.stderr)
        return OVER_LIMIT
    except (Refused, PlanError, LedgerError, EncodingError, RecipeError, TableError) as error:
        print(error, file=sys.stderr)
        return WRONG
    except OSError as error:
        print(f"{error.filename or 'A file'}: {error.strerror}.", file=sys.stderr)
        return WRONG
    except KeyboardInterrupt:
        print(
            f"Stopped. To see what is spent: {commands.account_command(options)}", file=sys.stderr
        )
        return STOPPED
    return DONE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m dpca_core.release",
        description="Spend a privacy budget once and publish principal components for good.",
    )
    some = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_open(some.add_parser("open", help="open an account: a group of people with a limit"))
    _add_draw(some.add_parser("draw", help="spend, draw and store one release"))
    _add_finish(some.add_parser("finish", help="finish a release that was interrupted"))
    _add_again(some.add_parser("again", help="write the files of a stored release again, free"))
    _add_account(some.add_parser("account", help="show what an account has spent"))
    return parser


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
    parser.set_defaults(run=commands.open_account)


def _add_draw(parser: argparse.ArgumentParser) -> None:
    _add_ledger(parser)
    parser.add_argument("tables", nargs="+", metavar="TABLE", help="CSV, Parquet, a folder, a glob")
    parser.add_argument("--recipe", required=True, metavar="FILE", help="a dpca-recipe/1 file")
    parser.add_argument("--account", required=True, metavar="NAME")
    parser.add_argument("--epsilon", type=_positive, required=True)
    parser.add_argument("--delta", type=_fraction, default=Fraction(0))
    exact = [key for key, found in MECHANISMS.items() if found.exact_noise is not None]
    parser.add_argument("--mechanism", choices=exact, default=DEFAULT.key)
    parser.add_argument("--means", type=_fraction, default=Fraction(0), metavar="SHARE")
    parser.add_argument("--scores", type=_positive, default=None, metavar="SHARE")
    parser.add_argument("--bins", type=int, nargs=2, default=(12, 12), metavar=("ACROSS", "UP"))
    parser.add_argument("--reach", type=_positive, default=Fraction(1))
    parser.add_argument("--k", type=int, default=2, help="directions in the report; costs nothing")
    parser.add_argument("--reason", required=True, metavar="TEXT", help="why this ε; published")
    for key, sentence in commands.CONFIRMED.items():
        parser.add_argument(f"--{key}", choices=("yes", "no"), default=None, help=sentence)
    parser.add_argument("--out", required=True, metavar="DIR", help="an empty or absent folder")
    parser.add_argument("--dry-run", action="store_true", help="show the plan; open no table")
    parser.add_argument("--yes", action="store_true", help="do not ask for the account's name")
    parser.set_defaults(run=commands.draw_release)


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
    parser.set_defaults(run=commands.finish_release)


def _add_again(parser: argparse.ArgumentParser) -> None:
    _add_ledger(parser)
    parser.add_argument("release", metavar="ID")
    parser.add_argument("--out", required=True, metavar="DIR")
    parser.set_defaults(run=commands.write_again)


def _add_account(parser: argparse.ArgumentParser) -> None:
    _add_ledger(parser)
    parser.add_argument("account", metavar="NAME")
    parser.add_argument("--json", action="store_true", help="as JSON")
    parser.set_defaults(run=commands.show_account)


def _add_ledger(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--ledger", metavar="FILE", default=None, help="default: DPCA_LEDGER, or your data folder"
    )


def _fraction(text: str) -> Fraction:
    """Read a decimal number exactly."""
    try:
        found = Decimal(text)
    except InvalidOperation:
        raise argparse.ArgumentTypeError(f"{text} is no number") from None
    if not (0 <= found <= 10**10) or found.adjusted() < -_MOST_DIGITS:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 10 billion")
    return Fraction(found)


def _positive(text: str) -> Fraction:
    found = _fraction(text)
    if found == 0:
        raise argparse.ArgumentTypeError("it must be above 0")
    return found


if __name__ == "__main__":
    sys.exit(main())
