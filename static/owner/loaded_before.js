/* The codebooks that were loaded in this tab: they outlive a reload, and die with the tab.
   ui/owner/kept_codebooks.py says what of them is kept: nothing that was read from the file. */

const KEY = "dpca.codebooks";
const MOST = 10;

export function loadedBefore() {
  let kept = read();
  const known = new Set(kept.map(({ key }) => key));

  /* Keep those that are new; returns them. The oldest go where the store is full. */
  function add(codebooks) {
    const added = codebooks.filter(({ key }) => !known.has(key));
    for (const { key } of added) known.add(key);
    if (added.length > 0) write([...kept, ...added].slice(-MOST));
    return added;
  }

  function write(codebooks) {
    kept = codebooks;
    try {
      sessionStorage.setItem(KEY, JSON.stringify(kept));
    } catch {
      /* Full, or forbidden: what was loaded is with the server all the same. */
      if (kept.length > 1) write(kept.slice(1));
    }
  }

  /* Whether one of them describes one of these columns. */
  function describes(names) {
    const there = new Set(names);
    return kept.some(({ columns }) => columns.some((name) => there.has(name)));
  }

  return { add, describes, all: () => kept, forget: () => write([]) };
}

function read() {
  try {
    const found = JSON.parse(sessionStorage.getItem(KEY)) ?? [];
    return found.filter(({ key, content, columns }) => key && content && Array.isArray(columns));
  } catch {
    return [];
  }
}
