import { fill, write, writeAll } from "../charts/dom.js";
import { pageOf, painted } from "../charts/page.js";
import { ahead, bindRule } from "../charts/rule.js";
import { stylesheets } from "../page/stylesheets.js";
import { listenToKeys } from "./keys.js";
import { drawPictures, keepRoom } from "./pictures.js";
import { watchLesson } from "./room.js";

await stylesheets("../charts/charts.css", "../learn/learn.css", "../learn/handout.css", "../learn/present.css");

/* Pixels of a letter of the axis, and between two of its words. */
const [LETTER, GAP] = [8, 22];

function drawChoices(view) {
  const { data, parts: { choices } } = view;
  const chosen = view.chosen[data.lesson];
  [...choices.children].forEach((node, i) => {
    const [, text, badge] = node.children;
    const marks = view.told ? data.badges.filter((_, which) => (which ? i === data.right : i === chosen)) : [];
    write(text.children[0], data.choices[i]);
    write(text.children[1], view.told ? data.reasons[i] : "");
    write(badge, marks.join(" · "));
    fill(node, { "aria-checked": i === chosen, "aria-disabled": view.told, tabindex: i === (chosen ?? 0) ? 0 : -1 });
    node.classList.toggle("dpca-right", view.told && i === data.right);
    node.classList.toggle("dpca-chosen", i === chosen);
  });
}

/* The axis of the control: a place for each stop, and as many of their words as there is room for. */
function drawControl(view) {
  const { data: { control }, parts } = view;
  const { texts, low, high, label } = control;
  const last = texts.length - 1;
  const width = parts.track.clientWidth;
  view.axis = { left: 0, width, places: texts.map((_, i) => (i / last) * width) };
  view.locked = !view.told && !control.before;
  const room = Math.max(2, Math.floor(width / (Math.max(...texts.map((text) => text.length)) * LETTER + GAP)));
  const every = Math.ceil(last / (room - 1));
  const ticks = texts.map((text, i) => {
    const node = document.createElement("span");
    node.style.left = `${(i / last) * 100}%`;
    node.textContent = i % every ? "" : text;
    node.className = i === 0 ? "dpca-first" : i === last ? "dpca-last" : "";
    return node;
  });
  parts.ticks.replaceChildren(...ticks);
  writeAll(parts, { low, high });
  parts.control.classList.toggle("dpca-locked", view.locked);
  moveControl(view);
  fill(parts.handle, { "aria-label": label, "aria-valuemin": 0, "aria-valuemax": last, "aria-disabled": view.locked });
}

function moveControl(view) {
  const { data: { control: { named } }, parts: { handle, track, low, high }, index } = view;
  write(handle, named[index]);
  /* The handle stays within its axis. */
  const half = handle.offsetWidth / 2;
  const at = view.dragX ?? view.axis.places[index];
  const kept = Math.min(Math.max(at, half), track.clientWidth - half);
  handle.style.transform = `translateX(${kept}px) translateX(-50%)`;
  handle.style.setProperty("--stem", `${at - kept}px`);
  const { left, right, top } = handle.getBoundingClientRect();
  for (const end of [low, high]) {
    const place = end.getBoundingClientRect();
    end.style.visibility = left < place.right && right > place.left && top < place.bottom ? "hidden" : "";
  }
  fill(handle, { "aria-valuenow": index, "aria-valuetext": handle.textContent });
}

function drawTold(view) {
  const { data, parts, told } = view;
  const answer = told ? data : { said: "", answer: "", explanation: "" };
  parts.ask.hidden = told;
  writeAll(parts, { said: answer.said, answer: answer.answer, explanation: answer.explanation });
}

function drawPanels(view) {
  const { parts, data } = view;
  for (const name of ["notes", "link"]) {
    write(parts[name], data[name]);
    parts[name].hidden = !view[`${name}_shown`];
    parts[`${name}_opener`].setAttribute("aria-expanded", !parts[name].hidden);
  }
}

function paint(view) {
  const { data, parts, root } = view;
  for (const name of ["contents", "lesson", "handout"]) parts[name].hidden = name !== data.view;
  if (data.view === "handout") write(parts.handout, data.handout);
  else if (data.view === "lesson") {
    writeAll(parts, { question: data.question, keys: data.keys });
    for (const name of ["steps", "around", "open"]) write(parts[name], data[name]);
    parts.again.hidden = !data.draws;
    drawChoices(view);
    drawTold(view);
    drawPictures(view);
    keepRoom(view);
    drawControl(view);
    drawPanels(view);
  } else for (const name of ["hour", "further"]) write(parts[name], data[name]);
  root.dataset.told = Boolean(view.told);
  painted(view);
}

/* Takes what came: a new lesson begins with its question, the same one stays as it is in the browser. */
function take(view) {
  const { data } = view;
  if (data.view !== "lesson") return;
  if (view.lesson !== data.lesson) {
    Object.assign(view, { lesson: data.lesson, told: data.told, toldAt: 0, link_shown: false });
    view.index = data.control.index;
  } else {
    view.told ||= data.told;
    if (!ahead(view)) view.index = data.control.index;
  }
  if (view.notes_shown === undefined) view.notes_shown = data.notes_shown;
}

function build(view) {
  const { parts } = view;
  watchLesson(view.root, view.signal);
  view.chosen = {};
  view.guesses = {};
  take(view);
  view.choose = (i) => {
    if (view.told) return;
    view.chosen[view.data.lesson] = i;
    drawChoices(view);
  };
  view.reveal = () => {
    if (view.told) return;
    view.told = true;
    view.say("told", view.data.lesson);
    view.paint();
    if (document.activeElement === document.body) parts.question.focus({ preventScroll: true });
  };
  view.again = () => view.data.draws && view.say("again", view.data.id);
  view.toggle = (name) => {
    view[`${name}_shown`] = !view[`${name}_shown`];
    drawPanels(view);
    if (view[`${name}_shown`]) parts[name].scrollIntoView({ block: "nearest" });
    if (name === "notes") view.say("notes", view.notes_shown);
  };
  parts.choices.addEventListener("click", ({ target }) => {
    const node = target.closest("[data-choice]");
    if (node) view.choose(Number(node.dataset.choice));
  });
  parts.show.addEventListener("click", view.reveal);
  parts.again.addEventListener("click", view.again);
  for (const name of ["notes", "link"]) parts[`${name}_opener`].addEventListener("click", () => view.toggle(name));
  for (const act of ["pointerdown", "keydown"]) parts.control.addEventListener(act, (event) => view.locked && event.key !== "Tab" && event.stopPropagation(), true);
  bindRule(view, [parts.track, parts.handle], parts.handle, moveControl, () => view.say("value", view.index));
  listenToKeys(view);
}

function arrive(view) {
  const before = view.lesson;
  take(view);
  if (view.data.view === "lesson" && before !== view.data.lesson) {
    /* The page scrolls in a part of its own. */
    document.querySelector(".stMain")?.scrollTo(0, 0);
    requestAnimationFrame(() => view.parts.question.focus({ preventScroll: true }));
  }
  return true;
}

export default pageOf({ build, paint, arrive });
