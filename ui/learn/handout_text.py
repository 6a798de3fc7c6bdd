"""What the handout says; every number is a field of ``handout_numbers``."""

from typing import NamedTuple

from ui.learn.text import NOTES

BACK = "← Lessons"
PARTS = {"answers": "Answers", "cards": "Letter cards", "notes": NOTES}
"""What is printed besides the exercises, by its name in the address."""
HOW_TO_PRINT = "Print with your browser: each part has its own A4 page."
NAME_LINE = "Name"
HEAD, HEAD_ANSWERS = "Handout", "Handout: answers"
HANDOUT_TITLE, ANSWERS, WORDS = "What privacy costs a PCA", "Answers", "Words"
LEAD = (
    "**PCA** sums up many columns by a few directions along which people differ. **Differential "
    "privacy** adds noise, so that what is published looks nearly the same with or without you. "
    "**ε** says how nearly: the smaller, the more private, and the noisier."
)
LEFT = (
    "**Left: {few:word} directions, {shown:count} releases.** Ordinary PCA lies at the bottom; "
    "half of the releases are {few_angle:degrees} off or more. Same people, same noise "
    "(ε = {epsilon:epsilon})."
)
RIGHT = (
    "**Right: {more:word} directions.** Draw the needle where you expect half of the releases to "
    "lie beyond it."
)
DATA = "{data}, {n:count} people, {columns:count} columns"
STAMP = "seed {seed:count} · {releases:count} releases · dpca {version} · {made}"
FOOT = "All numbers on this page were computed when it was made; none is typed."


class Exercise(NamedTuple):
    """An exercise, and its answer in one sentence."""

    place: str
    question: str
    answer: str


EXERCISES = (
    Exercise(
        "Explore",
        "Gaussian noise: guess from which ε on {part:word} of {whole:word} releases keep "
        "{target:share}. Then look.",
        "{needed_low:.2g} to {needed_high:.2g}: the answer is itself a sample, and a page names "
        "the first of its stops at which the releases show it with {confidence:share} confidence.",
    ),
    Exercise(
        "Lesson {odds_lesson} and Explore",
        "Gaussian noise at ε = {odds_epsilon:epsilon}: how often in a hundred is a guess about one "
        "person right at most? And with a pure mechanism?",
        "{gaussian_odds:odds} and {pure_odds:odds}, rounded up from {gaussian_odds:in_100} and "
        "{pure_odds:in_100}. The same ε, but Gaussian noise gives its worst away only rarely.",
    ),
    Exercise(
        "Lesson {delta_lesson}",
        "{town:count} people. How small must δ be, so that the program of that lesson names "
        "somebody in fewer than {runs_named:count} of {runs:count} runs?",
        "{small_delta:power}: this small a chance for each of {town:count} people is a chance of "
        "{named:.3g} that anybody is named.",
    ),
    Exercise(
        "Eigengap",
        "ε = {epsilon:epsilon}, k from {first_k} to {last_k}. Which k turns most, and which number "
        "explains it?",
        "k = {worst_k}. Direction {worst_k} stands only {worst_gap:people} people above the next "
        "one; the noise is {noise:people}.",
    ),
    Exercise(
        "Compare",
        "At ε = {epsilon:epsilon}, put in order by what they keep: {unordered}.",
        "{ordered}. The promise is the same, its price is not.",
    ),
    Exercise(
        "Sample size",
        "{times_word} the people, a pure mechanism, and the same quality as at "
        "ε = {epsilon:epsilon}: which ε?",
        "{same_quality:epsilon} instead of {epsilon:epsilon}: one person’s share of the table "
        "shrinks as the people grow in number.",
    ),
    Exercise(
        "Lesson {again_lesson} and Explore",
        "You publish twice with Gaussian noise, ε = {each:epsilon} each time. Is more, as much or "
        "less spent than {added:epsilon} in all? What are the odds at most?",
        "Less: ε = {joint:spent} by exact accounting, {added:epsilon} by adding up; "
        "{joint_odds:odds} right guesses in a hundred at most.",
    ),
    Exercise(
        "Look around",
        "Write down two things on the screen that read private data and that ε does not pay for.",
        "For example: the true spectrum and directions; k, if it was chosen by looking; ranges "
        "read from the file; the best of several draws.",
    ),
)
"""In the order of the sheet."""

TERMS_SHOWN = (
    "neighbours",
    "epsilon",
    "delta",
    "odds",
    "release",
    "mechanism",
    "noise",
    "direction",
    "eigengap",
    "variation kept",
    "angle",
    "budget",
)
"""Keys of the glossary."""
