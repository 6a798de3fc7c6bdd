"""``python -m dpca_core.verify certificate.json [FILES…]``: one line a check.

The files are those that lie beside the certificate: tables, report, page for people. Those that are
listed and not given are named, and the certificate among them is passed over.

Exit codes: 0 all is right, 1 something is wrong, 2 the certificate or a file cannot be read.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from dpca_core.verify.certificate_checks import certificate_checks
from dpca_core.verify.certificate_values import Unreadable, read_tree, written
from dpca_core.verify.check import Check
from dpca_core.verify.released_file_checks import file_checks

RIGHT, WRONG, UNREADABLE = 0, 1, 2
LAST_LINE = (
    "The arithmetic of this certificate is right. Whether the program ran as described can't be "
    "seen from its output."
)
_LONGEST_VALUE = 200
"""Characters of a value that are printed."""


def main(arguments: Sequence[str]) -> int:
    """Check a certificate and files, print a line for each check, return the exit code."""
    if not arguments or arguments[0].startswith("-"):
        print("Usage: python -m dpca_core.verify certificate.json [FILES...]", file=sys.stderr)
        return UNREADABLE
    try:
        content = _content(arguments[0])
        tree = read_tree(content)
        found = [
            *certificate_checks(tree),
            Check("one way of writing", content == written(tree), "other bytes", "sorted keys"),
        ]
        others = [name for name in arguments[1:] if Path(name) != Path(arguments[0])]
        for name in others:
            found += file_checks(tree, Path(name).name, _content(name))
    except Unreadable as error:
        print(f"{arguments[0]} cannot be checked: {error}.", file=sys.stderr)
        return UNREADABLE
    for check in found:
        print(_line(check))
    absent = sorted(tree["files"].keys() - {Path(name).name for name in others})
    for name in absent:
        print(f"absent {name}: was not given, so it was not checked")
    wrong = [check for check in found if not (check.right or check.noted)]
    print(f"{len(wrong)} of {len(found)} checks are WRONG." if wrong else LAST_LINE)
    return WRONG if wrong else RIGHT


def _content(name: str) -> bytes:
    """Read a file."""
    try:
        return Path(name).read_bytes()
    except (OSError, ValueError):
        raise Unreadable(f"{name} cannot be opened") from None


def _line(check: Check) -> str:
    if check.right:
        return f"ok     {check.name}"
    mark = "note " if check.noted else "WRONG"
    said, found = (str(value)[:_LONGEST_VALUE] for value in (check.said, check.found))
    return " ".join(f"{mark}  {check.name}: it says {said}, but it is {found}".splitlines())


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
    sys.stderr.reconfigure(errors="replace")  # type: ignore[union-attr]
    sys.exit(main(sys.argv[1:]))
