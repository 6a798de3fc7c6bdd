"""The technical terms, each defined once."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Term:
    """A term of the field.

    Attributes
    ----------
    name
        As pages write it.
    sentence
        What it is, in one sentence.
    """

    name: str
    sentence: str


TERMS = {
    "epsilon": Term(
        "ε",
        "How much one person can change the odds of any output; smaller is more private.",
    ),
    "delta": Term(
        "δ",
        "A small probability with which the guarantee of ε may fail; choose it far below one "
        "divided by the number of people.",
    ),
    "neighbours": Term("Neighbours", "Two data sets that differ in one person."),
    "eigengap": Term(
        "Eigengap",
        "The difference between the eigenvalues of the last direction kept and the first one "
        "left out, in people.",
    ),
    "odds": Term(
        "Odds",
        "The tightest bound that is proved: exact for Gaussian noise, (e^ε + δ)/(1 + e^ε) in "
        "general. The attacker may know everyone else’s record.",
    ),
    "variation kept": Term(
        "Variation kept",
        "The second moment captured by the released directions, as a share of what the "
        "directions of an ordinary PCA capture.",
    ),
    "angle": Term(
        "Angle",
        "The largest angle between the released and the true directions: 0° means that they "
        "agree, 90° that one of them is orthogonal to all true ones.",
    ),
    "noise per entry": Term(
        "Noise per entry",
        "Standard deviation of the noise on a diagonal entry of the second-moment matrix S, in "
        "people; off the diagonal it is as large or smaller.",
    ),
    "noise norm": Term(
        "Largest effect on any direction",
        "Spectral norm of the noise on S, in people: by how much it can change the variation "
        "along a direction. Compare it with the eigengap.",
    ),
    "reliable": Term(
        "Reliable",
        "9 of 10 releases have the direction within 18° of the true one, with 95 % confidence; "
        "recognisable: within 32°.",
    ),
}
"""The glossary, for tooltips and for pages that list terms."""

HOVERS = {name: f"{term.name}: {term.sentence}" for name, term in TERMS.items()}
