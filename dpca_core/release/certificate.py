"""The certificate of a release: its plan, whose account paid for it, and the digest of each file.

Nothing that follows from these is in it: ``python -m dpca_core.verify`` computes that. What may
stand in it is in dpca_core/verify/certificate_schema.json.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from dpca_core.release.ledger import Row
from dpca_core.release.plan import short_text
from dpca_core.text.release_statements import COMMAND, INSTALL

FORMAT = "dpca-certificate/3"


def certificate(row: Row, files: Mapping[str, bytes], software: Mapping[str, str]) -> bytes:
    """Return the certificate as JSON: the same bytes for the same row, files and program.

    ``files`` are all others of the release by name.
    """
    found = booked(row) | {
        "format": FORMAT,
        "check": {"install": INSTALL, "run": COMMAND},
        "plan": json.loads(row.plan),
        "software": software,
        "files": {name: hashlib.sha256(files[name]).hexdigest() for name in files},
    }
    return json.dumps(found, ensure_ascii=False, sort_keys=True, indent=1).encode() + b"\n"


def booked(row: Row) -> dict[str, Any]:
    """Return whose account paid, its sister, and the release's place in the ledger."""
    named = ("id", "number", "spent_on", "again_for", "previous")
    release = {name: getattr(row, name) for name in named} | {"spent_before": spent_before(row)}
    sister = None if row.sister is None else asdict(row.sister)
    return {"account": asdict(row.account), "sister": sister, "release": release}


def naming(row: Row) -> str:
    """Return how tables name their release: by its link, a digest of plan, account and place."""
    return f"Release {row.link}, {spent_before(row)} spent before"


def spent_before(row: Row) -> str:
    """Return what the account's earlier releases cost together, as text."""
    return short_text(row.total - row.cost)
