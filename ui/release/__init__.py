"""The page “Release”: spend a budget once, and publish something."""
