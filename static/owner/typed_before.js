/* What was typed in this tab for a table with these columns: it outlives a reload, and dies with
   the tab. No cell that was filled from the file is in it. */

const ANSWER = "asked.";
const CELLS = ["low", "typical", "high", "values"];

const STORE = "dpca.columns.";

/* The store of one table, by the digest of its columns' names. */
export function typedBefore(digest) {
  const key = STORE + digest;
  let kept = read(key);
  const cells = () => [...kept].map(([name, fields]) => [name, [...fields]]);

  /* `seen` are the columns whose values were shown: what was typed there stays typed after it. */
  function add(typed, seen) {
    for (const [name, fields] of typed) {
      const known = kept.get(name) ?? new Map();
      for (const [field, text] of fields) if (!field.startsWith(ANSWER)) known.set(field, text);
      if (seen(name)) known.set("seen", "seen");
      if (known.size > 0) kept.set(name, known);
    }
    write();
  }

  /* That values were shown outlives a reload even where nothing was typed. */
  function note(names) {
    const added = names.filter((name) => !kept.get(name)?.has("seen"));
    for (const name of added) kept.set(name, (kept.get(name) ?? new Map()).set("seen", "seen"));
    if (added.length > 0) write();
  }

  /* What a codebook took the place of is typed no longer. */
  function drop(replaced) {
    for (const [name, field] of replaced) kept.get(name)?.delete(field);
    if (replaced.length > 0) write();
  }

  function write() {
    try {
      sessionStorage.setItem(key, JSON.stringify(cells()));
    } catch {
      /* Full, or forbidden: what was typed is with the server all the same. */
    }
  }

  const shown = () => [...kept].filter(([, fields]) => fields.has("seen")).map(([name]) => name);
  const typed = () => holdsTyped(kept);

  /* What was typed: not what was shown. */
  function forget() {
    kept = new Map(shown().map((name) => [name, new Map([["seen", "seen"]])]));
    write();
  }

  return { add, note, drop, forget, cells, shown, typed };
}

/* Whether anything was typed for any table. */
export function isTypedBefore() {
  try {
    return Object.keys(sessionStorage).some((key) => key.startsWith(STORE) && holdsTyped(read(key)));
  } catch {
    return false;
  }
}

function holdsTyped(kept) {
  return [...kept.values()].some((fields) => CELLS.some((cell) => fields.get(cell)));
}

function read(key) {
  try {
    const found = JSON.parse(sessionStorage.getItem(key)) ?? [];
    return new Map(found.map(([name, fields]) => [String(name), new Map(fields)]));
  } catch {
    return new Map();
  }
}
