"""The words of the controls above a summary."""

CHANGED = "**Settings have changed** since this page was made."
UPDATE = "Update"
BACK = "← Explore"
WORDING = "Wording"
SAVE, SAVE_HELP = (
    "Save as HTML",
    "One file without scripts: it opens offline, and prints on one page.",
)
PRINT, PRINT_HELP = "Print", "One sheet of A4."
PEOPLE_PUBLIC = "The number of {many} is public"
PEOPLE_PUBLIC_HELP = "Where it is not, the page says “these” in its place."
WORDS_NOTE = (
    "Words for the two ends of a column. They stand on the page, so use what is public, such as a "
    "codebook. High and low are meant from the middle of the column’s range."
)
LOW_END, HIGH_END = "{column}: low end", "{column}: high end"
LONGEST_WORDS = 60
MEASURING = "Drawing {trials} releases at each of three settings …"
SEARCHING = "Looking for the number of people at which every pattern is reliable …"
