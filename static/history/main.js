/* What the browser's back button returns to: one entry for each change that somebody made, and the
   top of each step. */

import { watchSemantics } from "./semantics.js";

const BURST = 1000;
const STEP = "step";
const FIGURE = "figure";
const CARD = ".st-key-papers-card";
const MOVED = ["compare", "results", "summary"];
const SCROLLED = '[data-testid="stMain"]';
let last = {};
let shown = {};

/* Whether a new address takes the place of the present one in the history. Streamlit adds an entry
   for a page without its settings and then one with them, and one for each step of a drag. On a page
   of several steps each step is one entry: what is typed in it stays whichever way one goes. */
export function replaces(from, to, now) {
  const same = from.pathname === to.pathname;
  if (MOVED.some((name) => from.pathname.endsWith(`/${name}`))) return true;
  const [step, next] = [from, to].map(({ searchParams }) => searchParams.get(STEP));
  if (same && !from.search) return true;
  const names = changed(from.searchParams, to.searchParams);
  const again = !names || (names === last.names && now - last.at < BURST);
  const alone = !same || (step && next);
  last = alone ? {} : { names, at: now };
  return alone ? same && step === next : again;
}

function changed(before, after) {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name)).sort().join();
}

function pushChange(state, unused, url) {
  const from = new URL(location.href);
  const to = new URL(url, from);
  const change = replaces(from, to, performance.now()) ? "replaceState" : "pushState";
  History.prototype[change].call(history, state, unused, url);
  arrive();
}

/* A step opens at its top, however far down the one before was left; a card of Papers, which stands
   below the wall that it is chosen on, is scrolled to and has the keyboard. */
function arrive() {
  const asked = new URL(location.href).searchParams;
  const now = { [STEP]: asked.get(STEP), [FIGURE]: asked.get(FIGURE) };
  const isNew = (name) => now[name] && shown[name] && now[name] !== shown[name];
  if (isNew(STEP)) document.querySelector(SCROLLED)?.scrollTo(0, 0);
  if (isNew(FIGURE)) enter(document.querySelector(CARD));
  shown = now;
}

function enter(card) {
  if (!card) return;
  card.tabIndex = -1;
  card.focus({ preventScroll: true });
  card.scrollIntoView();
}

export default () => {
  if (history.pushState.name === pushChange.name) return;
  history.pushState = pushChange;
  watchSemantics();
  addEventListener("popstate", () => {
    last = {};
    arrive();
  });
  arrive();
};
