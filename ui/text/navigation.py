"""The pages in their order, and what they are called."""

PAGES = {
    "": {"explore": "Explore", "learn": "Learn"},
    "Understand": {"eigengap": "Eigengap", "sample_size": "Sample size", "local": "Local model"},
    "Your data": {"data": "Prepare", "release": "Release"},
    "Check": {"claims": "Claims", "papers": "Papers", "proofs": "Proofs"},
}
"""Titles by name in addresses, in groups: the first stands alone, the others are menus."""
PAGE_TITLES = {name: title for group in PAGES.values() for name, title in group.items()}
PAGE_TITLES["compare"] = "All mechanisms"
"""All mechanisms are a view of Explore, to which that address leads."""
