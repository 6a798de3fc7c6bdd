"""The page “Your data”."""
