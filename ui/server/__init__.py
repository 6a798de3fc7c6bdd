"""The server: starting, logins, limits, scheduling, worker processes, the end of sessions."""
