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
    "pca": Term(
        "PCA",
        "Principal component analysis: it finds the directions along which a table’s rows vary "
        "most.",
    ),
    "release": Term(
        "Release",
        "The directions that a mechanism publishes; each run of the mechanism gives other ones.",
    ),
    "mechanism": Term(
        "Mechanism",
        "A randomised way to compute directions, so that no single person’s record matters much.",
    ),
    "neighbours": Term("Neighbours", "Two data sets that differ in one person."),
    "epsilon": Term(
        "ε",
        "The guarantee: apart from δ, one person changes the probability of any output by a factor "
        "of at most e^ε, so smaller is more private.",
    ),
    "delta": Term(
        "δ",
        "The part of a probability that may exceed the bound of ε; choose it far below one divided "
        "by the number of people.",
    ),
    "odds": Term(
        "Right guesses",
        "The proved bound on a guess by someone who may know everyone else’s record: exact for "
        "Gaussian noise, (e^ε + δ)/(1 + e^ε) in general.",
    ),
    "k": Term("k", "How many directions are released: the first k, by how much they carry."),
    "second moment": Term(
        "S",
        "The second-moment matrix, the sum of x·xᵀ over all rows x; its eigenvectors are the "
        "directions, its eigenvalues how much variation each carries.",
    ),
    "eigengap": Term(
        "Eigengap",
        "The difference between the eigenvalues of the last direction kept and the first one "
        "left out, in people.",
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
    "sin theta": Term(
        "‖sin Θ‖_F",
        "The root of the sum of the squared sines of all k angles between the released and the "
        "true directions: from 0 to √k.",
    ),
    "noise per entry": Term(
        "Noise per entry",
        "Standard deviation of the noise on a diagonal entry of the second-moment matrix S, in "
        "people; off the diagonal it is as large or smaller.",
    ),
    "noise norm": Term(
        "Largest effect on any direction",
        "Spectral norm of the noise on S, in people: the most by which it changes the variation "
        "along a direction, to be compared with the eigengap.",
    ),
    "reliable": Term(
        "Reliable",
        "9 of 10 releases have the direction within 18° of the true one, with 95 % confidence; "
        "recognisable: within 32°; lost: neither.",
    ),
    "only together": Term(
        "Reliable only together",
        "Each of these directions is lost, but the subspace that they span is reliable.",
    ),
}
"""The glossary in reading order: each page can open it."""

_HOVERED = (
    "epsilon", "delta", "neighbours", "eigengap", "odds", "variation kept", "angle",
    "noise per entry", "noise norm", "reliable",
)  # fmt: skip
HOVERS = {name: f"{TERMS[name].name}: {TERMS[name].sentence}" for name in _HOVERED}
"""The terms that a chart explains where they stand."""
