"""What the product is called and is for, and what its pages are called, as every page says it."""

PRODUCT_NAME = "dpca"
PURPOSE = "What differential privacy costs a PCA"
TITLE = f"{PRODUCT_NAME}: what differential privacy costs a PCA"
"""Title of the browser's window."""

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

HELP_LABEL = "Glossary"
ABOUT = (
    f"**{PRODUCT_NAME}** shows what differential privacy costs a principal component analysis: how "
    "much of the data’s variation a private release keeps, how far its directions turn, and what "
    "is proved about its privacy. Measure on *Explore*, bring *Your data*, and *Check* "
    "what is claimed and what is proved."
)
WORDS_TITLE = "Words"
EXITS = {
    "pages/learn.py": "Teach it",
    "pages/data.py": "Use my table",
    "pages/_papers.py": "Check a paper",
}
"""Three ways on from Explore, by page."""
