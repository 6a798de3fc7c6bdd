"""What a session has chosen, and its address."""
