/* Milliseconds without a touch before more is asked for: else that would come before the touch's answer. */
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
    if (view.dragging || performance.now() - view.touched < CALM) goOn(view);
    else view.send("more", { id, stage });
  }, wait);
}
