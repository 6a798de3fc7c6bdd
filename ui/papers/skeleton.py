"""The skeleton of the Papers page, which the browser fills."""

from ui.figures.markup import element, progress_row
from ui.papers import text

_PAGE = """\
<h1 class="dpca-answer" data-part="answer"></h1>
<div class="dpca-filters" data-part="filters"></div>
<div class="dpca-wall" role="region" aria-label="{wall}" data-part="wall"></div>
<article class="dpca-card" tabindex="-1" data-part="card">
<header class="dpca-cardhead" data-part="head"></header>
<div class="dpca-asked"><h2 class="dpca-question" data-part="question"></h2>\
<div data-part="predict"></div></div>
<div class="dpca-cardgrid"><div class="dpca-main"><div class="dpca-panels" data-part="grid"></div>
{progress}
<div class="dpca-notes" data-part="notes"></div></div>
<div class="dpca-side" aria-live="polite" data-part="words"></div></div>
<div class="dpca-settings" data-part="chips"></div>
<p class="dpca-trouble" role="status" data-part="trouble"></p>
<footer class="dpca-actions" data-part="actions"></footer>
</article>
{theorems}
"""


def skeleton() -> str:
    """Return the page's markup."""
    theorems = element("section", class_="dpca-theorems", data_part="theorems")
    return _PAGE.format(wall=text.WALL_LABEL, progress=progress_row(), theorems=theorems)
