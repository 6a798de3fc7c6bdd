"""Words around the steps."""

NOT_OPEN = "Answer the step before first."
RELEASE_LATER = "Releasing comes in a later version: until then a release is drawn with Python."
CURRENT = "you are here"
DONE = "answered"
