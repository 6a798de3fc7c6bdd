/* What was typed and is not yet known to be merged. ui/owner/edits.py is the other end. Maps, not objects, hold
   names of columns, because a column may be called "__proto__". */

const WAIT = 250;

/* `send` gets {mount, seq, cells} with all edits that are not acknowledged, each time, and in
   which message each was sent first; `pending` hears whether there are any. */
export function editsOf(send, pending) {
  const mount = String(Math.random());
  const dirty = new Map();
  const keyOf = (name, field) => JSON.stringify([name, field]);
  let [seq, timer] = [0, 0];

  function flush() {
    clearTimeout(timer);
    timer = 0;
    const unsent = [...dirty.values()].filter((entry) => !entry.seq);
    if (!unsent.length) return;
    seq += 1;
    for (const entry of unsent) entry.seq = seq;
    const columns = [...Map.groupBy(dirty.values(), ({ name }) => name)];
    const texts = (entries) => entries.map((entry) => [entry.field, entry.text, entry.seq]);
    send({ mount, seq, cells: columns.map(([name, entries]) => [name, texts(entries)]) });
  }

  function type(name, field, text) {
    dirty.set(keyOf(name, field), { name, field, text, seq: 0 });
    timer ||= setTimeout(flush, WAIT);
    pending(true);
  }

  /* An edit is done with once it is merged; a text that has changed since is a new entry that was not sent. */
  function acknowledge(merged) {
    const last = new Map(merged).get(mount) ?? 0;
    for (const [key, entry] of dirty) if (entry.seq && entry.seq <= last) dirty.delete(key);
    pending(dirty.size > 0);
  }

  const textOf = (name, field) => dirty.get(keyOf(name, field))?.text;
  return { type, flush, acknowledge, textOf, settled: () => dirty.size === 0 };
}
