/* What was typed and is not yet known to be merged. ui/owner/edits.py is the other end; maps, not
   objects, hold names of columns, because a column may be called "__proto__". */

const WAIT = 250;

/* `send` gets {mount, seq, cells} with all edits that are not acknowledged, each time, and in
   which message each was sent first; `pending` hears whether there are any. */
export function editsOf(send, pending) {
  const mount = String(Math.random());
  const dirty = new Map();
  let [seq, timer] = [0, 0];

  function flush() {
    clearTimeout(timer);
    timer = 0;
    const unsent = [...dirty.values()].flatMap((fields) => [...fields.values()]).filter((entry) => !entry.seq);
    if (!unsent.length) return;
    seq += 1;
    for (const entry of unsent) entry.seq = seq;
    const texts = (fields) => [...fields].map(([field, entry]) => [field, entry.text, entry.seq]);
    send({ mount, seq, cells: [...dirty].map(([name, fields]) => [name, texts(fields)]) });
  }

  function type(name, field, text) {
    if (!dirty.has(name)) dirty.set(name, new Map());
    dirty.get(name).set(field, { text, seq: 0 });
    timer ||= setTimeout(flush, WAIT);
    pending(true);
  }

  /* An edit is done with once it is merged and its text has not changed since: a new text is a new
     entry that was not sent. */
  function acknowledge(merged) {
    const last = new Map(merged).get(mount) ?? 0;
    for (const [name, fields] of dirty) {
      for (const [field, entry] of fields) if (entry.seq && entry.seq <= last) fields.delete(field);
      if (fields.size === 0) dirty.delete(name);
    }
    pending(dirty.size > 0);
  }

  const textOf = (name, field) => dirty.get(name)?.get(field)?.text;
  return { type, flush, acknowledge, textOf, settled: () => dirty.size === 0 };
}
