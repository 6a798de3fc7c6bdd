"""Run figures of the papers again: ``python -m papers all --fast``."""

import sys

from papers.command import main

if __name__ == "__main__":
    sys.exit(main())
