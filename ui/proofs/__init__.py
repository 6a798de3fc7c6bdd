"""The Proofs page."""
