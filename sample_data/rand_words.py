"""What the two ends of RAND's columns are called, by the codebook of the experiment.

Definitions: ``datasets/randhie`` of statsmodels and Cameron & Trivedi 2005 (mma data). Excellent
health is the category left out, so that a person who does not rate it "good" may rate it better or
worse. Which end of the mental health index is the healthy one is not in the codebook: no words.
"""

from dpca_core.analysis.direction_words import ColumnWords

_SAID = "who rate their health “{level}”"
_NOT_SAID = "who do not rate their health “{level}”"


def _rated(level: str) -> ColumnWords:
    return ColumnWords(
        f"health not “{level}”",
        f"health “{level}”",
        f"health “{level}”",
        f"health rated “{level}”",
        _NOT_SAID.format(level=level),
        _SAID.format(level=level),
    )


def _number(name: str, many: str, few: str) -> ColumnWords:
    """Return words for a count; ``many`` and ``few`` are clauses about people."""
    return ColumnWords(f"fewer {name}", f"more {name}", name, "", few, many)


COLUMN_WORDS = {
    "doctor visits": _number(
        "doctor visits", "with more visits to doctors", "with fewer visits to doctors"
    ),
    "other visits": _number(
        "other visits",
        "with more visits to others than doctors",
        "with fewer visits to others than doctors",
    ),
    "mental health visits": _number(
        "psychotherapy visits", "with more psychotherapy visits", "with fewer psychotherapy visits"
    ),
    "hospital admissions": _number(
        "hospital admissions", "with more hospital admissions", "with fewer hospital admissions"
    ),
    "chronic diseases": _number(
        "chronic diseases", "with more chronic diseases", "with fewer chronic diseases"
    ),
    "physical limitation": ColumnWords(
        "no physical limitation",
        "physical limitation",
        "physical limitation",
        "physical limitation",
        "without a physical limitation",
        "with a physical limitation",
    ),
    "health good": _rated("good"),
    "health fair": _rated("fair"),
    "health poor": _rated("poor"),
    "family income": ColumnWords(
        "lower family income",
        "higher family income",
        "family income",
        "family income",
        "with a lower family income",
        "with a higher family income",
    ),
    "age": ColumnWords("younger people", "older people", "age", "age"),
    "female": ColumnWords("men", "women", "female", "women and men"),
    "education, head": ColumnWords(
        "less schooling",
        "more schooling",
        "schooling of the head",
        "schooling of the family’s head",
        "with less schooling of the family’s head",
        "with more schooling of the family’s head",
    ),
    "family size": ColumnWords(
        "smaller families",
        "larger families",
        "family size",
        "family size",
        "with smaller families",
        "with larger families",
    ),
    "child": ColumnWords("adults", "children", "child", "children and adults"),
    "log coinsurance": ColumnWords(
        "smaller share of costs",
        "larger share of costs",
        "share of costs",
        "the share of costs",
        "who pay a smaller share of costs",
        "who pay a larger share of costs",
    ),
    "deductible plan": ColumnWords(
        "no deductible plan",
        "deductible plan",
        "deductible plan",
        "deductible plans",
        "without a deductible plan",
        "with a deductible plan",
    ),
    "log incentive": ColumnWords(
        "smaller payment for taking part",
        "larger payment for taking part",
        "payment for taking part",
        "the payment for taking part",
        "who get a smaller payment for taking part",
        "who get a larger payment for taking part",
    ),
}
"""By the column's readable name."""
