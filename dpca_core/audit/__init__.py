"""Attacks on pairs of neighbouring data sets, and the ε that they prove spent."""
