"""Exact samplers of the Bingham laws."""
