"""The server: starting, guarding, scheduling, ending sessions."""
