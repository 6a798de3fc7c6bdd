"""What leaves the program under a guarantee: terms, a draw, and the file made of these two."""
