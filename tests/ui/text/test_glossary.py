"""The glossary: one sentence a term, each noise under its one name, within reach of every page."""

from streamlit.testing.v1 import AppTest

from dpca_core.privacy.budget import Standing
from dpca_core.text.glossary import TERMS
from ui.text.badges_and_odds import LABELS
from ui.text.product import PRODUCT_NAME, PURPOSE, WORDS_TITLE


def test_a_term_has_one_name_and_one_sentence_and_every_standing_is_explained():
    assert len({term.name for term in TERMS.values()}) == len(TERMS)
    for term in TERMS.values():
        assert term.sentence.endswith("."), term
        assert ". " not in term.sentence, term
    assert "apart from δ" in TERMS["epsilon"].sentence
    assert "may fail" not in TERMS["delta"].sentence
    for standing in LABELS.keys() - {Standing.NONE, Standing.CORRECTED}:
        assert str(standing) in TERMS["standing"].name.lower()


def test_the_header_names_the_product_and_opens_the_glossary():
    def header():
        from ui.widgets.header import show_header

        show_header()

    page = AppTest.from_function(header).run()
    assert not page.exception
    text = "\n".join(block.value for block in page.markdown)
    assert f"**{PRODUCT_NAME}**" in text
    assert PURPOSE in text
    assert WORDS_TITLE in text
    as_written = text.replace("<sub>F</sub>", "_F").replace("<sup>ε</sup>", "^ε")
    assert all(f"**{term.name}**: {term.sentence}" in as_written for term in TERMS.values())
