"""Linear algebra: symmetric matrices, their top eigenvectors, sums of squares; roots."""
