"""The technical terms that charts explain where they stand."""

from dpca_core.text.glossary import TERMS

__all__ = ["HOVERS", "TERMS"]

_HOVERED = (
    "epsilon", "delta", "neighbours", "eigengap", "odds", "variation kept", "angle",
    "noise per entry", "noise norm", "reliable",
)  # fmt: skip
HOVERS = {name: f"{TERMS[name].name}: {TERMS[name].sentence}" for name in _HOVERED}
"""The terms that a chart explains where they stand."""
