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
