"""How work is run: thread pools, offloading to other processes, cached properties."""
