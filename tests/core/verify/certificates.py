"""Certificates with their files, changed in one place."""

import copy
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dpca_core.verify.__main__ import main
from dpca_core.verify.certificate_checks import certificate_checks
from dpca_core.verify.certificate_values import canonical, written

CERTIFICATE = "certificate.json"


def verified(folder: Path, files: dict[str, bytes], *, alone: bool = False) -> int:
    """Write files, verify them, return the exit code."""
    for name, content in files.items():
        (folder / name).write_bytes(content)
    others = [] if alone else [str(folder / name) for name in files if name != CERTIFICATE]
    return main([str(folder / CERTIFICATE), *others])


def leaves(tree: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Return every text, number and null of a tree with the way to it."""
    if isinstance(tree, dict | list):
        for key, value in tree.items() if isinstance(tree, dict) else enumerate(tree):
            yield from leaves(value, f"{path}/{key}" if path else str(key))
    else:
        yield path, tree


def changed(tree: Any, places: dict[str, Any]) -> Any:
    """Return a tree with other values in some places."""
    found = copy.deepcopy(tree)
    for path, value in places.items():
        *way, last = (int(key) if key.isdigit() else key for key in path.split("/"))
        inner = found
        for key in way:
            inner = inner[key]
        inner[last] = value
    return found


def other(value: Any) -> Any:
    """Return a value of the same kind that is not this one: one more, or one letter changed."""
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int | float):
        return value + 1
    if not value:
        return "x"
    last = value[-1]
    return value[:-1] + (str((int(last) + 1) % 10) if last in "0123456789" else f"{last}x")


def sealed(tree: Any) -> bytes:
    """Write a tree whose digest is right again: what somebody would do who means to deceive."""
    rest = {key: value for key, value in tree.items() if key != "digest"}
    return written(rest | {"digest": hashlib.sha256(canonical(rest).encode()).hexdigest()})


def forged(tree: Any, places: dict[str, Any]) -> bytes:
    """Write a tree that is changed, with the link of its chain and its digest made again."""
    tree = changed(tree, places)
    chain, release, guarantee = (tree[key] for key in ("chain", "release", "guarantee"))
    facts = {
        "account": tree["account"]["id"],
        **{key: release[key] for key in ("id", "number", "spent_on")},
        **{key: guarantee[key] for key in ("mu2", "pure")},
        **{f"limit_{key}": value for key, value in chain["limit"].items()},
        "plan": canonical(tree["plan"]),
    }
    link = hashlib.sha256(f"{chain['previous']}\n{canonical(facts)}".encode()).hexdigest()
    return sealed(changed(tree, {"chain/link": link}))


def wrong(content: bytes) -> set[str]:
    """Return the names of checks of a certificate that are wrong."""
    return {check.name for check in certificate_checks(json.loads(content)) if not check.right}
