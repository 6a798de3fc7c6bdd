"""What a session has chosen, its data sets, and the address that reproduces its screen."""
