"""The glossary: one sentence a term, and every standing explained."""

from dpca_core.privacy.budget import Standing
from dpca_core.text.glossary import TERMS
from ui.text.badges_and_odds import LABELS


def test_a_term_has_one_name_and_one_sentence_and_every_standing_is_explained():
    assert len({term.name for term in TERMS.values()}) == len(TERMS)
    for term in TERMS.values():
        assert term.sentence.endswith("."), term
        assert ". " not in term.sentence, term
    assert "apart from δ" in TERMS["epsilon"].sentence
    assert "may fail" not in TERMS["delta"].sentence
    for standing in LABELS.keys() - {Standing.NONE, Standing.CORRECTED}:
        assert str(standing) in TERMS["standing"].name.lower()
