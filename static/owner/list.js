/* Which rows stand in the table: of a tab, by a filter, and as many as have been scrolled to. */

const ALL_AT_ONCE = 200;
const STEP = 100;

/* `make` returns the row of a name, with what the server said last of it. */
export function listOf(body, end, make) {
  let names = [];
  let limit = ALL_AT_ONCE;

  function show(found = names) {
    names = found;
    const rows = names.slice(0, limit).map((name) => make(name).node);
    const wanted = new Set(rows);
    for (const node of body.querySelectorAll(":scope > *")) if (!wanted.has(node)) node.remove();
    /* A row that is already there is not moved: it may be where somebody types. */
    for (const [i, node] of rows.entries()) {
      if (body.children[i] !== node) body.insertBefore(node, body.children[i] ?? null);
    }
    more.unobserve(end);
    if (limit < names.length) more.observe(end);
  }

  function reach(name) {
    const place = names.indexOf(name);
    if (place >= limit) {
      limit = place + STEP;
      show();
    }
    return place >= 0;
  }

  const more = new IntersectionObserver(([{ isIntersecting }]) => {
    if (!isIntersecting) return;
    limit += STEP;
    show();
  }, { scrollMargin: "800px" });
  return { show, reach, names: () => names, close: () => more.disconnect() };
}
