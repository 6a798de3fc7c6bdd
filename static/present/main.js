import { lookOf } from "../charts/colours.js";
import { partsOf, writeAll } from "../charts/dom.js";
import { received } from "../charts/packed_content.js";
import { enlargement } from "../charts/presentation.js";
import { stylesheets } from "../page/stylesheets.js";
import { listen } from "./keys.js";
import { watchLesson } from "./lesson.js";
import { createScene, placeScene, takeScene } from "./scene.js";

await stylesheets("../charts/charts.css", "../present/present.css", "../present/explore.css", "../present/learn.css", "../present/pages.css", "../present/scene.css");

/* Milliseconds. */
const SOON = 100;
const MOUNTED = new WeakMap();

/* Figures are drawn anew: larger, smaller or in other colours. */
function redraw({ root, palette }) {
  root.classList.toggle("dpca-dark", lookOf(root, palette).dark);
  dispatchEvent(new Event("dpca-room"));
}

function show(view, on) {
  view.on = on;
  document.body.classList.toggle("dpca-present", on);
  document.body.style.setProperty("--room", enlargement());
  if (!on) view.open(null);
  redraw(view);
  placeScene(view.scene);
}

/* A room is dark or light as the system is, unless the address or somebody says so. */
function colour(view, theme) {
  view.theme = theme;
  for (const name of ["dark", "light"]) document.body.classList.toggle(`dpca-room-${name}`, name === theme);
}

function switchDark(view) {
  const { dark } = lookOf(view.root, view.palette);
  view.colouredAt = Date.now();
  colour(view, dark ? "light" : "dark");
  view.say("theme", view.theme);
  redraw(view);
}

/* Both are mounted at once: the lesson may come later. */
function findLesson(view) {
  const lesson = document.querySelector(".dpca-learn");
  if (view.signal.aborted) return;
  if (!lesson) setTimeout(() => findLesson(view), SOON);
  else if (lesson !== view.lesson) watchLesson(lesson, view.signal);
  view.lesson = lesson;
}

function create(parentElement, palette, skeleton) {
  parentElement.innerHTML = skeleton;
  const view = { root: parentElement.firstElementChild, palette, parts: partsOf(parentElement), opened: null, on: false, toldAt: 0, colouredAt: 0 };
  view.switchDark = () => switchDark(view);
  view.open = (name) => {
    view.opened = view.opened === name ? null : name;
    const { code, keys, black } = view.parts;
    for (const sheet of [code, keys, black]) sheet.hidden = sheet.dataset.part !== view.opened;
  };
  view.toggle = () => {
    view.toldAt = Date.now();
    show(view, !view.on);
    view.say("present", view.on);
  };
  view.leave = () => (view.opened ? view.open(null) : view.toggle());
  const leaving = new AbortController();
  view.signal = leaving.signal;
  view.scene = createScene(view.parts, (...said) => view.say(...said), leaving.signal);
  addEventListener("resize", () => show(view, view.on), { signal: leaving.signal });
  listen(view, leaving.signal);
  /* The system's theme may change while a room looks. */
  const theme = new MutationObserver(() => lookOf(view.root, palette).dark !== view.root.classList.contains("dpca-dark") && redraw(view));
  theme.observe(document.querySelector(".stApp") ?? document.body, { attributes: true });
  leaving.signal.addEventListener("abort", () => theme.disconnect());
  parentElement.addEventListener("click", ({ target }) => {
    if (target.closest("[data-leave]")) view.leave();
    else if (target.closest("[data-open]")) view.open(target.closest("[data-open]").dataset.open);
  }, { signal: leaving.signal });
  view.close = () => {
    leaving.abort();
    show(view, false);
    MOUNTED.delete(parentElement);
  };
  MOUNTED.set(parentElement, view);
  return view;
}

export default async (sent, palette, skeleton) => {
  const { parentElement, data, setStateValue } = await received(sent);
  if (!data) return undefined;
  const view = MOUNTED.get(parentElement) ?? create(parentElement, palette, skeleton);
  Object.assign(view, { data, say: (name, value) => setStateValue(name, { value, at: Date.now() }) });
  writeAll(view.parts, data.markup);
  /* An answer that was on its way when somebody pressed D or P changes nothing. */
  if (data.theme && data.heard_theme >= view.colouredAt && data.theme !== view.theme) {
    colour(view, data.theme);
    redraw(view);
  }
  if (data.heard >= view.toldAt && data.on !== view.on) show(view, data.on);
  takeScene(view.scene, data.scene, data.heard_step);
  if (data.page === "learn") findLesson(view);
  return view.close;
};
