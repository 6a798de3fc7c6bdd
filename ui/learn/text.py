"""What the Learn page says around its lessons."""

LEARN_TITLE = "Learn"
LEAD = (
    "Thirteen questions about privacy and PCA, an hour for the first ten. Predict first: every "
    "answer is computed when it is asked for."
)
CONTENTS = "All lessons"
LESSONS_LABEL = "Lessons"
LESSON = "Lesson {number}"
STEP = "Lesson {number}: {title}"
MINUTES = "{minutes} min"
HOUR, FURTHER = "The hour", "Further"
TOLD = "told in this session"
HANDOUT = "Print a handout"
MEASURING = "…"
PLACE = "{number} of {count}"
BEFORE, AFTER = "Lesson before", "Next lesson"
SHOW, SHOW_KEY = "Show the answer", "or press Space"
AGAIN = "Draw again"
NOTES = "Teacher’s notes"
OPEN = "Open in {page}"
SHARE = "Link and QR"
SKIP = "Skip to the control"
KEYS = "A–D: choose   Space: answer   ← →: {label}   N: notes"
CHOICES = "Your prediction"
GUESSED, RIGHT = "your guess", "answer"
ANSWER_SAID = "Answer {letter}, {text}."
DRAG = "drag to your guess"
GUESS = "Your guess on the picture: {title}"
PAGES = {
    "explore": "Explore",
    "compare": "Compare",
    "eigengap": "Eigengap",
    "sample_size": "Sample size",
    "local": "Local model",
    "data": "Prepare",
    "release": "Release",
    "claims": "Claims",
    "papers": "Papers",
    "proofs": "Proofs",
}
"""Titles of the pages that lessons lead to, as the navigation has them."""
