"""Every sentence of the owner's way, step by step; nothing of *Decide* is computed from a file."""

from collections.abc import Mapping, Sequence
from unicodedata import category

from dpca_core.analysis.recommendation import MOST_WISHART_COLUMNS, people_for_private_mean
from dpca_core.analysis.reliability import DirectionReliability, Goal, Reliabilities, Reliability
from dpca_core.data.column_names import label
from dpca_core.data.recipe import Combine, MissingPerson, Recipe, Source
from dpca_core.data.text_file_format import EITHER, Escape, TextFileFormat
from dpca_core.detection.columns import words_of
from dpca_core.detection.people import Finding, PersonCandidate, PersonProposal
from dpca_core.detection.questions import CODES, IDENTIFIER, LABELS, MISSING, SCALE, TEXTS
from dpca_core.privacy.inference_risk import guess_probability
from dpca_core.release.plan import cautions
from dpca_core.tables.second_moment import Progress
from dpca_core.text.guarantee_sentences import neighbours
from dpca_core.text.listed import listed
from dpca_core.text.privacy_numbers import epsilon_text, power, right_guesses
from ui.owner.column import Use
from ui.owner.decide_answers import Answers, Card
from ui.owner.decide_plans import CardPlan, Needed, People
from ui.owner.draft import CANNOT_TELL, Draft, Who
from ui.text.numbers import count, escape_markdown, number_word, percent, rounded_count
from ui.text.odds import odds

MOST_NAMED = 3
"""Columns that a sentence names before it counts the others."""


def named(names: Sequence[str]) -> str:
    """List names, without the marks of a sentence: "temp and site", "a, b, c and 7 more"."""
    shown = [label(name) for name in names[:MOST_NAMED]]
    if rest := len(names) - len(shown):
        shown.append(f"{rest:,} more")
    return listed([name.replace("**", "").replace("[[", "").replace("]]", "") for name in shown])


# --- The table ---

UPLOAD, SERVER = "On my computer", "On this server"
"""Where a table may be."""

EMPTY_HEADLINE = "From a table of people to a decision, before anything is spent."
EMPTY_LEAD = (
    "Who is protected, which columns, which ε, and what survives. The table is read to ask the "
    "right questions; what is noticed in it is shown to you alone."
)
KEPT_IN_TAB = (
    "Kept in this tab: what you said of columns before. Choose the same table again and say who "
    "is protected; Columns then offers it."
)
UPLOADER_LABEL = "Drop a table here: CSV, Excel, ODS, Parquet, SPSS, Stata or SAS."
UPLOADER_HELP = "It stays in this server’s memory for this session, and is sent nowhere."
TRY_CLINIC = "No table at hand? Try it with a made-up clinic"
CLINIC_HELP = "900 patients who do not exist, 2,671 visits, 15 columns."
BUILT_IN_TITLE = "Or look at data that are public already"
SERVER_TABLE_LABEL = "Table or folder of tables on this server"
SERVER_TABLE_HELP = "The table is read in place, in one pass, and never held in memory as a whole."
FIRST_ROWS, HIDE_ROWS = "Show the first rows", "Hide the first rows"
FIRST_ROWS_NOTE = (
    "To see rows is a look: ranges count as typed after it from then on, for good, and the "
    "certificate says so."
)
ANOTHER_TABLE = "Another table"
KEEP_TABLE = "Back to the table you have"
FORGET = "Forget this table"
FORGET_HELP = "Drops the table and all that was typed about it, here and in this browser tab."
KEPT_TABLE = "The table you have stays as it is."
FIRST_ROWS_ONLY = "Detected in the first 5,000 rows: confirm. A sum reads the whole table."

WHERE_LABEL = "Where to compute"
STOP = "Stop"
STOPPED = "The computation was stopped; nothing was kept."
SUM_TOO_LARGE = "This computation needs more memory than this machine has. Leave columns out."

