"""Every figure and table of the five papers, run again beside what is printed."""
