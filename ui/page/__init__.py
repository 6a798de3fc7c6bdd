"""What every page with charts is made of: one content, one component, its files and Present."""
