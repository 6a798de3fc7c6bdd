"""How budgets, guarantees and lists are written, on pages and in files."""
