/* What the browser's back button returns to: one entry for each change that somebody made. */

const BURST = 1000;
const UNCHANGED = { names: "", at: -BURST };
let last = UNCHANGED;

/* Whether a new address takes the place of the present one in the history. Streamlit adds an entry
   for a page without its settings and then one with them, and one for each step of a drag. */
export function replaces(from, to, now) {
  if (from.pathname !== to.pathname) {
    last = UNCHANGED;
    return false;
  }
  if (!from.search) return true;
  const names = changed(from.searchParams, to.searchParams);
  const again = names === last.names && now - last.at < BURST;
  last = { names, at: now };
  return again;
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
}

export default () => {
  if (history.pushState.name === pushChange.name) return;
  history.pushState = pushChange;
  addEventListener("popstate", () => (last = UNCHANGED));
};
