"""The technical terms that charts explain where they stand."""

from dpca_core.text.glossary import TERMS

__all__ = ["HOVERS", "TERMS"]

_HOVERED = (
    "epsilon", "delta", "neighbours", "eigengap", "odds", "variation kept", "angle",
    "noise per entry", "noise norm", "reliable",
)  # fmt: skip
_SPOKEN = ("e^ε", "e to the power ε")
HOVERS = {
    name: f"{TERMS[name].name}: {TERMS[name].sentence}".replace(*_SPOKEN) for name in _HOVERED
}
"""The terms that a chart explains where they stand, in plain text."""
