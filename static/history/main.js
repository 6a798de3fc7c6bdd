/* What the browser's back button returns to: one entry for each change that somebody made, and the top of each
   step; and what Streamlit's markup leaves out for whoever listens or has no mouse. */

const BURST = 1000;
const MOVED = /\/(compare|results|summary)$/;
const MENU = '[data-testid="stSidebarNavItems"]:has(> div)';
/* The last change of settings with the address that it led to, and what is shown. */
let [last, shown] = [{}, {}];

/* Whether a new address takes the place of the present one in the history. Streamlit adds an entry
   for a page without its settings and then one with them, one without them for a page that a button
   of ours leaves, and one for each step of a drag. On a page of several steps each step is one entry:
   what is typed in it stays whichever way one goes. */
export function replaces(from, to, now) {
  const isSame = from.pathname === to.pathname;
  if (MOVED.test(from.pathname) || (isSame && !from.search)) return true;
  const [before, after] = [from, to].map(({ search }) => Object.fromEntries(new URLSearchParams(search)));
  const names = Object.keys({ ...before, ...after }).filter((name) => before[name] !== after[name]).sort().join();
  const isSoon = last.to === from.href && now - last.at < BURST;
  const isAgain = isSoon && names === last.names;
  last = isSame && !after.step ? { names, to: to.href, at: now } : {};
  if (!isSame) return isSoon && !from.search;
  if (before.step && after.step) return before.step === after.step;
  return !names || isAgain;
}

function pushChange(state, unused, url) {
  const change = replaces(location, new URL(url, location), performance.now()) ? "replaceState" : "pushState";
  History.prototype[change].call(history, state, unused, url);
  arrive();
}

/* A page, a step and a lesson open at their top, however far down the one before was left; a card of Papers,
   which stands below the wall that it is chosen on, is scrolled to and has the keyboard. */
function arrive() {
  const now = { ...Object.fromEntries(new URLSearchParams(location.search)), page: location.pathname };
  const isNew = (name) => now[name] && shown[name] && now[name] !== shown[name];
  if (isNew("page")) document.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click();
  if (["page", "step", "lesson"].some(isNew)) document.querySelector('[data-testid="stMain"]')?.scrollTo(0, 0);
  const card = isNew("figure") ? document.querySelector(".st-key-papers-card") : null;
  shown = now;
  card?.setAttribute("tabindex", -1);
  card?.focus({ preventScroll: true });
  card?.scrollIntoView();
}

/* On narrow windows a menu of groups is a list whose items lie in its groups, which is none: the links alone
   are told. And a formula that scrolls is reached by the Tab key. Pages with a rule have neither in what
   they draw, which changes with every move. */
function complete() {
  for (const node of document.querySelectorAll(`${MENU}, ${MENU} li`)) node.setAttribute("role", "none");
  for (const node of document.querySelectorAll(".katex-display:not([tabindex])")) node.tabIndex = 0;
}

export default () => {
  if (history.pushState.name === pushChange.name) return;
  history.pushState = pushChange;
  const changed = (changes) => changes.some(({ target }) => !target.closest(".dpca")) && complete();
  new MutationObserver(changed).observe(document.body, { childList: true, subtree: true });
  addEventListener("popstate", arrive);
  arrive();
  complete();
};
