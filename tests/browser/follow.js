// Watches what Streamlit’s protocol says: whether a page waits for a run that it has asked for.
(() => {
  if (window.dpcaRuns) return;
  const [NEW_SESSION, SCRIPT_FINISHED, EARLY_FOR_RERUN, RERUN_SCRIPT] = [4, 6, 2, 11];
  const runs = window.dpcaRuns = { open: false, begun: false };
  const { send } = WebSocket.prototype, followed = new WeakSet();
  const fieldsOf = (message) => {
    const bytes = new Uint8Array(message), found = new Map();
    let at = 0;
    const number = () => {
      let [value, scale, byte] = [0, 1, 0];
      do {
        byte = bytes[at++];
        value += (byte & 127) * scale;
        scale *= 128;
      } while (byte > 127);
      return value;
    };
    while (at < bytes.length) {
      const [tag, start] = [number(), at];
      const said = [0, 2].includes(tag & 7) ? number() : 0;
      found.set(tag >> 3, said);
      at = { 0: at, 1: start + 8, 2: at + said, 5: start + 4 }[tag & 7];
    }
    return found;
  };
  const hear = ({ data }) => {
    const fields = fieldsOf(data);
    if (fields.has(NEW_SESSION)) Object.assign(runs, { open: true, begun: true });
    const ended = fields.has(SCRIPT_FINISHED) && fields.get(SCRIPT_FINISHED) !== EARLY_FOR_RERUN;
    if (runs.begun && ended) runs.open = false;
  };
  WebSocket.prototype.send = function follow(message) {
    if (!followed.has(this)) this.addEventListener("message", hear);
    followed.add(this);
    if (fieldsOf(message).has(RERUN_SCRIPT)) Object.assign(runs, { open: true, begun: false });
    return send.call(this, message);
  };
})();
