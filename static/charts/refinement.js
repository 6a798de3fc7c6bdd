/* How long nobody must have touched anything before more is asked for: a question would come between a touch and its answer. */
export const CALM = 250;

/* Shows how far measuring is, and asks the server to go on in a while, unless stopped. */
export function goOn(view, wait = CALM) {
  const { root, parts: { work, bar, stop }, data: { id, stage, complete = true, share = 1 } } = view;
  work.classList.toggle("dpca-idle", complete);
  bar.value = share;
  for (const node of [stop, work]) node.toggleAttribute("data-on", Boolean(view.stopped));
  root.dataset.complete = complete;
  clearTimeout(view.later);
  if (complete || view.stopped) return;
  view.later = setTimeout(() => {
    const calm = !view.dragging && !(performance.now() - view.touched < CALM);
    if (calm) view.send("more", { id, stage });
    else goOn(view);
  }, wait);
}
