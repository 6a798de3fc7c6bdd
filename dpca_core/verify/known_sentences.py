"""The sentences that a certificate may say, typed again, one version after another.

What a promise rests on, and what nobody can see, is part of it: a certificate that says less would
promise more. Versions stay here when the program says something else.
"""

PRACTICE_SENTENCE = "PRACTICE on built-in data: nothing is protected"
_ASSUMPTIONS = (
    "The recipe and the limits were chosen by the owner, perhaps after looking at the table; "
    "what was confirmed about that, and what was not, is printed beside them.",
    "What the owner saw of the same table on other pages, or elsewhere, is not counted here.",
    "Rows that the recipe calls one person’s are one person’s, and accounts are about "
    "different people.",
    "The ledger was not copied, restored or replaced, and all releases about these people are "
    "in it.",
    "Run time and memory depend on the number of rows and, slightly, on the noise that was "
    "drawn: nobody else could measure them, and days are printed, never minutes.",
    "The random bits are those of the operating system, and nobody can predict them.",
    "The compiler, the processor and its libraries compute with whole numbers below 2⁵³ as "
    "the standard for floating point says.",
    "Whoever can read the process, its memory or the table itself needs no release.",
)
_HOW_IT_WAS_WRITTEN = (
    "A text file was written as its format in the recipe says: cells with a separator, a "
    "quotation mark or a line break stand in quotation marks, and marks in them are doubled, or "
    "have a backslash before them; where it says “none”, no cell holds a separator or a line "
    "break. Whoever can write another’s ID into a record can change that person’s row, too."
)
KNOWN_ASSUMPTIONS = (
    _ASSUMPTIONS,
    (*_ASSUMPTIONS[:3], _HOW_IT_WAS_WRITTEN, *_ASSUMPTIONS[3:]),
)
KNOWN_THEOREMS = (
    (
        "Rows on a grid: Lemmas 1 to 4",
        "Exact noise: Theorem 1",
        "Composition: Theorem 2 and its corollary",
    ),
)
KNOWN_LIMITS_OF_CHECKING = (
    "Whether the program ran as described can’t be seen from its output: the arithmetic of the "
    "certificate can be checked by anybody, the run only by whoever was there.",
)
KNOWN_OMISSIONS = (
    "The number of rows, the shares of rows or cells that were cut, the counts of missing values, "
    "the file’s name and the run time were read from the data, or depend on them; they are no part "
    "of this release.",
    "The exact number of rows, the shares of rows or cells that were cut, the counts of missing "
    "values, the file’s name and the run time were read from the data, or depend on them; they are "
    "no part of this release.",
)
"""What is not published; the second says that a noisy number of rows may be."""
