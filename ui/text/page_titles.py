"""Titles of the pages that other pages lead to, as the navigation has them."""

PAGE_TITLES = {
    "explore": "Explore",
    "eigengap": "Eigengap",
    "sample_size": "Sample size",
    "local": "Local model",
    "data": "Prepare",
    "release": "Release",
    "claims": "Claims",
    "papers": "Papers",
    "proofs": "Proofs",
}
"""By name in the address."""
