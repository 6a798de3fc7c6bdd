"""The controls of the data owner's way, one module a step or a task."""
