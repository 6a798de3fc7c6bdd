"""Recipes, and what they make of a table: labels, numbers on a scale, a data set."""
