"""The command line of releases: ``python -m dpca_core.release open|draw|finish|again|account``.

Exit codes: 0 done, 2 wrong arguments, recipe, header, path, ledger or output, 3 the limit does not
allow it, 4 spent but not finished, 5 spent and stored but its files were not written, 130 stopped
by Ctrl-C. Nothing was spent where it is 2 or 3. Nothing printed was computed from a table.
"""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib.util import find_spec

from dpca_core.data.errors import RecipeError, TableError
from dpca_core.release.arguments import (
    DONE,
    NOT_FINISHED,
    NOT_WRITTEN,
    OVER_LIMIT,
    STOPPED,
    WRONG,
    parser,
)
from dpca_core.release.ledger_errors import LedgerError, OverLimit
from dpca_core.release.plan_checks import PlanError

_NEEDED = ("jinja2", "pandas", "pyarrow")
"""What the extra ``release`` adds; asked for at once, as nothing may be missing after spending."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    options = parser().parse_args(arguments)
    if missing := [name for name in _NEEDED if find_spec(name) is None]:
        _complain(
            f"A release needs {' and '.join(missing)}: pip install '.[release]' in this project’s "
            "folder adds what is missing."
        )
        return WRONG
    from dpca_core.release import commands
    from dpca_core.release.draw import NotFinished

    try:
        commands.COMMANDS[options.command](options)
    except NotFinished as error:
        finish = commands.finish_command(options, error.row)
        _complain(f"{error}\nTo finish it: {finish}")
        return NOT_FINISHED
    except commands.NotWritten as error:
        _complain(error)
        return NOT_WRITTEN
    except OverLimit as error:
        _complain(error)
        return OVER_LIMIT
    except (
        commands.Refused,
        PlanError,
        LedgerError,
        RecipeError,
        TableError,
    ) as error:
        _complain(error)
        return WRONG
    except OSError as error:
        _complain(f"{error.filename or 'A file'}: {error.strerror}.")
        return WRONG
    except KeyboardInterrupt:
        _complain(f"Stopped. To see what is spent: {commands.account_command(options)}")
        return STOPPED
    return DONE


def run() -> int:
    """Run the command of this process; what cannot be printed does not change its exit code.

    A reader who has gone, or a disk that is full, would otherwise make Python end with 120, and a
    letter that the output has no code for with 1: a release that is spent and written would look
    as if it were to be drawn again.
    """
    for stream in filter(None, (sys.stdout, sys.stderr)):
        stream.reconfigure(errors="backslashreplace")
    try:
        return main()
    finally:
        for stream in filter(None, (sys.stdout, sys.stderr)):
            try:
                stream.flush()
            except OSError:
                # Python flushes once more when it ends.
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _complain(said: object) -> None:
    # Nobody may be there to read it; the exit code says as much.
    with suppress(OSError, ValueError):
        print(said, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(run())
