"""What a table looks like: proposals and questions to its owner, never decisions."""

import re
import tomllib
from pathlib import Path

_TOLD = tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))
WORDS: dict[str, frozenset[str]] = {kind: frozenset(one) for kind, one in _TOLD["words"].items()}
CODES: dict[str, frozenset[float]] = {
    kind: frozenset(one) for kind, one in _TOLD["numbers"].items()
}
PATTERNS: dict[str, re.Pattern[str]] = {
    kind: re.compile(one) for kind, one in _TOLD["patterns"].items()
}
"""Words of names, markers, numbers that stand for a missing value, and what cells are like."""
