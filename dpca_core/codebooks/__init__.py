"""Codebooks: what is known of a table's columns without the table, in the formats people have."""
