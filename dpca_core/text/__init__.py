"""How budgets and guarantees are written, on pages and in files."""
