"""The Eigengap page."""
