"""The Papers page: every printed figure and table beside our own run of it."""
