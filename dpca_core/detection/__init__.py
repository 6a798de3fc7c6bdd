"""What a table looks like: who its rows belong to, and what its columns hold."""
