"""One BLAS thread for every test, set before numpy is imported; every run tries the same inputs."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

from hypothesis import settings

settings.register_profile("fixed", derandomize=True)
# For a search, by hand, for inputs that nobody has thought of: --hypothesis-profile=wide.
settings.register_profile("wide", print_blob=True)
settings.load_profile("fixed")
