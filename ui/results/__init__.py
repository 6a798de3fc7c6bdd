"""The Results page: how much of the cost was the mechanism's, from a stored table."""
