/* Present: keys, an address to follow at and a black screen; the page itself shows one chart at a time. */

import { partsOf, write } from "./dom.js";
import { stepOf } from "./rule.js";

const FIELDS = "input, textarea, select, [contenteditable=true], [role=combobox]";

const opened = () => document.querySelector(".dpca-sheet:popover-open");

/* Tells the page that it is presented, no longer is, or shows its next chart. */
const tellPage = (step = 0) => dispatchEvent(new CustomEvent("dpca-room", { detail: step }));

function show(view, on) {
  view.on = on;
  document.body.classList.toggle("dpca-present", on);
  if (!on) opened()?.hidePopover();
  tellPage();
}

/* A room is dark or light as the system is, unless the address or somebody says so. */
function colour(view, theme) {
  view.theme = theme;
  for (const name of ["dark", "light"]) document.body.classList.toggle(`dpca-room-${name}`, name === theme);
  tellPage();
}

/* What a key does, by its name in lower case. */
function actions(view) {
  const toggle = () => [show(view, !view.on), view.say("present", view.on)];
  const isDark = () => getComputedStyle(view.root).colorScheme === "dark";
  const sheet = (name) => () => view.parts[name].togglePopover();
  const row = (i) => () => document.querySelectorAll(".dpca-row")[i]?.click();
  const step = (name, by) => () => view.say("step", { name, by });
  /* On the page's own rule, which answers at once; elsewhere by the server. */
  const epsilon = ({ key, shiftKey }) => {
    const slider = document.querySelector('.dpca-ruled [role="slider"]');
    if (slider) slider.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey }));
    else step("epsilon", stepOf({ key, shiftKey }))();
  };
  return {
    p: toggle,
    d: () => [colour(view, isDark() ? "light" : "dark"), view.say("theme", view.theme)],
    q: sheet("code"),
    "?": sheet("keys"),
    ".": sheet("black"),
    b: sheet("black"),
    f: () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()),
    Escape: () => (opened() ? opened().hidePopover() : toggle()),
    ArrowUp: step("k", 1),
    ArrowDown: step("k", -1),
    ArrowLeft: epsilon,
    ArrowRight: epsilon,
    PageDown: () => tellPage(1),
    PageUp: () => tellPage(-1),
    " ": step("seed", 1),
    ...Object.fromEntries(Array.from("123456789", (key, i) => [key, row(i)])),
  };
}

function create(parent, skeleton) {
  parent.innerHTML = skeleton;
  const view = { root: parent.firstElementChild, parts: partsOf(parent), on: false, told: {} };
  const known = actions(view);
  const leaving = new AbortController();
  const { signal } = leaving;
  /* One listener for the page, before all others: what Present answers to nobody else hears. */
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (!event.isTrusted || event.ctrlKey || event.metaKey || event.altKey || target.closest?.(FIELDS)) return;
    const name = key.length === 1 ? key.toLowerCase() : key;
    const theirs = (name === " " && target.closest?.("button, a")) || (view.data.own.includes(name) && !opened());
    if (!(name === "p" || (view.on && !theirs)) || !known[name]) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    known[name](event);
  }, { capture: true, signal });
  addEventListener("resize", () => view.on && tellPage(), { signal });
  parent.addEventListener("click", ({ target }) => target.closest("[data-leave]") && known.Escape(), { signal });
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
