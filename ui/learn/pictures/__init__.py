"""Pictures of the lessons, as markup or as plain figures."""
