"""Every word and sentence of the step in which the owner says who is protected."""

from collections.abc import Sequence
from unicodedata import category

from dpca_core.data.recipe import Combine, MissingPerson
from dpca_core.detection.columns import words_of
from dpca_core.detection.people import Finding, PersonCandidate, PersonProposal
from dpca_core.text.listed import listed
from ui.owner.draft import CANNOT_TELL, Who
from ui.text.numbers import count, escape_markdown

WORDS = (
    *("patient", "household", "participant", "respondent", "subject", "pupil", "student", "client"),
    *("employee", "customer", "user", "donor", "member", "family", "person"),
)
"""Words for whoever is protected that names of columns suggest."""
PLURALS = {"family": "families", "person": "people"}

QUESTION_OPEN = "Whom shall a release protect?"
QUESTION = "Does a column name the {one}?"
OTHER, NO_OTHER = "Other columns name the {one}", "I choose the columns that name the {one}"
"""The same answer, where columns were offered before it and where none were."""
EVERY_ROW_LABEL = "Every row is a different {one}"
CANNOT_TELL_LABEL = "One {one} may have several rows, and nothing here says which"
AS_WRITTEN = "Values of {column} are compared as they are written: 001 and 1 are two {many}."
ZEROS = (
    "Are 001 and 1 one {one}? {number} of the values of {column} differ from another one only in "
    "such zeros. They count as {many} of their own. If they are not, write them alike in the file, "
    "and choose it again."
)
COLUMNS_LABEL = "Columns that together name one {one}"
MOST_COLUMNS = 4
"""Columns that together can name one."""
CANNOT_TELL_NOTE = (
    "Then one **row** is protected, not one {one}. Someone with five rows is protected about five "
    "times less. What is released says so."
)
STREAMED_NOTE = (
    "A table on this server is read in one pass, in which every row counts as a different {one}: "
    "combine the rows of each {one} beforehand, as Proofs, “Large tables”, shows."
)
SEVERAL_LABEL = "Several rows of one {one}"
COMBINE = {Combine.AVERAGE: "Average them", Combine.AT_MOST: "Use at most m rows each"}
MOST_LABEL = "m"
MOST_HELP = (
    "m must be a number that you knew before you saw this file. Its largest is shown to you only: "
    "{largest}."
)
MISSING_LABEL = "{rows} have no {column}"
MISSING_ANSWERS = {
    MissingPerson.LEAVE_OUT: "Leave them out",
    MissingPerson.OWN: "Each its own {one}",
}
IGNORE_CASE = (
    "Ignore capitals and spaces in {column}: {spellings} of its values differ from another one in "
    "nothing else"
)
ONE_LABEL, MANY_LABEL = "One of them is called", "Several are called"
LONGEST_SHOWN, LONGEST_WORD = 60, 30
"""Letters of a column's name that a sentence shows, and of a word for the protected."""
WORD_ERROR = f"Use letters, spaces and hyphens, at most {LONGEST_WORD}."
ON = "Go on to Columns"
NOTHING_FOUND = "No column was found that numbers the people. That proves nothing."
MOST_FIXED = 2
"""Columns that a sentence about what stays the same names."""


def proposed_words(columns: Sequence[str]) -> tuple[str, str] | None:
    """Return singular and plural that a column's name suggests; None where it suggests none."""
    words = (word for name in reversed(columns) for word in words_of(name))
    word = next((word for word in words if word in WORDS), None)
    return (word, PLURALS.get(word, f"{word}s")) if word else None


def is_printable_word(text: str) -> bool:
    """Tell whether a word can name whoever is protected.

    It is printed into releases and pages, so it may contain nothing like markup.
    """
    letters = (sign in " -" or category(sign)[0] in "LM" for sign in text)
    return 0 < len(text) <= LONGEST_WORD and text[0].isalpha() and all(letters)


def headline(proposal: PersonProposal, who: Who) -> str:
    """Return the headline: the question, or its answer, which may be that a row is protected."""
    one = _plain(who.one)
    if who.answer == CANNOT_TELL:
        return f"One **row** is protected, not one {one}."
    if who.answer:
        return f"One **{one}** is protected."
    return f"Protect one **{one}**?" if proposal.finding is Finding.FOUND else QUESTION_OPEN


def evidence(proposal: PersonProposal) -> str:
    """Say what was noticed in the file, which is shown to its owner alone."""
    if proposal.finding is Finding.NONE:
        return NOTHING_FOUND
    first = proposal.candidates[0]
    names, people = _joined(first.columns), count(first.people)
    if proposal.finding is Finding.UNIQUE:
        rows = f"all {people} rows{' that have one' if first.without_id else ''}"
        return f"{names} differs in {rows}: one row per person. Right?"
    if proposal.finding is Finding.ASK:
        rows = count(first.rows - first.without_id)
        return f"{names} has {people} values in {rows} rows. Is each value one person?"
    if proposal.finding is Finding.MEMBERS:
        fine = proposal.candidates[1]
        return (
            f"{names} has {people} values, and {_joined(fine.columns)} have {count(fine.people)} "
            "in them. Protecting all of one protects its members too."
        )
    return f"{count(first.rows)} rows, {people} values of {names}.{_same_within(first.fixed)}"


def against(found: PersonCandidate, one: str) -> str:
    """Say what speaks against every row being a different one; nothing is decided by it."""
    return (
        f"The table has {count(found.rows)} rows and {count(found.people)} values of "
        f"{escape_markdown(_joined(found.columns))}, of which one has {count(found.largest)} rows. "
        f"If a value is one {one}, then whoever has several rows is protected less than is said."
    )


def option(candidate: PersonCandidate, one: str, *, sure: bool) -> str:
    """Return the answer that columns name the person."""
    names = escape_markdown(_joined(candidate.columns))
    yes = "Yes, one" if sure else "One"
    return f"{yes} {one} is one value of {names} ({count(candidate.people)})"


def _same_within(fixed: Sequence[str]) -> str:
    """Say what stays the same within nearly every value."""
    if not fixed:
        return ""
    more = len(fixed) - MOST_FIXED
    rest = [f"{more} more column{'s' if more > 1 else ''}"] if more > 0 else []
    verb = "stays" if len(fixed) == 1 else "stay"
    return (
        f" Within one, {_joined([*fixed[:MOST_FIXED], *rest])} {verb} the same, or nearly always."
    )


def _joined(names: Sequence[str]) -> str:
    """Return names as a list in a sentence."""
    return listed([_plain(name) for name in names])


def _plain(name: str) -> str:
    """Return a name without the marks of a sentence, and not longer than a line."""
    clean = name.replace("**", "").replace("[[", "").replace("]]", "")
    return clean if len(clean) <= LONGEST_SHOWN else f"{clean[:LONGEST_SHOWN]}…"
