"""The Sample size page."""
