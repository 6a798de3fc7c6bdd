"""Make rand.csv.gz from the person-years of the RAND Health Insurance Experiment.

    python -m sample_data.make_rand randhie.csv

The source is ``datasets/randhie/src/randhie.csv`` of the statsmodels project: 20,190 years of 5,912
people, public domain (Newhouse et al. 1981; Cameron & Trivedi 2005; Deb & Trivedi 2002). One row a
person: the mean over that person's years (column ``zper``). Values keep seven significant digits.
"""

import gzip
import io
import sys
from pathlib import Path

from sample_data.rand import RANGES

TARGET = Path(__file__).with_name("rand.csv.gz")


def main(source: str) -> None:
    """Average, round and write; the same input gives the same bytes."""
    import pandas as pd

    years = pd.read_csv(source)
    people = years.groupby("zper", sort=True)[list(RANGES)].mean()
    text = people.to_csv(index=False, float_format="%.7g", lineterminator="\n")
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0, filename="") as out:
        out.write(text.encode())
    TARGET.write_bytes(packed.getvalue())
    print(f"{TARGET.name}: {len(people)} people, {len(RANGES)} columns, {len(packed.getvalue())} B")


if __name__ == "__main__":
    main(sys.argv[1])
