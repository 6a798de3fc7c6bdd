/* Present: keys, an address to follow at and a black screen; the page itself shows one chart at a time. */

import { partsOf, write } from "./dom.js";
import { stepOf } from "./rule.js";

const FIELDS = "input, textarea, select, [contenteditable=true], [role=combobox]";
const SHEETS = ["code", "keys", "black"];

const seen = (query) => [...document.querySelectorAll(query)].filter((node) => node.checkVisibility());

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

/* ε on the page's own rule, which answers at once; elsewhere by the server. */
function stepEpsilon(view, { key, shiftKey }) {
  const [slider] = seen('.dpca [role="slider"]');
  if (slider) slider.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey }));
  else view.say("step", { name: "epsilon", by: stepOf({ key, shiftKey }) });
}

/* What a key does, by its name in lower case. */
function actions(view) {
  const toggle = () => [show(view, !view.on), view.say("present", view.on)];
  const isDark = () => getComputedStyle(view.root).colorScheme === "dark";
  return {
    p: toggle,
    d: () => [colour(view, isDark() ? "light" : "dark"), view.say("theme", view.theme)],
    q: () => open(view, "code"),
    "?": () => open(view, "keys"),
    ".": () => open(view, "black"),
    b: () => open(view, "black"),
    f: () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()),
    Escape: () => (view.opened ? open(view, null) : toggle()),
    ArrowUp: () => view.say("step", { name: "k", by: 1 }),
    ArrowDown: () => view.say("step", { name: "k", by: -1 }),
    ArrowLeft: (event) => stepEpsilon(view, event),
    ArrowRight: (event) => stepEpsilon(view, event),
    PageDown: () => tellPage(1),
    PageUp: () => tellPage(-1),
    " ": () => view.say("step", { name: "seed", by: 1 }),
    ...Object.fromEntries(["1", "2", "3", "4", "5", "6", "7", "8", "9"].map((key, i) => [key, () => seen(".dpca-row")[i]?.click()])),
  };
}

function create(parent, skeleton) {
  parent.innerHTML = skeleton;
  const view = { root: parent.firstElementChild, parts: partsOf(parent), opened: null, on: false, told: {} };
  const known = actions(view);
  const leaving = new AbortController();
  const { signal } = leaving;
  /* One listener for the page, before all others: what Present answers to nobody else hears. */
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (!event.isTrusted || event.ctrlKey || event.metaKey || event.altKey || target.closest?.(FIELDS)) return;
    const name = key.length === 1 ? key.toLowerCase() : key;
    const theirs = (name === " " && target.closest?.("button, a")) || (view.data.own.includes(name) && !view.opened);
    if (!(name === "p" || (view.on && !theirs)) || !known[name]) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    known[name](event);
  }, { capture: true, signal });
  addEventListener("resize", () => view.on && tellPage(), { signal });
  parent.addEventListener("click", ({ target }) => {
    const pressed = target.closest("[data-leave], [data-open]");
    if (pressed?.dataset.open) open(view, pressed.dataset.open);
    else if (pressed) known.Escape();
  }, { signal });
  view.close = () => {
    leaving.abort();
    show(view, false);
    delete parent.room;
  };
  return view;
}

export default ({ parentElement: parent, data, setStateValue }, skeleton) => {
  const view = (parent.room ??= create(parent, skeleton));
  view.data = data;
  view.say = (name, value) => {
    view.told[name] = Date.now();
    setStateValue(name, { value, at: view.told[name] });
  };
  for (const [name, markup] of Object.entries(data.markup)) write(view.parts[name], markup);
  /* An answer that was on its way when somebody pressed D or P changes nothing. */
  const heard = (name, at) => at >= (view.told[name] ?? 0);
  if (data.theme && data.theme !== view.theme && heard("theme", data.heard_theme)) colour(view, data.theme);
  if (data.on !== view.on && heard("present", data.heard)) show(view, data.on);
  return view.close;
};
