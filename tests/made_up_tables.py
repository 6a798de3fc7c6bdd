"""Eight small tables such as owners have, computed from fixed seeds: no person is in them.

Each comes as bytes of a CSV file, with the right use of every column: ``?`` before it says that a
question must be asked whatever is proposed; several with a bar between them are all as good.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

NUMBER, CATEGORY, OUT, ASK = "number", "category", "out", "?"
ASKED = f"{ASK}{NUMBER}"
Cell = tuple[str, str, object]
"""Name of a column, its right use, and what stands in it."""


@dataclass(frozen=True)
class MadeUpTable:
    """A table as a file, and the right use of each column."""

    name: str
    content: bytes
    right: Mapping[str, str]


MADE_UP: dict[str, MadeUpTable] = {}


def table(rows: int, delimiter: str = ",") -> Callable[[Callable[..., Iterator[Cell]]], None]:
    """Make a table of what a function yields for each row; a cell with the delimiter is quoted."""

    def make(cells: Callable[..., Iterator[Cell]]) -> None:
        name, chance = cells.__name__, Random(cells.__name__)
        made = [list(cells(chance, k)) for k in range(rows)]
        texts = [[name for name, _, _ in made[0]], *([str(c) for _, _, c in row] for row in made)]
        quoted = [[f'"{t}"' if delimiter in t else t for t in row] for row in texts]
        content = "".join(delimiter.join(row) + "\n" for row in quoted).encode()
        MADE_UP[name] = MadeUpTable(name, content, {name: right for name, right, _ in made[0]})

    return make


def day(chance: Random, since: int = 2015) -> date:
    return date(since, 1, 1) + timedelta(days=chance.randrange(3000))


def or_code(chance: Random, code: object, value: object, one_in: int) -> object:
    """Return a value, or now and then the code of a missing one."""
    return value if chance.randrange(one_in) else code


@table(400, ";")
def laboratory(chance: Random, k: int) -> Iterator[Cell]:
    yield "Probe", OUT, f"L{chance.randrange(10**6):06}"
    yield "Entnahme", OUT, f"{day(chance):%d.%m.%Y}"
    yield "Geschlecht", CATEGORY, chance.choice("mwd")
    crp = f"{chance.uniform(1, 90):.1f}".replace(".", ",")
    yield "CRP", ASKED, or_code(chance, "<0,6", crp, 20)
    yield "HbA1c", ASKED, f"{chance.gauss(6, 1):.1f} %".replace(".", ",")
    yield "Natrium", NUMBER, f"{chance.gauss(140, 3):.0f} mmol/l"
    yield "Größe", NUMBER, round(chance.gauss(171, 9))


@table(1500)
def survey(chance: Random, k: int) -> Iterator[Cell]:
    yield "respondent", OUT, k + 1
    yield "q1", ASKED, chance.choice([*range(1, 8), 99])
    yield "q2", ASK, chance.choice([1, 2, 9])
    yield "occupation_code", ASK, chance.choice([11, 12, 21, 22, 31, 41, 42, 51, 71, 72, 81, 91])
    yield "sector", ASK, chance.choices(range(17), [k * k % 13 + 1 for k in range(17)])[0]
    yield "age", NUMBER, min(max(round(chance.gauss(48, 17)), 18), 97)
    yield "income", ASKED, or_code(chance, -9, round(chance.lognormvariate(8, 0.6)), 10)
    yield "weight", ASK, f"{chance.uniform(0.3, 3) * 1000:.2f}"
    yield "comment", OUT, chance.choice(["", f"I think that {k % 97} should be {k % 89}"])


@table(800)
def hospital(chance: Random, k: int) -> Iterator[Cell]:
    words = ["admitted", "with", "pain", "in", "the", "left", "knee", "after", "a", "fall"]
    yield "MRN", OUT, chance.randrange(10**8, 10**9)
    yield "admitted", OUT, f"{day(chance)} {chance.randrange(24):02}:00"
    yield "icd", OUT, f"{chance.choice('EIJK')}{chance.randrange(10, 40)}.{chance.randrange(9)}"
    yield "zip", OUT, f"{chance.randrange(1000, 99999):05}"
    yield "ward", CATEGORY, chance.choice(["A1", "A2", "B1", "ICU"])
    yield "triage", ASKED, chance.randint(1, 5)
    yield "temp", NUMBER, f"{chance.gauss(37, 0.6):.1f}"
    yield "pulse", ASKED, or_code(chance, 999, round(chance.gauss(80, 12)), 100)
    yield "history", OUT, " ".join(chance.choices(words, k=15))


@table(600)
def payroll(chance: Random, k: int) -> Iterator[Cell]:
    yield "Employee ID", OUT, f"E-{7919 * k % 10**5:05}"
    end = chance.choice(["ller", "son", "mann", "ova"])
    yield "last_name", OUT, chance.choice("ABCDEFGH") + end + chance.choice("aeiou")
    yield "email", OUT, f"p{k}@firm.example"
    yield "salary", ASKED, f"{round(chance.lognormvariate(10.8, 0.3)):,}"
    yield "grade", CATEGORY, chance.choice("ABCD")
    yield "part time", CATEGORY, chance.choice(["yes", "no"])
    yield "years", NUMBER, chance.randrange(0, 40)
    yield "currency", OUT, "EUR"
    yield "bonus", OUT, ""


@table(900)
def schools(chance: Random, k: int) -> Iterator[Cell]:
    yield "school", f"{CATEGORY}|{OUT}", f"{chance.randrange(40):03}"
    yield "pupil_no", OUT, chance.randrange(1, 2000)
    yield "class", ASK, chance.randrange(1, 14)
    yield "maths", ASKED, chance.randint(1, 6)
    yield "points", NUMBER, round(chance.gauss(62, 13))
    yield "hours", NUMBER, f"{chance.uniform(0, 20):.1f} h"
    yield "born", OUT, f"{day(chance, 2004):%Y%m%d}"


@table(60)
def genes(chance: Random, k: int) -> Iterator[Cell]:
    yield "sample", OUT, f"GSM{100_000 + 7 * k}"
    for gene in range(4):
        yield f"g{gene}", ASKED, chance.choice([-2, 0, 2])
        yield f"p{gene}", NUMBER, f"{chance.gauss(0, 1):.4f}"
    yield "tissue", CATEGORY, chance.choice(["tumour", "normal"])


@table(1200)
def housing(chance: Random, k: int) -> Iterator[Cell]:
    yield "hh_id", OUT, chance.randrange(1, 500)
    yield "wave", ASKED, chance.randint(1, 3)
    yield "built", NUMBER, chance.randrange(1890, 2021)
    yield "rooms", ASKED, chance.randrange(1, 10)
    yield "area", NUMBER, round(chance.lognormvariate(4.4, 0.3))
    yield "rent", ASKED, or_code(chance, "refused", round(chance.gauss(800, 200)), 31)
    yield "region", CATEGORY, chance.choice(["north", "south", "east", "west"])
    yield "reference", OUT, 1_000_000 + 13 * chance.randrange(300_000)


@table(450)
def trial(chance: Random, k: int) -> Iterator[Cell]:
    yield "site", CATEGORY, chance.choice(["Basel", "Bern", "Genf"])
    yield "subject", OUT, k % 45 + 1
    yield "arm", NUMBER, chance.choice([0, 1])
    yield "visit", ASKED, chance.randint(1, 6)
    yield "nyha_class", ASK, chance.randint(1, 4)
    yield "score", NUMBER, f"{chance.gauss(50, 10):.1f}"
    yield "time", OUT, f"{chance.randrange(24):02}:{chance.randrange(60):02}"
    yield "delay", ASKED, or_code(chance, -1, round(chance.expovariate(0.1)), 31)
