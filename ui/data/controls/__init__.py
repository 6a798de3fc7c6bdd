"""The controls of the page “Your data”, one file for each section of the page."""
