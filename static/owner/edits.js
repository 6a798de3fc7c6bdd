/* What was typed and is not yet known to be merged. ui/owner/edits.py is the other end. Maps, not objects, hold
   names of columns, because a column may be called "__proto__". */

const WAIT = 250;

/* `send` gets {mount, seq, cells} with all edits that are not acknowledged, each time, and in
   which message each was sent first; `pending` hears whether there are any. */
export function editsOf(send, pending) {
  const [mount, dirty] = [String(Math.random()), new Map()];
  const keyOf = (name, field) => JSON.stringify([name, field]);
  /* The number of the message that is sent next; a timer runs while there is something for it. */
  let [next, timer] = [1, 0];

  function flush() {
    if (!timer) return;
    clearTimeout(timer);
    timer = 0;
    const cells = [...dirty.values()].map(({ name, field, text, seq }) => [name, field, text, seq]);
    send({ mount, seq: next, cells });
    next += 1;
  }

  function type(name, field, text) {
    dirty.set(keyOf(name, field), { name, field, text, seq: next });
    timer ||= setTimeout(flush, WAIT);
    pending(true);
  }

  /* An edit is done with once it is merged; a text that has changed since is a new entry that was not sent. */
  function acknowledge(merged) {
    const last = new Map(merged).get(mount) ?? 0;
    for (const [key, { seq }] of dirty) if (seq <= last) dirty.delete(key);
    pending(dirty.size > 0);
  }

  const textOf = (name, field) => dirty.get(keyOf(name, field))?.text;
  return { type, flush, acknowledge, textOf, settled: () => dirty.size === 0 };
}
