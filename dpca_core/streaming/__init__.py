"""The second-moment sum of tables of any length, in one pass."""