WOULD_SAY = "It would say:"
FORMAT_TITLE = "How the file is written"
SAME_SIGN = "The decimal sign and the sign between thousands must differ."
MISSING_TEXTS, FIRST_LINE = "Missing values, separated by “;”", "First line"
SKIPPED, SHEET = "Lines above the header", "Sheet"
MISSING_HELP = (
    "An empty cell is always missing. A cell that cannot be read as a number counts as missing too."
)
DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "vertical bar"}
DECIMALS = {".": "point: 1.5", ",": "comma: 1,5", EITHER: "either: 1.5 or 1,5"}
THOUSANDS = {
    "": "nothing: 1234567",
    ",": "comma: 1,234,567",
    ".": "point: 1.234.567",
    " ": "space: 1 234 567",
    "'": "apostrophe: 1'234'567",
}
ENCODINGS = {
    "utf-8": "UTF-8",
    "cp1252": "Western European (Windows-1252)",
    "latin-1": "Western European (ISO 8859-1)",
}
ESCAPES: Mapping[str, str] = {
    Escape.DOUBLED: 'doubled: ""',
    Escape.BACKSLASH: 'backslash: \\"',
    Escape.NONE: "none: lines are records",
}
MENUS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "delimiter": ("Between columns", DELIMITERS),
    "decimal": ("Decimal sign", DECIMALS),
    "thousands": ("Between thousands", THOUSANDS),
    "encoding": ("Encoding", ENCODINGS),
    "escape": ("Marks inside quotations", ESCAPES),
}
"""Label and choices by the field of a format."""
COLUMN_NAMES, A_ROW = "names of columns", "a row already"
CONFIRM = "Leave them out"
TITLES_QUESTION = (
    "**Each column’s label stands below its name.** Shall the report print them? Only if they name "
    "nobody."
)
FORMAT_ELSE = "If not, change it under “How the file is written”, below the table."
FORMAT_ANSWER = "Confirm how the file is written."
FORMAT_SUBJECT = "How the file is written"
_SHARED = {
    CODES: "take few whole values, or very uneven ones. Numbers, or codes?",
    IDENTIFIER: "differ in nearly every row. Measurements or identifiers?",
    SCALE: "have answers whose order is known. A scale takes one column, a category one a value.",
    MISSING: "have numbers that may stand for a missing value.",
    TEXTS: "have texts among their numbers. Are those missing values?",
    LABELS: "have lists of values in the file. The same lists, whoever took part? Then they are",
}
_ESCAPED = {
    Escape.DOUBLED: "doubled quotation marks inside cells",
    Escape.BACKSLASH: "a backslash before quotation marks inside cells",
    Escape.NONE: "no quotations",
}
_EXAMPLES = {",": "1,5 for one and a half", EITHER: "1.5 and 1,5"}
_OTHER = "have the same open question."
NOT_OPEN = "Answer the step before first."
DECIDE_FIRST = "Choose one of the cards of Decide first: Release takes what was decided there."
CURRENT = "you are here"
DONE = "answered"


def table_line(name: str, rows: int, columns: int, *, streamed: bool) -> str:
    """Name a table and its size; of a streamed one only the first rows are known."""
    shown = f"the first {count(rows)} rows" if streamed else f"{count(rows)} rows"
    return f"**{escape_markdown(name)}**: {shown}, {count(columns)} columns"


def progress_text(name: str, now: Progress) -> str:
    """Say how far a sum is: rows, speed, time left."""
    speed = float(f"{now.rows_per_second:.2g}")
    parts = [f"{name}: {count(now.rows)} rows", f"{count(speed)} a second"]
    if left := now.seconds_left:
        time = f"{max(1, round(left))} s" if left < 90 else f"{round(left / 60)} minutes"
        parts.append(f"about {time} left")
    return escape_markdown(", ".join(parts) + ".")


def shared_question(key: str, names: Sequence[str]) -> str:
    """Ask a question of many columns at once, as Markdown."""
    who = escape_markdown(named(names))
    return f"**{len(names):,} columns** ({who}) {_SHARED.get(key, _OTHER)}"


def format_question(form: TextFileFormat, marks: Sequence[str]) -> str:
    """Ask whether a file is written as it seems, by the marks that differ from the usual ones."""
    said = {
        "delimiter": f"a {DELIMITERS.get(form.delimiter, form.delimiter)} between columns",
        "decimal": f"numbers like {_EXAMPLES.get(form.decimal, '1.5')}",
        "thousands": f"numbers like 1{form.thousands}234 for 1234",
        "encoding": f"{ENCODINGS.get(form.encoding, form.encoding)} letters",
        "missing": "other texts for missing values",
        "unnamed": "no names in its first line",
        "escape": _ESCAPED[form.escape],
        "cr_ends_lines": "lines that end with a carriage return",
        "sheet": f"its table on the sheet {label(form.sheet)}",
        "skip": f"{form.skip:,} {'line' if form.skip == 1 else 'lines'} above its header",
    }
    parts = [said[mark] for mark in marks]
    return f"**The file seems to have {listed(parts)}.** Is that right? {FORMAT_ELSE}"


