"""What the name of a column says of its kind; every hint is only asked after, or shown."""

import re

PERSONAL = frozenset(
    {
        "name", "surname", "firstname", "lastname", "forename", "vorname", "nachname", "fullname",
        "email", "mail", "phone", "telephone", "tel", "telefon", "mobile", "fax", "address",
        "adresse", "street", "strasse", "straße", "nom", "prenom", "nombre", "apellido",
    }
)  # fmt: skip
NO_PERSON = frozenset(
    {
        "drug", "hospital", "country", "city", "brand", "product", "variable", "column", "test",
        "region", "state", "site", "ward", "department", "species", "school", "company", "ip",
        "mac", "file", "type", "status", "count", "has",
    }
)  # fmt: skip
"""Words beside “name” or “address” that make it the name of something else."""
NUMBERING_WORDS = frozenset(
    {
        "id", "ids", "pid", "mrn", "ssn", "nhs", "uid", "uuid", "guid", "nr", "no", "key",
        "iban", "barcode", "serial", "caseid", "recordid", "rowid", "sampleid",
    }
)  # fmt: skip
"""Last words of a name that numbers things."""
WHOLE_NAMES = frozenset(
    {"subject", "patient", "person", "case", "record", "household", "participant", "respondent",
     "row", "number", "index", "idx", "unnamed"}
)  # fmt: skip
"""Names that number things where nothing else stands in them."""
POSTAL = frozenset(
    {"zip", "zipcode", "postal", "postcode", "postalcode", "plz", "postleitzahl", "zcta"}
)
DIAGNOSIS = frozenset(
    {"icd", "icd9", "icd10", "diagnosis", "diagnoses", "diag", "dx", "diagnose", "morbidity"}
)
FREE_TEXT = frozenset(
    {"comment", "comments", "note", "notes", "remark", "remarks", "freetext", "narrative",
     "description", "bemerkung", "kommentar", "anmerkung"}
)  # fmt: skip
SURVEY_WEIGHT = frozenset(
    {"fnlwgt", "wgt", "pweight", "pwgt", "sampweight", "perwt", "hhwt", "finalwt", "wtmec",
     "wtint", "wtsaf", "asecwt", "finalweight"}
)  # fmt: skip
WEIGHTING = frozenset(
    {"survey", "sample", "sampling", "instance", "design", "final", "replicate", "population",
     "stratification", "poststratification", "analysis", "expansion"}
)  # fmt: skip
"""Words beside “weight” that make it a survey's."""
WEIGHT_WORDS = frozenset({"weight", "weights", "wt"})
CODE = frozenset({"code", "codes", "type", "class", "cat", "category", "kind", "group", "cd"})
_PARTS = re.compile(r"[A-ZÄÖÜ]?[a-zäöüßé]+|[A-ZÄÖÜ]+(?![a-zäöüß])")


def words_of(name: str) -> tuple[str, ...]:
    """Split a column's name into its words, in small letters: ``patientID`` has two."""
    return tuple(word.lower() for word in _PARTS.findall(name[:LONGEST]))


LONGEST = 200
"""Letters of a name that are looked at."""


def names_a_person(name: str) -> bool:
    """Tell whether it is that of a column of names, addresses or numbers of people."""
    words = {*words_of(name)}
    return not words.isdisjoint(PERSONAL) and words.isdisjoint(NO_PERSON)


def numbers_things(name: str) -> bool:
    """Tell whether it is that of identifiers: ``case_no``, but not ``no_of_visits``."""
    words = words_of(name)
    if not words:
        return False
    return words[-1] in NUMBERING_WORDS or " ".join(words) in WHOLE_NAMES


def is_survey_weight(name: str) -> bool:
    """Tell whether it is that of weights of a survey."""
    words = {*words_of(name)}
    weighted = not (words.isdisjoint(WEIGHT_WORDS) or words.isdisjoint(WEIGHTING))
    return weighted or not words.isdisjoint(SURVEY_WEIGHT)


def has_word(name: str, words: frozenset[str]) -> bool:
    """Tell whether one of the words stands in the name."""
    return not words.isdisjoint(words_of(name)) or name.strip().lower() in words
