/* How long nobody must have touched anything before more is asked for. */
export const CALM = 250;

/* Asks the server to go on in a while; a question now would come between a touch and its answer. */
export function askLater(view, ask, wait) {
  stopAsking(view);
  view.ask = ask;
  view.later = setTimeout(() => {
    view.ask = null;
    ask();
  }, Math.max(wait, (view.touched ?? -CALM) + CALM - performance.now()));
}

export function stopAsking(view) {
  clearTimeout(view.later);
  view.ask = null;
}

/* How far measuring is, and the question for more once nobody has touched anything for a moment, unless stopped. */
export function goOn(view, wait = CALM) {
  const { root, parts, data: { id, stage, complete = true, share = 1 } } = view;
  stopAsking(view);
  if (!parts.work) return;
  parts.work.classList.toggle("dpca-idle", complete);
  parts.bar.value = share;
  for (const node of [parts.stop, parts.work]) node.toggleAttribute("data-on", Boolean(view.stopped));
  root.dataset.complete = complete;
  if (!complete && !view.stopped) askLater(view, () => view.dragging || view.send("more", { id, stage }), wait);
}
