"""The command line of releases: ``python -m dpca_core.release open|draw|finish|again|account``.

Exit codes: 0 done, 2 wrong arguments, recipe, header, path or ledger, 3 the limit does not allow
it, 4 spent but not finished, 5 spent and stored but its files were not written, 130 stopped by
Ctrl-C. Nothing was spent where it is 2 or 3. Nothing printed was computed from a table.
"""

import sys
from collections.abc import Sequence
from importlib.util import find_spec

from dpca_core.data.errors import EncodingError, RecipeError, TableError
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
        print(
            f"A release needs {' and '.join(missing)}: pip install '.[release]' in this project’s "
            "folder adds what is missing.",
            file=sys.stderr,
        )
        return WRONG
    from dpca_core.release import commands
    from dpca_core.release.draw import NotFinished

    try:
        commands.COMMANDS[options.command](options)
    except NotFinished as error:
        print(error, file=sys.stderr)
        print(f"To finish it: {commands.finish_command(options, error.row)}", file=sys.stderr)
        return NOT_FINISHED
    except commands.NotWritten as error:
        print(error, file=sys.stderr)
        return NOT_WRITTEN
    except OverLimit as error:
        print(error, file=sys.stderr)
        return OVER_LIMIT
    except (
        commands.Refused,
        PlanError,
        LedgerError,
        EncodingError,
        RecipeError,
        TableError,
    ) as error:
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


if __name__ == "__main__":
    sys.exit(main())
