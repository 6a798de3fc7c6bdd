"""The table of columns in a real browser, with a server in the page that answers as Streamlit does.

A run merges the last state that was sent, takes its time, and then shows the draft as it was when
the run began; what is sent meanwhile waits for the next run, and only the last of it counts. All
times are of the page's own clock, which a test moves.
"""

import json
from contextlib import contextmanager
from dataclasses import replace

from ui.owner.columns_table import skeleton, table_content
from ui.owner.draft import EVERY_ROW, Draft, Who

_SERVER = """async ([url, skeleton, written, seconds]) => {
  const content = JSON.parse(written);
  const { default: draw } = await import(url);
  const parent = document.body.appendChild(document.createElement("div"));
  const server = { content, messages: [], triggers: [], state: null, running: false, seconds };
  const packed = async (value) => {
    const stream = new Blob([JSON.stringify(value)]).stream();
    const deflated = stream.pipeThrough(new CompressionStream("deflate"));
    return new Uint8Array(await new Response(deflated).arrayBuffer());
  };
  const show = async (picture) => {
    const data = await packed(picture);
    const sent = { parentElement: parent, data, setStateValue, setTriggerValue };
    if (server.closed) return;
    const drawn = new Promise((done) => {
      const watch = { subtree: true, attributes: true, attributeFilter: ["data-ready"] };
      new MutationObserver(done).observe(parent, watch);
      server.leave = () => done(server.close());
    });
    server.close = draw(sent, skeleton);
    await drawn;
  };
  const rowOf = (name) => server.content.rows.find((row) => row.name === name);
  const merge = ({ mount, seq, cells }) => {
    const merged = new Map(server.content.merged);
    if (seq <= (merged.get(mount) ?? 0)) return;
    server.content.merged = [...merged.set(mount, seq)];
    for (const [name, fields] of cells) {
      for (const [field, text] of fields) rowOf(name)[field] = text;
    }
  };
  const run = async () => {
    if (server.running) return;
    server.running = true;
    while (server.state) {
      merge(server.state);
      server.state = null;
      const picture = structuredClone(server.content);
      await new Promise((done) => setTimeout(done, server.seconds * 1000));
      await show(picture);
    }
    server.running = false;
  };
  const setStateValue = (name, value) => {
    server.messages.push(value);
    server.state = value;
    run();
  };
  const setTriggerValue = (name, value) => server.triggers.push([name, value]);
  window.server = server;
  server.show = (changes) => {
    for (const [name, fields] of changes) Object.assign(rowOf(name), fields);
    return show(structuredClone(server.content));
  };
  await show(structuredClone(content));
}"""
_TEXTS = """(field) => server.content.rows.map((row) => row[field])"""
_IDLE = "!server.running && !server.state && !document.querySelector('[data-pending=true]')"
_MOST_STEPS, STEP = 600, 50
"""Of the page's clock until the server has to be at rest; milliseconds of each."""


class OwnerTable:
    def __init__(self, page):
        self.page = page

    def cell(self, name, field):
        return self.page.get_by_label(f"{field}, {name}", exact=True)

    def known(self, field):
        """Return what the server has in a field of all columns, once it is at rest."""
        for _ in range(_MOST_STEPS):
            if self.page.evaluate(_IDLE):
                return self.page.evaluate(_TEXTS, field)
            self.page.clock.run_for(STEP)
        raise AssertionError("the server does not come to rest")

    def shown(self, field):
        cells = self.page.locator(f"input[data-field={field}]")
        return cells.evaluate_all("cells => cells.map(cell => cell.value)")

    def focused(self):
        return self.page.evaluate("document.activeElement.getAttribute('aria-label') ?? ''")

    def answers(self, **columns):
        """Let the server show a draft in which these fields of columns are others."""
        self.page.evaluate("(changes) => server.show(changes)", [*map(list, columns.items())])


def draft_of(names, **columns):
    """Draft of a table of numbers, each row of which is a person's."""
    draft = replace(Draft().for_header(names), who=Who(answer=EVERY_ROW))
    return draft.merge({name: {"use": "number"} for name in names}).merge(columns)


@contextmanager
def mounted(page, draft, seconds=0.0):
    """Mount the table of a draft in a page of ``static/``; the server's runs take some time."""
    # As one text: of ten thousand columns Playwright would take seconds to send the parts.
    sent = json.dumps(table_content(draft, (), {}))
    page.evaluate(_SERVER, ["/owner/main.js", skeleton(), sent, seconds])
    try:
        yield OwnerTable(page)
    finally:
        page.evaluate("{ server.closed = true; server.close(); }")
