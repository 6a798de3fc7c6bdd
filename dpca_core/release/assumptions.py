"""What a release's guarantee rests on besides its proof: printed in certificate and report."""

ASSUMPTIONS = (
    "The recipe and the limits were chosen by the owner, perhaps after looking at the table; what "
    "was confirmed about that, and what was not, is printed beside them.",
    "What the owner saw of the same table on other pages, or elsewhere, is not counted here.",
    "Rows that the recipe calls one person’s are one person’s, and accounts are about different "
    "people.",
    "A text file was written as its format in the recipe says: cells with a separator, a "
    "quotation mark or a line break stand in quotation marks, and marks in them are doubled, or "
    "have a backslash before them; where it says “none”, no cell holds a separator or a line "
    "break. Whoever can write another’s ID into a record can change that person’s row, too.",
    "The ledger was not copied, restored or replaced, and all releases about these people are in "
    "it.",
    "Run time and memory depend on the number of rows and, slightly, on the noise that was drawn: "
    "nobody else could measure them, and days are printed, never minutes.",
    "The random bits are those of the operating system, and nobody can predict them.",
    "The compiler, the processor and its libraries compute with whole numbers below 2⁵³ as the "
    "standard for floating point says.",
    "Whoever can read the process, its memory or the table itself needs no release.",
)
"""Sentences for people; each is outside the proof."""

CANNOT_BE_SEEN = (
    "Whether the program ran as described can’t be seen from its output: the arithmetic of the "
    "certificate can be checked by anybody, the run only by whoever was there."
)