def missing_question(declared: Mapping[str, Sequence[str]]) -> str:
    """Ask whether what a file declares missing is known without it: all of it, in full."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for name, codes in declared.items():
        alike.setdefault(tuple(codes), []).append(label(name))
    lists = [f"{', '.join(codes)} in {listed(names)}" for codes, names in alike.items()]
    return (
        f"The file declares as missing: {'; '.join(lists)}. They are read so. Would these codes be "
        "the same, whoever took part? If not, take them out of the file and choose it again."
    )


def left_out(names: Sequence[str]) -> str:
    """Say which columns are proposed to be left out, and what it takes to confirm it."""
    who = escape_markdown(named(names))
    return (
        f"**{len(names):,} columns** are left out because of what is in them, until you confirm "
        f"that: {who}."
    )


# --- 1 Who ---

WORDS = (
    *("patient", "household", "participant", "respondent", "subject", "pupil", "student", "client"),
    *("employee", "customer", "user", "donor", "member", "family", "person"),
)
"""Words for whoever is protected that names of columns suggest."""
PLURALS = {"family": "families", "person": "people"}

QUESTION_OPEN = "Whom shall a release protect?"
QUESTION = "Does a column name the {one}?"
OTHER, NO_OTHER = "Other columns name the {one}", "I choose the columns that name the {one}"
"""The same answer, where columns were offered before it and where none were."""
PLAIN = "Yes: one {one} is one value of {names}. Go on to Columns"
EVERY_ROW_LABEL = "Every row is a different {one}"
CANNOT_TELL_LABEL = "One {one} may have several rows, and nothing here says which"
AS_WRITTEN = "Values of {column} are compared as they are written: 001 and 1 are two {many}."
ZEROS = (
    "Are 001 and 1 one {one}? {number} of the values of {column} differ from another one only in "
    "such zeros. They count as {many} of their own. If they are not, write them alike in the file, "
    "and choose it again."
)
COLUMNS_LABEL = "Columns that together name one {one}"
MOST_COLUMNS = 4
"""Columns that together can name one."""
CANNOT_TELL_NOTE = (
    "Then one **row** is protected, not one {one}. Someone with five rows is protected about five "
    "times less. What is released says so."
)
STREAMED_NOTE = (
    "A table on this server is read in one pass, in which every row counts as a different {one}: "
    "combine the rows of each {one} beforehand, as Proofs, “Large tables”, shows."
)
SEVERAL_LABEL = "Several rows of one {one}"
COMBINE = {Combine.AVERAGE: "Average them", Combine.AT_MOST: "Use at most m rows each"}
MOST_LABEL = "m"
MOST_HELP = (
    "m must be a number that you knew before you saw this file. Its largest is shown to you only: "
    "{largest}."
)
MISSING_LABEL = "{rows} have no {column}"
MISSING_ANSWERS = {
    MissingPerson.LEAVE_OUT: "Leave them out",
    MissingPerson.OWN: "Each its own {one}",
}
IGNORE_CASE = (
    "Ignore capitals and spaces in {column}: {spellings} of its values differ from another one in "
    "nothing else"
)
ONE_LABEL, MANY_LABEL = "One of them is called", "Several are called"
LONGEST_WORD = 30
WORD_ERROR = f"Use letters, spaces and hyphens, at most {LONGEST_WORD}."
ON = "Go on to Columns"
NOTHING_FOUND = "No column was found that numbers the people. That proves nothing."
MOST_FIXED = 2
"""Columns that a sentence about what stays the same names."""


def proposed_words(columns: Sequence[str]) -> tuple[str, str] | None:
    """Return singular and plural that a column's name suggests; None where it suggests none."""
    words = (word for name in reversed(columns) for word in words_of(name))
    word = next((word for word in words if word in WORDS), None)
    return (word, PLURALS.get(word, f"{word}s")) if word else None


def is_printable_word(text: str) -> bool:
    """Tell whether a word can name whoever is protected.

    It is printed into releases and pages, so it may contain nothing like markup.
    """
    letters = (sign in " -" or category(sign)[0] in "LM" for sign in text)
    return 0 < len(text) <= LONGEST_WORD and text[0].isalpha() and all(letters)


