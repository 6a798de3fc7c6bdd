/* What was typed and is not yet known to be merged. ui/owner/edits.py is the other end. Maps, not objects, hold
   names of columns, because a column may be called "__proto__". */

const WAIT = 250;

/* `send` gets {mount, seq, cells} with all edits that are not acknowledged, each time, and in
   which message each was sent first; `pending` hears whether there are any. */
export function editsOf(send, pending) {
  const [mount, dirty] = [String(Math.random()), new Map()];
  const keyOf = (name, field) => JSON.stringify([name, field]);
  let [seq, timer] = [0, 0];

  function flush() {
    clearTimeout(timer);
    timer = 0;
    const unsent = [...dirty.values()].filter((edit) => !edit.seq);
    if (!unsent.length) return;
    seq += 1;
    for (const edit of unsent) edit.seq = seq;
    const texts = (edits) => edits.map((edit) => [edit.field, edit.text, edit.seq]);
    const columns = Map.groupBy(dirty.values(), ({ name }) => name);
    send({ mount, seq, cells: [...columns].map(([name, edits]) => [name, texts(edits)]) });
  }

  function type(name, field, text) {
    dirty.set(keyOf(name, field), { name, field, text, seq: 0 });
    timer ||= setTimeout(flush, WAIT);
    pending(true);
  }

  /* An edit is done with once it is merged; a text that has changed since is a new entry that was not sent. */
  function acknowledge(merged) {
    const last = new Map(merged).get(mount) ?? 0;
    for (const [key, edit] of dirty) if (edit.seq && edit.seq <= last) dirty.delete(key);
    pending(dirty.size > 0);
  }

  const textOf = (name, field) => dirty.get(keyOf(name, field))?.text;
  return { type, flush, acknowledge, textOf, settled: () => dirty.size === 0 };
}
