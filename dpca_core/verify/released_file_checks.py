"""The files of a release against their digests, and the shape of their whole numbers."""

import csv
import hashlib
import io
from collections.abc import Mapping
from itertools import dropwhile
from math import prod
from typing import Any

import numpy as np

from dpca_core.verify.certificate_values import Unreadable, whole
from dpca_core.verify.check import Check

_COMMENT = "# "


def file_checks(certificate: Mapping[str, Any], name: str, content: bytes) -> list[Check]:
    """Check a file that lies beside a certificate.

    Raises
    ------
    Unreadable
        Where the certificate does not say what its files are.
    """
    try:
        said = certificate["files"].get(name, "nothing of this file")
        kind, shape = _shape(certificate, name)
    except (LookupError, TypeError, AttributeError, ValueError):
        raise Unreadable("it does not say what its files are") from None
    digest = hashlib.sha256(content).hexdigest()
    found = [Check(f"{name}: digest", said == digest, said, digest)]
    if shape:
        found.append(_numbers(name, kind, content, shape))
    return found


def _shape(certificate: Mapping[str, Any], name: str) -> tuple[str, tuple[int, ...]]:
    """Return a table's name and how many whole numbers it has; nothing for what is read off."""
    plan = certificate["plan"]
    d = len(plan["columns"])
    for part in certificate["parts"]:
        if part["file"] == name:
            if part["name"] == "scores":
                across, up = plan["scores"]["bins"]
                return "scores", (whole(across, 1), whole(up, 1))
            return part["name"], (d, d) if part["name"] == "matrix" else (d + 1,)
    return "", ()


def _numbers(name: str, kind: str, content: bytes, shape: tuple[int, ...]) -> Check:
    """Whether a file has whole numbers of this shape, symmetric where they are a matrix."""
    title, wanted = f"{name}: whole numbers", f"{' × '.join(map(str, shape))} whole numbers"
    try:
        cells = [int(cell) for cell in _cells(kind, content)]
    except (ValueError, IndexError, csv.Error):
        return Check(title, False, "something else", wanted)
    if len(cells) != prod(shape):
        return Check(title, False, len(cells), wanted)
    numbers = np.array(cells, dtype=object).reshape(shape)
    symmetric = kind != "matrix" or bool((numbers == numbers.T).all())
    return Check(title, symmetric, "not symmetric", "a symmetric matrix")


def _cells(kind: str, content: bytes) -> list[str]:
    """Return the cells with whole numbers, row by row, without comments, header and names."""
    lines = content.decode("utf-8").split("\n")
    table = dropwhile(lambda line: line.startswith(_COMMENT), lines)
    _, *rows = csv.reader(io.StringIO("\n".join(table)))
    if kind == "matrix":
        return [cell for row in rows for cell in row[1:]]
    return [row[1 if kind == "means" else -1] for row in rows]
