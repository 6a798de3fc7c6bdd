"""Twenty small tables such as owners have, computed from fixed seeds: no person is in them.

Each comes as bytes of a CSV file, with the right use of every column: ``?`` before it says that a
question must be asked whatever is proposed; several with a bar between them are all as good.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

import pandas as pd
import pyarrow as pa

from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.detection.columns import ColumnProposal
from dpca_core.tables.files import Upload, open_table
from dpca_core.tables.proposed_format import proposed_format

NUMBER, SCALE, CATEGORY, OUT, ASK = "number", "scale", "category", "out", "?"
ASKED = f"{ASK}{NUMBER}"
Cell = tuple[str, str, object]
"""Name of a column, its right use, and what stands in it."""


@dataclass(frozen=True)
class MadeUpTable:
    """A table as a file, and the right use of each column."""

    name: str
    content: bytes
    right: Mapping[str, str]

    def read(self) -> tuple[pd.DataFrame, TextFileFormat]:
        """Return its cells as texts, and the format in which it seems to be written."""
        form = proposed_format(self.name, self.content)
        table = open_table(Upload(self.name, self.content), form)
        batches = [pa.table(batch.columns) for batch in table.batches((), table.columns)]
        return pa.concat_tables(batches).to_pandas(), form


MADE_UP: dict[str, MadeUpTable] = {}


def outcome(found: ColumnProposal, right: str) -> str:
    """Return "right", "asked" where a question was needless or the use wrong, or "wrong".

    The order of a scale is always asked about.
    """
    uses, asked = right.removeprefix(ASK), bool(found.questions)
    fits = not uses or found.use in uses.split("|")
    if [question.key for question in found.questions] == [SCALE] and found.use == SCALE:
        return "right" if fits else "asked"
    if not asked:
        return "right" if fits and not right.startswith(ASK) else "wrong"
    return "right" if fits and right.startswith(ASK) else "asked"


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
    yield "grade", ASK, chance.choice("ABCD")
    yield "part time", CATEGORY, chance.choice(["yes", "no"])
    yield "currency", OUT, "EUR"
    yield "bonus", OUT, ""


@table(900)
def schools(chance: Random, k: int) -> Iterator[Cell]:
    yield "school", f"{CATEGORY}|{OUT}", f"{chance.randrange(40):03}"
    yield "pupil_no", OUT, chance.randrange(1, 2000)
    yield "class", ASK, chance.randrange(1, 14)
    yield "maths", ASKED, chance.randint(1, 6)
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
    yield "rooms", NUMBER, chance.randrange(1, 10)
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
    yield "time", OUT, f"{chance.randrange(24):02}:{chance.randrange(60):02}"
    yield "delay", ASKED, or_code(chance, -1, round(chance.expovariate(0.1)), 31)


def rounded(chance: Random, mean: float, spread: float, digits: int = 1) -> str:
    return f"{chance.gauss(mean, spread):.{digits}f}"


NEVER = ("never", "rarely", "sometimes", "often", "always")
AGREE = ("Strongly disagree", "Disagree", "Neutral", "Agree", "Strongly agree")


@table(300)
def questionnaire(chance: Random, k: int) -> Iterator[Cell]:
    yield "participant", OUT, f"QX{1000 + 7 * k}"
    yield "sleeps badly", SCALE, chance.choice(NEVER)
    yield "trusts", SCALE, chance.choice(AGREE)
    yield "hopes", f"{ASK}{SCALE}", or_code(chance, "don't know", chance.choice(AGREE), 12)
    yield "energy", SCALE, chance.choice(["1 = low", "2", "3", "4", "5 = high"])
    yield "pain", f"{ASK}{SCALE}", chance.choice(["Mild", "Moderate", "Severe", "None"])
    yield "works", CATEGORY, chance.choice(["full time", "part time", "not"])


@table(500)
def orders(chance: Random, k: int) -> Iterator[Cell]:
    yield "order_no", OUT, 400_000 + k
    yield "customer", OUT, f"c{k % 300}@mail.example"
    yield "when", OUT, f"{day(chance):%m/%d/%Y}"
    yield "total", ASKED, f"${chance.lognormvariate(8, 1):,.2f}"
    yield "discount", NUMBER, f"{chance.uniform(0, 30):.1f} %"
    yield "size", SCALE, chance.choice(["small", "medium", "large"])


@table(350, ";")
def accounts(chance: Random, k: int) -> Iterator[Cell]:
    yield "Kundennummer", OUT, f"K{chance.randrange(10**5):05}"
    yield "Saldo", NUMBER, f"{chance.gauss(0, 90):.2f}".replace("-", "−").replace(".", ",")
    betrag = f"{chance.lognormvariate(7, 1):,.2f}".translate(str.maketrans(".,", ",."))
    yield "Betrag", NUMBER, f"€ {betrag}"
    yield "Umsatz", NUMBER, f"{chance.randrange(1000, 99999):,}".replace(",", "\u202f")
    yield "Zins", NUMBER, f"{chance.uniform(0, 4):.2f} %".replace(".", ",")
    yield "Zufriedenheit", SCALE, chance.choice(["sehr schlecht", "schlecht", "mittel", "gut"])
    yield "seit", OUT, f"{day(chance):%d.%m.%Y}"


@table(400)
def from_sas(chance: Random, k: int) -> Iterator[Cell]:
    yield "USUBJID", OUT, f"01-{k:04}"
    yield "AGE", NUMBER, round(chance.gauss(60, 9))
    yield "BILI", ASKED, or_code(chance, chance.choice([".", ".A", ".B"]), rounded(chance, 9, 2), 5)
    yield "VISIT", CATEGORY, chance.choice(["BASELINE", "WEEK 4", "WEEK 8"])
    yield "AESEV", SCALE, chance.choice(["MILD", "MODERATE", "SEVERE"])
    yield "RESP", ASK, or_code(chance, -9, chance.randint(0, 3), 9)


@table(400)
def from_excel(chance: Random, k: int) -> Iterator[Cell]:
    yield "Nr", OUT, k + 1
    yield "margin", ASKED, or_code(chance, "#DIV/0!", rounded(chance, 0.2, 0.1, 4), 6)
    yield "growth", ASKED, or_code(chance, "#N/A", rounded(chance, 3, 2, 3), 3)
    yield "region", ASK, or_code(chance, "#REF!", chance.choice(["North", "South"]), 20)
    yield "revenue", ASKED, f"{round(chance.lognormvariate(11, 1)):,}"
    yield "change", NUMBER, f"{chance.gauss(0, 5):+.1f}%"


@table(240)
def from_pandas(chance: Random, k: int) -> Iterator[Cell]:
    yield "", OUT, k
    yield "length", NUMBER, chance.gauss(5, 1)
    yield "is_red", CATEGORY, chance.choice([True, False])
    yield "kind", CATEGORY, chance.choice(["a", "b", "c"])
    yield "seen", OUT, f"{day(chance)} 00:00:00"
    yield " ", OUT, ""


@table(600)
def sensors(chance: Random, k: int) -> Iterator[Cell]:
    yield "station_id", OUT, f"ST{chance.randrange(100, 400)}"
    yield "timestamp", OUT, f"{day(chance)}T{chance.randrange(24):02}:{chance.randrange(60):02}:00Z"
    yield "temperature", NUMBER, f"{chance.gauss(2, 6):+.1f}"
    yield "battery", NUMBER, f"{chance.uniform(3, 4.2):.2f}V"
    yield "humidity", ASKED, or_code(chance, 999, round(chance.uniform(20, 90)), 40)
    yield "firmware", CATEGORY, chance.choice(["1.0.2", "1.1.0", "2.0.1"])


@table(300)
def clinic_notes(chance: Random, k: int) -> Iterator[Cell]:
    yield "patient", OUT, 10**6 + 37 * k
    yield "blood pressure", OUT, f"{chance.randrange(90, 180)}/{chance.randrange(50, 110)}"
    yield "NYHA", CATEGORY, chance.choice(["I", "II", "III", "IV"])
    yield "nausea", SCALE, chance.choice(["none", "mild", "moderate", "severe"])
    yield "lactate", ASKED, or_code(chance, "<0.5", rounded(chance, 2, 0.4), 15)
    yield "weight", NUMBER, f"{chance.gauss(75, 12):.1f} kg"
    yield "sex", NUMBER, chance.choice([1, 2])


@table(350, "\t")
def flats(chance: Random, k: int) -> Iterator[Cell]:
    yield "référence", OUT, f"A{90_000 + 11 * k}"
    yield "prix", NUMBER, f"{chance.randrange(90_000, 900_000):,} €".replace(",", "\u00a0")
    yield "surface", NUMBER, f"{chance.gauss(75, 20):.0f} m²"
    yield "code postal", f"{CATEGORY}|{OUT}", f"{chance.choice([1000, 1300, 6000, 69001]):05}"
    yield "bruit", SCALE, chance.choice(["faible", "moyen", "élevé"])


@table(280)
def pupils(chance: Random, k: int) -> Iterator[Cell]:
    yield "name", OUT, f"{chance.choice('ABCDEFGH')}{chance.choice('aeiou')}r{k} Miller"
    yield "grade", f"{ASK}{CATEGORY}|{SCALE}", chance.choice("ABCDF")
    yield "effort", SCALE, chance.choice(["Poor", "Fair", "Good", "Very Good", "Excellent"])
    yield "homework", f"{ASK}{SCALE}", chance.choice(["Sometimes", "Often"])
    yield "swims", SCALE, chance.choice(["pass", "fail"])
    yield "best run", OUT, f"{chance.randrange(1, 4)}:{chance.randrange(10, 60)}.{k % 9}"


@table(500)
def insurance(chance: Random, k: int) -> Iterator[Cell]:
    yield "policy_id", OUT, 7_000_000 + 3 * k
    yield "premium", NUMBER, f"CHF {chance.lognormvariate(6, 0.4):.2f}"
    yield "excess", NUMBER, f"{chance.choice([300, 500, 1000, 1500, 2500])} CHF"
    yield "region_code", ASK, chance.randint(1, 9)
    yield "claims", ASKED, chance.choices(range(6), [50, 20, 9, 4, 2, 1])[0]
    yield "born", NUMBER, chance.randrange(1930, 2005)
    yield "risk", SCALE, chance.choice(["very low", "low", "medium", "high", "very high"])
    yield "comment", OUT, chance.choice(["", f"called on {k} about {k % 89}"])


@table(400)
def income(chance: Random, k: int) -> Iterator[Cell]:
    yield "pid", OUT, chance.randrange(1, 10**5)
    yield "income", ASKED, or_code(chance, -99, round(chance.lognormvariate(8, 0.6)), 12)
    yield "education", f"{CATEGORY}", chance.choice(["1 Primary", "2 Lower", "3 Upper"][:2])
    yield "feels", f"{ASK}{CATEGORY}|{SCALE}", chance.choice(["1 glad", "2 fine", "3 sad"])
    yield "hours", NUMBER, f"{chance.gauss(38, 6):.1f}"
    yield "final_weight", OUT, f"{chance.uniform(0.3, 3):.4f}"
    yield "diploma", CATEGORY, chance.choice(["yes", "no", "NA"])