def who_headline(proposal: PersonProposal, who: Who) -> str:
    """Return the headline: the question, or its answer, which may be that a row is protected."""
    one = who.one
    if who.answer == CANNOT_TELL:
        return f"One **row** is protected, not one {one}."
    if who.answer:
        return f"One **{one}** is protected."
    return f"Protect one **{one}**?" if proposal.finding is Finding.FOUND else QUESTION_OPEN


def evidence(proposal: PersonProposal) -> str:
    """Say what was noticed in the file, which is shown to its owner alone."""
    if proposal.finding is Finding.NONE:
        return NOTHING_FOUND
    first = proposal.candidates[0]
    names, people = named(first.columns), count(first.people)
    if proposal.finding is Finding.UNIQUE:
        rows = f"all {people} rows{' that have one' if first.without_id else ''}"
        return f"{names} differs in {rows}: one row per person. Right?"
    if proposal.finding is Finding.ASK:
        rows = count(first.rows - first.without_id)
        return f"{names} has {people} values in {rows} rows. Is each value one person?"
    if proposal.finding is Finding.MEMBERS:
        fine = proposal.candidates[1]
        return (
            f"{names} has {people} values, and {named(fine.columns)} have {count(fine.people)} "
            "in them. Protecting all of one protects its members too."
        )
    return f"{count(first.rows)} rows, {people} values of {names}.{_same_within(first.fixed)}"


def against(found: PersonCandidate, one: str) -> str:
    """Say what speaks against every row being a different one; nothing is decided by it."""
    return (
        f"The table has {count(found.rows)} rows and {count(found.people)} values of "
        f"{escape_markdown(named(found.columns))}, of which one has {count(found.largest)} rows. "
        f"If a value is one {one}, then whoever has several rows is protected less than is said."
    )


def option(candidate: PersonCandidate, one: str, *, sure: bool) -> str:
    """Return the answer that columns name the person."""
    names = escape_markdown(named(candidate.columns))
    yes = "Yes, one" if sure else "One"
    return f"{yes} {one} is one value of {names} ({count(candidate.people)})"


def _same_within(fixed: Sequence[str]) -> str:
    """Say what stays the same within nearly every value."""
    if not fixed:
        return ""
    more = len(fixed) - MOST_FIXED
    rest = [f"{more} more column{'s' if more > 1 else ''}"] if more > 0 else []
    verb = "stays" if len(fixed) == 1 else "stay"
    return f" Within one, {named([*fixed[:MOST_FIXED], *rest])} {verb} the same, or nearly always."


# --- 2 Columns ---

LEAD = (
    "Give each number a range that you would have written without this file. What lies outside is "
    "cut. A typical value becomes the centre, and costs nothing; without one a direction may "
    "only say where the average lies."
)
HEADS = {
    "column": "column",
    "use": "use as",
    "low": "low",
    "typical": "typical",
    "high": "high",
    "values": "values",
    "unit": "unit",
    "missing": "missing",
    "source": "where from",
    "message": "what is missing",
}
"""Heads of the table's columns, which are also what its cells are called."""
PLACEHOLDERS = {"values": "such as F; M or low; high"}
"""Stand in cells that are empty."""
TABS = {"all": "All", "need": "Need you", "out": "Left out"}
USES = {Use.NUMBER: "number", Use.SCALE: "scale", Use.CATEGORY: "category", Use.OUT: "leave out"}
CHOOSE_USE = "choose"
SOURCES = {
    Source.CODEBOOK: "○ codebook",
    Source.LAW: "○ law or physics",
    Source.GUESS: "◐ guess",
    Source.DECLARED: "◐ declared by you",
    Source.NOTICED: "◐ noticed in the file",
    Source.FILE: "● read from the file",
}
"""Sources in the menu, each behind its dot."""
READ = "read from the file"
UNCONFIRMED = "left out because of what is in the file. Confirm it beside the column"
PROVENANCE = {
    Source.NOTICED: "noticed in the file, and confirmed by you",
    Source.DECLARED: "typed after the file’s values were shown",
    Source.GUESS: "your guesses. Fine, if made without looking",
}
PUBLIC = "public. Costs no privacy"
FORMAT_SOURCES = {
    Source.FILE: "noticed in the file. Confirm it",
    Source.NOTICED: PROVENANCE[Source.NOTICED],
}
PRIVATE_TITLE, PUBLIC_TITLE = "What keeps it from being private", "Where this comes from"
TABLE = "Columns"
FIND = "Find a column"
DECIDE = "Decide"
OFFER = "In this tab you described a table with these columns before."
USE_THEM, AFRESH = "Use them", "Start afresh"
TYPE_AGAIN = "Type it again"
STAYS_OUT = "Leave it out"
FILL = "Fill empty cells from the file"
FILL_HELP = (
    "Reads lowest and highest values, and lists of values. They are not private: nothing can be "
    "released with them until they are typed again."
)
KEPT = (
    "Everything typed, and every codebook, stays in this session and in this browser tab; nothing "
    "of the file does. Save choices makes a file for next year."
)
LOAD, SAVE = "Load a codebook", "Save choices"
LOAD_HELP = (
    "A Table Schema or data package, a REDCap data dictionary, a CSV file with a line for each "
    "column, or choices you saved here. Ranges from a codebook are public. A block of your sheet "
    "can be pasted into the table itself, and counts as typed by you."
)
USE_CLINICS = "Use the made-up clinic’s codebook"
LOAD_LABEL = "Codebook: CSV, JSON or YAML"
SAVE_HELP = "To load next time: what you have so far, without a file name or a number of rows."
_MOST_PROBLEMS = 5


