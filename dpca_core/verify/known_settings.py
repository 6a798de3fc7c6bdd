"""The settings that a certificate may have, typed again: whatever is not in here is refused.

Every version that wrote this format wrote these keys and these texts. A test compares them with
those of the program, so that neither changes alone.
"""

SCALINGS = _RANGED, NORM_ONLY, PRIVATE_MEAN = "bounded", "norm only", "private mean"
"""Every other scaling reads the whole table first."""
COMBINED = _AVERAGED, SEVERAL = "averaged into one row", "at most m kept, S divided by m"
"""What is done with several rows of a person; the second keeps more than one."""
MISSING_BECOMES = "centre of the range, no category", "row left out"
ROW_LENGTHS = _AT_MOST_R, LENGTH_ONE = "at most R", "all of length 1"
CODINGS = "0 or 1", "0 or 1, minus 1/m"
OF_NOBODY = LEFT_OUT, _OWN = "left out", "each row its own"
"""What is done with rows that name nobody; each as its own person would be more than one."""
SOURCES = "codebook", "law or physics", "guess", "declared by you", "noticed in the file"
"""Where what is known of a column may come from: not from the table itself."""

FORMATS = {"plan": "dpca-plan/1", "recipe": "dpca-recipe/1"}
MARKS_BETWEEN_CELLS = ",;\t|"
DECIMAL_MARKS = (".", ",", ".,")
MARKS_OF_THOUSANDS = ",.'’ \u00a0\u2007\u2009\u202f_"
KNOWN_ENCODINGS = ("utf-8", "cp1252", "latin-1")
PROVED_COLUMNS = 2000
"""The proof that rows are summed exactly holds up to so many; no file that is read has more."""
STEPS_OF_SCALE = range(2, 21)
LETTERS_OF_WORD, LETTERS_OF_SENTENCE, LETTERS_OF_PRACTICE = 60, 500, 100
BINS_EACH_WAY = range(5, 51)

_LIMIT = "epsilon delta pure"
_COLUMN = "name missing source seen"
KEYS = {
    kind: sorted(keys.split())
    for kind, keys in {
        "the certificate": "format software practice release account unit guarantee parts plan "
        "files not_published assumptions cannot_be_seen theorems chain digest",
        "software": "name version commit",
        "release": "id number spent_on",
        "account": "id name people opened_on total promised",
        "total": "mu2 pure most_pure",
        "limits": _LIMIT,
        "unit": "one many rows neighbours sentence",
        "guarantee": "notion epsilon delta mu2 pure guess_probability",
        "parts": "name noise law scales norm sensitivity_squared share mu2 pure grid_unit file",
        "chain": "previous link limit",
        "plan": "format grid columns recipe adjacency epsilon delta mechanism means scores k "
        "reason declarations practice scales",
        "scores": "share bins reach",
        "declarations": "sentence answer",
        "recipe": "format numbers categories scaling radius missing bounds_are_public person "
        "combine most mean_share unit number_format row_length category_coding missing_person "
        "ids_ignore_case scales",
        "numbers": f"{_COLUMN} low high typical unit",
        "scales": f"{_COLUMN} values",
        "categories": f"{_COLUMN} values",
        "unit of the recipe": "one many",
        "number format": "delimiter decimal thousands encoding missing unnamed escape "
        "cr_ends_lines skip sheet",
    }.items()
}
"""All keys of each kind of object: none may be added, and none be missing but for those below."""
ADDED = {
    "number format": {"escape", "cr_ends_lines", "skip", "sheet"},
    "recipe": {"scales"},
}
"""Keys that certificates lack which were written before there was a choice."""
ESCAPES = ("doubled", "backslash", "none")
