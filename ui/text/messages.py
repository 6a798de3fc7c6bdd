"""Sentences that several pages show where there is nothing to draw, or not yet."""

NO_DATA = "Choose data."
NO_MECHANISM = "Choose at least one mechanism."


def progress_text(share: float) -> str:
    """Say how much is measured; nothing once all is."""
    return "" if share >= 1 else f"{share * 100:.0f}\u00a0% measured"
