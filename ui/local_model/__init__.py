"""The Local model page."""
