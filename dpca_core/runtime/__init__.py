"""Where and how work is done: threads, other processes, values found once."""