def columns_headline(ready: int, total: int, read: int, unconfirmed: int) -> str:
    """Say how many columns are ready, and whether any was read from the file."""
    said = f"**{ready} of {total}** {'column is' if total == 1 else 'columns are'} ready."
    if read:
        return f"{said} With the {read} [[read from the file]] nothing can be released."
    if unconfirmed:
        return f"{said} {unconfirmed} left out because of [[what is in the file]]: confirm that."
    return said


def missing_answers(columns: int, others: int = 0) -> str:
    """Say what still needs an answer: columns, and questions about the table as a whole."""
    found = []
    if columns:
        found.append("1 column needs you" if columns == 1 else f"{columns:,} columns need you")
    if others:
        found.append("1 question is open" if others == 1 else f"{others:,} questions are open")
    return ", and ".join(found)


def names_person(one: str) -> str:
    """Say what the column of the person is for."""
    return f"names the {one}: used to group rows, never in the PCA"


def takes(use: Use | None, values: int, *, scale: bool) -> str:
    """Say how many columns a list takes after coding, which may be a ``scale``; "" for a number."""
    if use is Use.SCALE:
        return "takes one column"
    if use is not Use.CATEGORY:
        return ""
    return f"takes {values} columns{', as a scale one' if scale else ''}"


def somebodys(field: str, one: str) -> str:
    """Say why what was read from the file is not private."""
    if field == "values":
        return "a rare value may name someone"
    which = "lowest" if field == "low" else "highest"
    return f"its {which} value may be one {one}’s alone"


def merge_sentence(
    found: int,
    columns: int,
    absent: Sequence[str],
    problems: Sequence[str] = (),
    differing: Sequence[str] = (),
) -> str:
    """Say what was found: "12 of 15 columns found; temp and site are not in your table; …"."""
    parts = [f"{found:,} of {columns:,} columns found"]
    if absent:
        be = "is" if len(absent) == 1 else "are"
        parts.append(f"{named(absent)} {be} not in your table")
    parts += problems[:_MOST_PROBLEMS]
    if len(problems) > _MOST_PROBLEMS:
        parts.append(f"{len(problems) - _MOST_PROBLEMS:,} more like these")
    if differing:
        parts.append(f"yours stays where it differs: {named(differing)}")
    return "; ".join(parts) + "."


# --- 3 Decide ---

