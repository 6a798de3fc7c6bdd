"""The cards of Release, and what stands beside them."""
