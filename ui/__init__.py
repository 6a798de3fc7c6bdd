"""The workbench: one package per page, and what pages share."""

import os

LIBRARY_DEFAULTS = {
    # Trials run in parallel: a second BLAS thread gets in their way.
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    # Arrow's memory in small pages: where a host lends memory only when it is touched, large pages
    # take half as long again to read a Parquet file (benchmarks/ingest.py).
    "MIMALLOC_ALLOW_THP": "0",
}
"""What libraries read when they are imported, unless the operator has set it."""

os.environ.update({**LIBRARY_DEFAULTS, **os.environ})
