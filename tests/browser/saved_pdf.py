"""What stands on the sheets when somebody saves a page as PDF.

The window shows the screen until then: whoever emulates print media first gives the page time to
lay itself out that no reader gives it.
"""

import unicodedata

import numpy as np
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
COVERED, SPECK = 0.5, 4
"""Share of some characters above which they cannot be read where others lie over them; and square
points, below which it is only a full stop under the curve of an f."""


class SavedPdf:
    """A page as it is saved from the screen: the text of its sheets, and where it stands."""

    def __init__(self, page):
        page.evaluate(HEADINGS)
        document = pdfium.PdfDocument(page.pdf(prefer_css_page_size=True))
        self.headings: list[str] = page.evaluate("printed")
        self._sheets = [sheet.get_textpage() for sheet in document]
        self.text = plain("".join(sheet.get_text_bounded() for sheet in self._sheets))

    def without(self, texts):
        """Return which texts stand on no sheet."""
        return [text for text in texts if plain(text) not in self.text]

    def overprinted(self):
        """Return characters that lie over each other."""
        found = []
        for sheet in self._sheets:
            boxes = np.array([sheet.get_rect(i) for i in range(sheet.count_rects())]).reshape(-1, 4)
            lower = np.maximum(boxes[:, None, :2], boxes[:, :2])
            upper = np.minimum(boxes[:, None, 2:], boxes[:, 2:])
            shared = np.prod(np.maximum(upper - lower, 0), axis=-1)
            area = shared.diagonal()
            smaller = np.minimum(area[:, None], area)
            over = np.triu(shared > np.maximum(COVERED * smaller, SPECK), k=1)
            found += [
                tuple(sheet.get_text_bounded(*boxes[i]) for i in pair) for pair in np.argwhere(over)
            ]
        return found


def plain(text):
    """Leave out spaces and ligatures, which are no characters of a PDF's text."""
    return "".join(unicodedata.normalize("NFKC", text).split())


def sheets(page):
    """Return how many sheets the browser prints."""
    return len(pdfium.PdfDocument(page.pdf(prefer_css_page_size=True)))
