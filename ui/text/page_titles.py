"""Titles of the pages that other pages lead to, as the navigation has them."""

PAGE_TITLES = {
    "explore": "Explore",
    "compare": "All mechanisms",
    "eigengap": "Eigengap",
    "sample_size": "Sample size",
    "local": "Local model",
    "data": "Prepare",
    "release": "Release",
    "claims": "Claims",
    "papers": "Papers",
    "proofs": "Proofs",
}
"""By name in the address; all mechanisms are a view of Explore, to which that address leads."""
