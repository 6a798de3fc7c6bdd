"""What the product is called and is for, as every page says it."""

PRODUCT_NAME = "dpca"
PURPOSE = "What differential privacy costs a PCA"
TITLE = f"{PRODUCT_NAME}: what differential privacy costs a PCA"
"""Title of the browser's window."""

HELP_LABEL = "Glossary"
ABOUT = (
    f"**{PRODUCT_NAME}** shows what differential privacy costs a principal component analysis: how "
    "much of the data’s variation a private release keeps, how far its directions turn, and what "
    "is proved about its privacy. Measure on *Explore*, bring *Your data*, and *Check* "
    "what is claimed and what is proved."
)
