"""What stands on the sheets when somebody saves a page as PDF.

The window shows the screen until then: whoever emulates print media first gives the page time to
lay itself out that no reader gives it.
"""

import unicodedata

import pypdfium2 as pdfium

# What a reader would miss: headings, and what the axes of charts say. Read while the browser
# prints, which nothing interrupts: numbers in headings change as long as a page measures.
HEADINGS = """() => matchMedia('print').addEventListener('change', () => {
  window.printed = [...document.querySelectorAll(
      '.dpca:not(.dpca-room) :is(h2, h3, .xtitle, .ytitle)')]
    .filter(node => node.checkVisibility() && node.getBoundingClientRect().height)
    .map(node => node.textContent);
}, {once: true})"""
ADDRESS = "Address of this screen"
"""What each component ends with on paper."""


class SavedPdf:
    """A page as it is saved from the screen: the text of its sheets."""

    def __init__(self, page):
        page.evaluate(HEADINGS)
        document = pdfium.PdfDocument(page.pdf(prefer_css_page_size=True))
        self.headings: list[str] = page.evaluate("printed")
        self.text = plain("".join(one.get_textpage().get_text_bounded() for one in document))

    def without(self, texts):
        """Return which texts stand on no sheet."""
        return [text for text in texts if plain(text) not in self.text]


def plain(text):
    """Leave out spaces and ligatures, which are no characters of a PDF's text."""
    return "".join(unicodedata.normalize("NFKC", text).split())


def sheets(page):
    """Return how many sheets the browser prints."""
    return len(pdfium.PdfDocument(page.pdf(prefer_css_page_size=True)))
