"""The mechanisms, one family a file."""
