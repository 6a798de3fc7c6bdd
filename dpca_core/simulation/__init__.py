"""Many releases along an axis, and how good they are."""
