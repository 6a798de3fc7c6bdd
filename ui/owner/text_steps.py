"""Words around the steps."""

NOT_OPEN = "Answer the step before first."
DECIDE_FIRST = "Choose one of the cards of Decide first: Release takes what was decided there."
CURRENT = "you are here"
DONE = "answered"
