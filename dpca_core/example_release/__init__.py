"""An example of a release: terms, a draw in floating point, and the file made of these two."""
