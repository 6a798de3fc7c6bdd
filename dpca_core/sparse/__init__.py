"""Sparse principal components."""
