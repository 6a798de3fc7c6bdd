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


def certificate(
    row: Row, tree: Mapping[str, Any], files: Mapping[str, bytes], software: Mapping[str, str]
) -> bytes:
    """Return the certificate as JSON: the same bytes for the same row, files and program.

    ``tree`` is the row's plan as ``plan.tree_of`` writes it, ``files`` are all others of the
    release by name.
    """
    facts = {
        key: getattr(row, key) for key in ("id", "number", "spent_on", "again_for", "previous")
    }
    found = {
        "format": FORMAT,
        "check": {"install": INSTALL, "run": COMMAND},
        "plan": tree,
        "account": asdict(row.account),
        "sister": None if row.sister is None else asdict(row.sister),
        "release": facts | {"spent_before": short_text(row.total - row.cost)},
        "software": software,
        "files": {name: hashlib.sha256(files[name]).hexdigest() for name in files},
    }
    return json.dumps(found, ensure_ascii=False, sort_keys=True, indent=1).encode() + b"\n"


def naming(row: Row) -> str:
    """Return how tables name their release: by its link, a digest of plan, account and place."""
    return f"Release {row.link}, {short_text(row.total - row.cost)} spent before"