NOTHING_READ = "Nothing on this page was computed from your file."
FOLLOWS = "It follows from your ranges, {noticed}the two answers below and chance."
NOTICED = "what was noticed and you confirmed, "
TYPED_AFTER_A_LOOK = "Some ranges were typed after the file’s values were shown."
ROWS_KEPT = (
    "The levels hold only where nearly every {one} has {most} rows: S is divided by {most}, and "
    "whoever has fewer rows counts less."
)
FILE_READ = "Not private."
LOOKED_BEFORE = (
    "You have looked at your own curves. What you choose here may depend on them, and no ε covers "
    "that: the certificate will say so."
)
PEOPLE_LABEL, EXPECT_LABEL = "About how many {many}?", "What do you expect in them?"
PEOPLE_EXAMPLE = "a guess"
SHARES_LABEL, OWN_SHARES = "shares", "shares you type"
DELTA_LABEL = "δ\u00a0="
CHOOSE, CHOSEN = "Choose and go on", "Chosen"
NAME_PEOPLE = "Say about how many {many} there are, and this card says which directions survive."
MEND_ANSWERS = "Correct the answers above, and this card says which directions survive."
SIMULATING = "Simulating releases …"
NO_CHOICE = "How much privacy, and what survives it? Choose one of three."
WHY_TITLE = "Why these three? What others have published with"
WHY_NOTE = (
    "Guarantees for a day or a month add up over days and months; local ones trust nobody. "
    "Textbooks advise 0.01 to 1."
)
HOW_TITLE = "How it will be done"
STAND_INS_TITLE = "Not sure what to expect?"
STAND_INS_NOTE = "Try it on data that are public already, or on a file that is made up."
BUILT_IN, SYNTHETIC = "A built-in set", "A synthetic file"
SYNTHETIC_HELP = "A CSV file with your columns and made-up rows: no person is in it."
SYNTHETIC_OFF = "Ranges, lists or columns that were read from your file would leave with it."
LOOK_TITLE = "Look at your own curves?"
LOOK_NOTE = (
    "Looking is a use of the data. What you choose after it depends on them, and no ε covers that. "
    "The certificate will say so."
)
LOOK, LOOK_AGAIN = "Look, and note it", "Look again"
IN_PAIRS = "as differences of random pairs, where one is replaced"
SUMMARY_LOOK = (
    "One page for whoever decides with you. It is made from your table, so it is a look, and noted."
)
TOO_LARGE = "This table needs more memory than this machine has. Use fewer columns or rows."
LOOKED = "Noted: you looked before deciding."
LOOKED_AFTER = (
    "Noted: you looked after deciding. If you change anything here now, the certificate says that "
    "you looked before."
)
GO_ON = "Go on to Release"
TO_COLUMNS = "Go to Columns"
NOT_READY = "Not ready for Release yet."
READY = "Release asks for your confirmation before anything is spent."
NAMES = {Card.CAREFUL: "Careful", Card.MIDDLE: "Middle", Card.LOOSE: "Loose"}
OWN_BUDGET = "Your own"
"""The name of a card with another ε than the one proposed."""
CHOOSE_FIRST = "Choose one of the three cards."
BARS = "Of {trials} simulated releases, bars are those within 18°, pale 32°; line: 9 of 10."
RIGHT = "Right at most **{right} times in 100**"
EQUALLY_LONG = "no length R to guess; costs at most about 1\u00a0% of variation, rarely 4\u00a0%"
PURE_WIDE = (
    f"exact Wishart noise is drawn for at most {MOST_WISHART_COLUMNS} columns; Gaussian noise with "
    "δ = 2⁻⁶⁴ is smaller there"
)


def why_not_public(draft: Draft) -> str:
    """Say what is to be mended of columns read from the file, or left out for what it holds."""
    said = []
    if read := [column.name for column in draft.used if column.origin is Source.FILE]:
        said.append(f"Read from your file: {named(read)}. Type their ranges and lists again.")
    if draft.unconfirmed:
        said.append(
            f"Left out because of what your file holds: {named(draft.unconfirmed)}. Until you "
            "confirm that, the number of columns on this page depends on the file."
        )
    return " ".join(said)


def no_findings(draft: Draft, recipe: Recipe) -> str:
    """Say what a direction may show that is no finding, as the report will; "" where nothing."""
    numbers = [column for column in draft.used if column.use is Use.NUMBER]
    without = [column.name for column in numbers if column["typical"].empty]
    said = [f"No typical value: {named(without)}."] if without else []
    return " ".join([*said, *(f"A direction may show {one}." for one in cautions(recipe))])


def decide_headline(plan: CardPlan | None, *, by_default: bool = False) -> str:
    """Say what survives at the chosen ε if the answers are right; ``[[…]]`` is the accent's."""
    if plan is None:
        return NO_CHOICE
    epsilon = f"[[ε\u00a0=\u00a0{epsilon_text(plan.budget.epsilon)}]]"
    if plan.planned is None:
        return f"You chose {epsilon}."
    fits = "the default below fits them" if by_default else "your data are as you expect"
    verdict = levels_sentence(plan.planned)
    return f"At {epsilon}, if {fits}: {verdict[0].lower()}{verdict[1:]}."


