"""Tests of what checks certificates."""
