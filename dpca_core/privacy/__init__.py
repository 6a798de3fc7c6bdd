"""Budgets and guarantees, sensitivities, exact accounting, composition, and what ε means."""