def subheading(plan: CardPlan | None, one: str) -> str:
    """Say what the chosen card promises one person."""
    if plan is None:
        return (
            f"Each card says how often somebody who guesses whether one {one} is in the data is "
            "right (a coin: 50 times in 100), and which directions survive."
        )
    whom = neighbours(plan.budget.adjacency, one)
    return f"{odds(plan.guarantee, one)} With δ\u00a0=\u00a0{power(plan.budget.delta)}, for {whom}."


def people_sentence(plan: CardPlan, k: int, many: str) -> str:
    """Say how many people the first direction needs, and all of them; "" while that is unknown."""
    what = "it" if k == 1 else f"all {number_word(k)}"
    if plan.planned is not None and Goal.ALL in plan.planned.reached:
        return f"There are **enough {many}** for {what}"
    if Needed.NOT_KNOWN_YET in plan.needed.values():
        return ""
    first, every = (_about(plan.needed[goal], many) for goal in (Goal.FIRST, Goal.ALL))
    return f"It needs {every}" if k == 1 else f"The first needs {first}, {what} {every}"


def _about(people: People, many: str) -> str:
    if isinstance(people, Needed):
        return f"**{people} {many}**"
    return f"about **{count(people)} {many}**"


def steps_of_release(plan: CardPlan, columns: int, many: str) -> list[tuple[str, str]]:
    """Say how a release will be made: what, and why."""
    why = PURE_WIDE
    if plan.budget.delta > 0:
        why = "one ε is then one protection, whatever the table"
    elif columns <= MOST_WISHART_COLUMNS:
        why = "pure: δ is 0. On all but few columns Gaussian noise with a small δ is smaller"
    enough = rounded_count(people_for_private_mean(columns, plan.budget))
    mean = f"public and free. A private mean can replace them from about {enough} {many} on"
    return [
        (f"{plan.mechanism.name} noise on the table of products", why),
        ("Every row equally long", EQUALLY_LONG),
        ("Centre at your typical values", mean),
    ]


def what_keeps_more(plan: CardPlan) -> str:
    """Say what keeps more than what is released, and what it costs; "" where nothing does."""
    smaller = plan.recommendation.mechanism
    if smaller is plan.mechanism:
        return plan.recommendation.keeps_more
    pure, now = guess_probability(plan.budget.epsilon, 0.0), plan.guarantee.guess_probability()
    return (
        f"On so few columns {smaller.name} noise, with a δ of 0, is smaller. It is another kind of "
        f"promise: a guess is right at most {right_guesses(pure)} times in 100, not "
        f"{right_guesses(now)}."
    )


def large_delta(answers: Answers, many: str) -> str:
    """Warn of a δ that is not far below one in the number of people; "" for any other."""
    if answers.delta is None or answers.people is None or answers.delta * answers.people < 0.1:
        return ""
    return (
        "With δ this large, somebody’s record may simply be published: keep it far below one in "
        f"{count(answers.people)} {many}."
    )


def no_levels(answers: Answers, many: str) -> str:
    """Say why a card does not say which directions survive."""
    if {"people", "shares"} & answers.errors.keys():
        return MEND_ANSWERS
    return SIMULATING if answers.people is not None else NAME_PEOPLE.format(many=many)


def levels_sentence(planned: Reliabilities) -> str:
    """Say which directions are reliable, recognisable, reliable only together, and lost."""
    groups: dict[tuple[Reliability, object], list[int]] = {}
    for direction in planned.directions:
        groups.setdefault((direction.level, direction.block), []).append(direction.number)
    order = [*Reliability]
    ranked = sorted(groups.items(), key=lambda one: order.index(one[0][0]))
    parts = [f"{_numbers(numbers)} {level}" for (level, _), numbers in ranked]
    several = len(ranked[0][1]) > 1
    return f"Direction{'s' * several}\u00a0{'; '.join(parts)}"


def _numbers(numbers: Sequence[int]) -> str:
    if len(numbers) > 3 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{numbers[0]} to {numbers[-1]}"
    return listed([str(n) for n in numbers])


def level_label(direction: DirectionReliability) -> str:
    """Name the level of one direction beside its bar."""
    if direction.block is None:
        return str(direction.level)
    first, last = direction.block
    return f"{_numbers(range(first, last + 1))} together"


def bar_label(direction: DirectionReliability) -> str:
    """Say what a bar shows, for a screen reader."""
    level, share = level_label(direction), percent(direction.held)
    return f"Direction {direction.number}: {level}, {share} of the releases hold it"
