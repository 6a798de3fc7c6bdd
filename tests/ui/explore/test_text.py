"""What Explore says of releases in each state of a study: the sentence at the top, odds, angles.

Where a test draws, its numbers follow from fixed seeds.
"""

import re

import numpy as np
import pytest

from dpca_core import MECHANISMS
from dpca_core.analysis.needed import PeopleNeeded
from dpca_core.analysis.order_statistics import lower_bound
from dpca_core.data.dataset import Dataset
from tests.cases import sampled
from tests.ui.explore.studies import FEW, at, begun, few, finished, judged, own, said, study_of
from ui.explore.headline_and_titles import LARGE_DELTA, NO_PRIVACY, settings_text
from ui.state.slider_stops import EPSILON_STOPS

FIRST = ("gaussian", "gap_release", "wishart_sn", "ppca", "non_private")
REST = [key for key in MECHANISMS if key not in FIRST]


@pytest.mark.parametrize("key", [*FIRST, *sampled(REST, len(REST), "every mechanism")])
def test_every_sentence_is_whole_and_none_speaks_in_symbols(key):
    study = begun(key=key, rivals=FEW)
    study.first_answer(at(0.1))
    study.advance(lambda: True)
    for i, epsilon in enumerate(EPSILON_STOPS):
        every = said(study, epsilon, people=PeopleNeeded(1234.0, i % 2 == 0))
        for name, text in every.items():
            assert not re.search(r"nan|inf |swallow", text), name
            assert text.count("**") % 2 == 0, name
        assert not re.search("sin Θ|second moment|δ =", every["answer"])
        assert every["answer"].endswith((".", "…"))
        assert not re.search("the direction together|only all|only both", every["answer"])
        assert "**survive" not in every["beside"] or "recognisable" not in every["answer"]


def test_only_who_is_clearly_better_is_called_so():
    text = said(finished(key="laplace", rivals=FEW), 0.1)["kept"]
    assert re.match(r"Gaussian keeps (the most, )?9\d % \(9\d–", text)
    assert "Gaussian keeps the most" in said(finished(rivals=FEW), 0.07)["kept"]
    text = said(finished(rivals=FEW), 0.001)["kept"]
    assert text.startswith("None of these mechanisms is shown to do notably better than directions")


def few_own(**changes):
    study = study_of(own(**changes), trials=8)
    study.first_answer(at(1.0))
    return study


def test_what_holds_counts_how_the_rows_were_prepared():
    """Read without paying there is no promise; a private mean is part of the whole."""
    text = said(few_own(private=False), 1.0)
    assert text["standing"].startswith("**NOT PRIVATE**")
    assert "No bound on a guess" in text["odds"]
    paid = few_own(mean_share=0.25)
    assert "with ε = 2, δ" in said(paid, 2.0)["standing"]
    assert "clinic" not in settings_text(paid), "the name of a file is in nothing saved"


# --- The headline, and what is said of directions ---


def headline(study, epsilon):
    return said(study, epsilon)["answer"]


EDGE = pytest.mark.chance(6e-6)
"""The bound on direction 2 is 0.802 ± 0.011, for 12 seeds; from 0.85 it is recognisable."""


def one_survives():
    return judged(finished(), 0.1)


@pytest.mark.parametrize(
    ("study", "epsilon", "said", "unsaid"),
    [
        (begun, 0.1, "drawing the first releases", "keeps"),
        (finished, 10.0, "keeps **more than 99 %** of the variation", "100 %"),
        (finished, 0.001, "is not shown to do notably better than directions drawn at", "keeps"),
        pytest.param(one_survives, 0.1, "but only direction 1 is recogn", "survive", marks=EDGE),
        (lambda: few(trials=1, delta=0.0), 0.1, "Gaussian needs δ > 0", "keeps"),
        (lambda: few("power_pure_printed"), 100.0, "nothing is proved about its privacy", "19 of"),
        # 1 − e^{−ε}: the share of Wishart matrices that a record of norm 1 sticks out of.
        (lambda: few("wishart_sn"), 0.001, "promise is false: some results prove", LARGE_DELTA),
        (lambda: few("wishart_sn"), 0.1, "is false: about **10 of 100** results prove", "19 of"),
        (lambda: few("analyze_gauss"), 0.1, "keep at least", "paper promises"),
        (lambda: finished(key="gap_release"), 1.0, "**no answer in 84 of 100 tries**", "keep"),
        (lambda: few(trials=12, delta=1 / 5912), 0.1, f"PCA finds.{LARGE_DELTA}", "19 of"),
        (lambda: few("non_private", 1), 0.1, NO_PRIVACY, "release"),
        (lambda: few_own(private=False), 1.0, "before any noise: no promise holds", "19 of"),
    ],
)
def test_each_state_has_its_sentence(study, epsilon, said, unsaid):
    text = headline(study(), epsilon)
    assert said in text
    assert unsaid not in text


def test_it_says_the_median_the_certain_bound_and_so_far_until_all_is_measured():
    for epsilon in (0.1, 1.0):
        values = finished().curves.chosen.captured[at(epsilon)]
        kept, least = round(100 * np.median(values)), int(100 * lower_bound(values, 0.95))
        kept = "more than 99" if np.median(values) >= 0.995 else kept
        text = headline(finished(), epsilon)
        assert f"[[ε = {epsilon:g}]] a release keeps **{kept} %**" in text
        assert f"19 of 20 keep at least **{least} %**" in text
    study = begun()
    study.first_answer(at(0.1))
    assert "so far)" in headline(study, 0.1)


def test_a_weaker_promise_says_what_holds_rounded_up():
    study = few("analyze_gauss")
    found = re.search(r"ε = 50; what holds is \*\*([\d.]+)\*\*\.", headline(study, 50.0))
    true = MECHANISMS["analyze_gauss"].guarantee(*study.points[at(50.0)]).epsilon
    assert true <= float(found[1]) < 1.01 * true


def test_a_tie_at_k_is_said():
    """Of columns that vary alike any two are as good."""
    study = study_of(Dataset("", "", np.tile(np.eye(4), (50, 1)), tuple("abcd")))
    assert said(study, 0.1)["spectrum"].startswith("A tie: directions 2 and 3 carry the same")
