"""Environment variables that libraries read when they are imported."""

LIBRARY_DEFAULTS = {
    # Trials run in parallel: a second BLAS thread gets in their way.
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    # Arrow's memory in small pages: where a host lends memory only when it is touched, large pages
    # take half as long again to read a Parquet file (benchmarks/ingest.py).
    "MIMALLOC_ALLOW_THP": "0",
}
"""For every process of the server, unless the operator has set them."""
