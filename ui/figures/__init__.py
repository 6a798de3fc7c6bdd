"""What mounts a figure, its colours and its wire format."""
