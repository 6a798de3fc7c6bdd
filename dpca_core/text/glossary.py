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
        "Principal component analysis: it finds the directions along which a table’s rows "
        "vary most.",
    ),
    "person": Term(
        "Person",
        "Whoever is protected, with all their rows: a patient, a customer, a household.",
    ),
    "neighbours": Term(
        "Neighbours",
        "Two data sets that differ in one person.",
    ),
    "release": Term(
        "Release",
        "What a mechanism publishes: directions, or a table that they are read from; each run"
        " of the mechanism gives another one.",
    ),
    "mechanism": Term(
        "Mechanism",
        "A randomised way to compute directions, so that no single person’s record matters much.",
    ),
    "epsilon": Term(
        "ε (epsilon)",
        "The guarantee: apart from δ, one person changes the probability of any output by a "
        "factor of at most e^ε, so smaller is more private.",
    ),
    "delta": Term(
        "δ (delta)",
        "The part of a probability that may exceed the bound of ε; choose it far below one "
        "divided by the number of people.",
    ),
    "pure": Term(
        "Pure",
        "A guarantee with δ = 0.",
    ),
    "odds": Term(
        "Right guesses",
        "The proved bound on how often a guess about one person is right, in 100 tries, by "
        "someone who may know everyone else’s record: a coin is right 50 times; the bound is "
        "exact for Gaussian noise, (e^ε + δ)/(1 + e^ε) in general.",
    ),
    "budget": Term(
        "Budget",
        "How large ε and δ may become over all releases about the same people.",
    ),
    "account": Term(
        "Account",
        "A group of people with a budget: every release about them is booked to it, for good.",
    ),
    "share": Term(
        "Share",
        "The part of a release’s budget that one of its tables takes; with Gaussian noise it "
        "is a part of μ², so half the share makes noise 1.41 times as large.",
    ),
    "composition": Term(
        "Composition",
        "How the budgets of several releases about the same people add up: at worst ε by ε "
        "and δ by δ, for Gaussian noise more slowly.",
    ),
    "post-processing": Term(
        "Post-processing",
        "Whatever is computed from a release alone, without another look at the data, costs "
        "no more privacy.",
    ),
    "noise": Term(
        "Noise",
        "Random numbers added to a table before it is published, large enough to hide any one"
        " person.",
    ),
    "noise per entry": Term(
        "Noise per entry",
        "Standard deviation of the noise on a diagonal entry of the second-moment matrix S, "
        "in people; off the diagonal it is as large or smaller.",
    ),
    "noise norm": Term(
        "Largest effect on any direction",
        "Spectral norm of the noise on S, in people: the most by which it changes the "
        "variation along a direction, to be compared with the eigengap.",
    ),
    "sensitivity": Term(
        "Sensitivity",
        "The most by which one person can change what is computed, whatever the data; noise "
        "is scaled to it.",
    ),
    "local sensitivity": Term(
        "Local sensitivity",
        "The most by which one person can change what is computed from the data at hand, and "
        "so itself private.",
    ),
    "smooth sensitivity": Term(
        "Smooth sensitivity",
        "An upper bound on the local sensitivity that changes slowly from neighbour to "
        "neighbour, so that noise may be scaled to it.",
    ),
    "clipping": Term(
        "Clipping",
        "Pulling values into a range, or rows to a length, that was fixed in public, so that "
        "nobody counts too much.",
    ),
    "second moment": Term(
        "S (second moment)",
        "The second-moment matrix, the sum of x·xᵀ over all rows x; its eigenvectors are the "
        "directions, its eigenvalues how much variation each carries.",
    ),
    "direction": Term(
        "Direction (component)",
        "A weighting of the columns, of length 1, along which rows vary together.",
    ),
    "loading": Term(
        "Loading",
        "The weight of one column in a direction, from −1 to 1.",
    ),
    "k": Term(
        "k",
        "How many directions are released: the first k, by how much they carry.",
    ),
    "eigenvalue": Term(
        "Eigenvalue",
        "How much variation a direction carries: the sum of the squared projections of all "
        "rows on it, in people.",
    ),
    "spectrum": Term(
        "Spectrum",
        "The eigenvalues of S in descending order: how much variation each direction carries,"
        " in people.",
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
    "random directions": Term(
        "Random directions",
        "Directions drawn without a look at the data: a release that keeps no more than they "
        "do is worth nothing.",
    ),
    "angle": Term(
        "Angle",
        "The largest angle between the released and the true directions: 0° means that they "
        "agree, 90° that one of them is orthogonal to all true ones.",
    ),
    "sin theta": Term(
        "‖sin Θ‖_F",
        "The root of the sum of the squared sines of all k angles between the released and "
        "the true directions: from 0 to √k.",
    ),
    "reliable": Term(
        "Reliable",
        "9 of 10 releases have the direction within 18° of the true one, with 95 % "
        "confidence; recognisable: within 32°; lost: neither.",
    ),
    "only together": Term(
        "Reliable only together",
        "Each of these directions is lost, but the subspace that they span is reliable.",
    ),
    "models": Term(
        "Central and local model",
        "Either a trusted curator sees all records and adds noise once (central), or each "
        "person randomises their own record (local).",
    ),
    "standing": Term(
        "Proved, weaker than claimed, refuted, not certified",
        "What is known of a guarantee: it holds, holds at a larger ε or δ than its paper "
        "claims, is false, or has no valid proof.",
    ),
    "audit": Term(
        "Audit",
        "An attack that measures the least ε a mechanism can have, with confidence: it can "
        "disprove a guarantee, never prove one.",
    ),
}
"""The glossary in reading order: pages open it, and reports print parts of it."""
