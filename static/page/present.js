/* Present: keys, an address to follow at and a black screen; the page itself shows one chart at a time. */

import { partsOf, write } from "./dom.js";

const FIELDS = ["input", "textarea", "select", "[contenteditable=true]", "[role=combobox]"].join();
const SLIDER = '.dpca [role="slider"]';
const ROWS = ".dpca-row";
const STRIDE = 3;
const SHEETS = ["code", "keys", "black"];
const MOUNTED = new WeakMap();

const seen = (node) => node.checkVisibility();

/* Tells the page that it is presented, no longer is, or shows its next chart. */
const tellPage = (step = 0) => dispatchEvent(new CustomEvent("dpca-room", { detail: { step } }));

function show(view, on) {
  view.on = on;
  document.body.classList.toggle("dpca-present", on);
  if (!on) open(view, null);
  tellPage();
}

/* A room is dark or light as the system is, unless the address or somebody says so. */
function colour(view, theme) {
  view.theme = theme;
  for (const name of ["dark", "light"]) document.body.classList.toggle(`dpca-room-${name}`, name === theme);
  tellPage();
}

function open(view, name) {
  view.opened = view.opened === name ? null : name;
  for (const sheet of SHEETS) view.parts[sheet].hidden = sheet !== view.opened;
}

function toggle(view) {
  view.toldAt = Date.now();
  show(view, !view.on);
  view.say("present", view.on);
}

function switchDark(view) {
  view.colouredAt = Date.now();
  colour(view, getComputedStyle(view.root).colorScheme === "dark" ? "light" : "dark");
  view.say("theme", view.theme);
}

/* ε on the page's own rule, which answers at once; elsewhere by the server. */
function stepEpsilon(view, by) {
  const slider = [...document.querySelectorAll(SLIDER)].find(seen);
  if (!slider) return view.say("step", { name: "epsilon", by });
  const key = by > 0 ? "ArrowRight" : "ArrowLeft";
  for (let i = 0; i < Math.abs(by); i += 1) slider.dispatchEvent(new KeyboardEvent("keydown", { key }));
  return undefined;
}

/* What a key does, by its name in lower case. */
function actions(view) {
  const stride = ({ shiftKey }) => (shiftKey ? STRIDE : 1);
  return {
    d: () => switchDark(view),
    q: () => open(view, "code"),
    "?": () => open(view, "keys"),
    ".": () => open(view, "black"),
    b: () => open(view, "black"),
    f: () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()),
    Escape: () => (view.opened ? open(view, null) : toggle(view)),
    ArrowUp: () => view.say("step", { name: "k", by: 1 }),
    ArrowDown: () => view.say("step", { name: "k", by: -1 }),
    ArrowLeft: (event) => stepEpsilon(view, -stride(event)),
    ArrowRight: (event) => stepEpsilon(view, stride(event)),
    PageDown: () => tellPage(1),
    PageUp: () => tellPage(-1),
    " ": () => view.say("step", { name: "seed", by: 1 }),
  };
}

/* One listener for the page, before all others: what Present answers to nobody else hears. */
function listen(view, signal) {
  const known = actions(view);
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (!event.isTrusted || event.ctrlKey || event.metaKey || event.altKey || target.closest?.(FIELDS)) return;
    const name = key.length === 1 ? key.toLowerCase() : key;
    let act = name === "p" ? () => toggle(view) : null;
    const theirs = (name === " " && target.closest?.("button, a")) || (view.data.own.includes(name) && !view.opened);
    if (view.on && !theirs) {
      act ??= known[name];
      if (/^[1-9]$/.test(name)) act = () => [...document.querySelectorAll(ROWS)].filter(seen)[name - 1]?.click();
    }
    if (!act) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    act(event);
  }, { capture: true, signal });
}

function create(parent, skeleton) {
  parent.innerHTML = skeleton;
  const view = { root: parent.firstElementChild, parts: partsOf(parent), opened: null, on: false, toldAt: 0, colouredAt: 0 };
  const leaving = new AbortController();
  const { signal } = leaving;
  listen(view, signal);
  addEventListener("resize", () => view.on && tellPage(), { signal });
  parent.addEventListener("click", ({ target }) => {
    if (target.closest("[data-leave]")) actions(view).Escape();
    else if (target.closest("[data-open]")) open(view, target.closest("[data-open]").dataset.open);
  }, { signal });
  view.close = () => {
    leaving.abort();
    show(view, false);
    MOUNTED.delete(parent);
  };
  MOUNTED.set(parent, view);
  return view;
}

export default ({ parentElement: parent, data, setStateValue }, skeleton) => {
  const view = MOUNTED.get(parent) ?? create(parent, skeleton);
  Object.assign(view, { data, say: (name, value) => setStateValue(name, { value, at: Date.now() }) });
  for (const [name, markup] of Object.entries(data.markup)) write(view.parts[name], markup);
  /* An answer that was on its way when somebody pressed D or P changes nothing. */
  if (data.theme && data.heard_theme >= view.colouredAt && data.theme !== view.theme) colour(view, data.theme);
  if (data.heard >= view.toldAt && data.on !== view.on) show(view, data.on);
  return view.close;
};
