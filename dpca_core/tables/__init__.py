"""From a file to rows in the unit ball, one way: readers, rows, sums and checks."""
