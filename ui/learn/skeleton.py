"""The skeleton of the Learn page, which the browser fills."""

from html import escape

from ui.figures.markup import progress_row
from ui.learn import text
from ui.learn.lesson import LETTERS
from ui.page.markup import button, element

_PAGE = """\
<div class="dpca-contents" data-part="contents" hidden>
<h1>{title}</h1><p class="dpca-lead">{lead}</p>
<h2>{hour_title}</h2><ol class="dpca-lessons" data-part="hour"></ol>
<h2>{further_title}</h2><ol class="dpca-lessons" data-part="further"></ol>
{print_it}
</div>
<article class="dpca-lesson" data-part="lesson" hidden>
<div class="dpca-steps" data-part="steps"></div>
<h1 class="dpca-question" tabindex="-1" data-part="question"></h1>
<div class="dpca-choices" role="radiogroup" aria-label="{choices_label}" data-part="choices">\
{choices}</div>
<div class="dpca-pictures" data-part="pictures"></div>
<div class="dpca-control" data-part="control">
<div class="dpca-ends"><span data-part="low"></span><span data-part="high"></span></div>
<div class="dpca-track" data-part="track"><div class="dpca-ticks" data-part="ticks"></div>
<div class="dpca-handle" role="slider" tabindex="0" data-part="handle"></div></div></div>
<div class="dpca-told" data-part="told">
<div class="dpca-ask" data-part="ask">{show}<span>{show_key}</span></div>
<div aria-live="polite"><span class="dpca-said" data-part="said"></span>
<p class="dpca-tell" data-part="answer"></p></div>
<p class="dpca-why" data-part="explanation"></p></div>
<footer><div class="dpca-around" data-part="around"></div>
<span class="dpca-keys" data-part="keys"></span>
<div class="dpca-more">{again}{notes}<span data-part="open"></span>{link}</div></footer>
<aside class="dpca-notes" id="dpca-learn-notes" data-part="notes" hidden></aside>
<aside class="dpca-address" id="dpca-learn-link" data-part="link" hidden></aside>
</article>
<div data-part="handout" hidden></div>
<div class="dpca-progress-row">{progress}</div>
"""


def skeleton() -> str:
    """Return the page's markup."""
    return _PAGE.format(
        title=text.LEARN_TITLE,
        lead=escape(text.LEAD),
        hour_title=text.HOUR,
        further_title=text.FURTHER,
        print_it=button(text.HANDOUT, class_="dpca-go", data_say="handout", data_value="1"),
        choices_label=text.CHOICES,
        choices="".join(_choice(i) for i in range(len(LETTERS))),
        show=button(text.SHOW, data_part="show"),
        show_key=text.SHOW_KEY,
        again=button(text.AGAIN, class_="dpca-go", data_part="again"),
        notes=_opener(text.NOTES, "notes"),
        link=_opener(text.SHARE, "link"),
        progress=progress_row(),
    )


def _choice(index: int) -> str:
    return element(
        "button",
        element("b", LETTERS[index]),
        element("span", element("span", class_="dpca-words"), element("small")),
        element("i"),
        type="button",
        role="radio",
        aria_checked="false",
        class_="dpca-choice",
        data_choice=str(index),
    )


def _opener(words: str, part: str) -> str:
    common = {"aria_expanded": "false", "aria_controls": f"dpca-learn-{part}"}
    return button(words, class_="dpca-go", data_part=f"{part}_opener", **common)
