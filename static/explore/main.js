import { fill, write, writeAll } from "../charts/dom.js";
import { drawFigure, listenTo, sizeAt } from "../charts/figure.js";
import { pageOf } from "../charts/page.js";
import { CALM, goOn } from "../charts/refinement.js";
import { axisOf, bindRule, moveRule } from "../charts/rule.js";
import { fitHeadline, hideCovered, onlyPanel, presenting } from "../charts/presentation.js";
import { stylesheets } from "../page/stylesheets.js";
import { frameIn } from "./panels.js";
import { bindFrames, drawRelease, markStale } from "./release.js";
import { drawDots } from "./presentation_dots.js";

await stylesheets("../charts/charts.css", "../explore/explore.css", "../explore/phone.css", "../explore/present.css");

const PAINT_EVERY = 400;
const COPIED_FOR = 1500;
const NO_DOTS = { kept_places: "", sin_places: "", noise_place: "" };

/* The first answer has sentences and dots near the rule only: whoever goes farther asks for the others. */
function sentencesAt(view) {
  const { data, index } = view;
  if (data.texts[index]) return data.texts[index];
  if (view.asked !== data && !data.complete) view.send("more", { id: data.id, stage: data.stage });
  view.asked = data;
  return { ...data.no_text, answer: `<em>${data.axis.texts[index]}</em> …` };
}

/* Everything that depends on the rule: words, dots, band, ladder; no server and no Plotly. */
function redraw(view) {
  const { data, data: { axis }, index, parts, root } = view;
  const [epsilon, text] = [axis.values[index], axis.texts[index]];
  moveRule(view, parts.handle, parts.rule);
  writeAll(parts, { handle: text, at: text, ...sentencesAt(view) });
  fill(parts.handle, { "aria-valuenow": epsilon, "aria-valuetext": `${text}. ${parts.answer.textContent}` });
  for (const row of parts.rows.children) row.classList.toggle("dpca-met", Number(row.dataset.needed) <= epsilon);
  fitHeadline(parts.answer);
  hideCovered(parts.handle, parts.track.querySelectorAll(".dpca-first span"));
  writeAll(parts, data.moving[index] ?? NO_DOTS);
  if (presenting()) drawDots(view);
  markStale(view);
  root.dataset.epsilon = epsilon;
  performance.mark("dpca-redraw");
}

/* What stays while the rule moves. Pictures of releases come when that is on the screen; then the
   server may refine, once nobody moves. */
function paint(view) {
  const { data, parts, root } = view;
  view.paintedAt = performance.now();
  writeAll(parts, { ...sentencesAt(view), rows: data.ladder });
  Object.assign(parts.public, { checked: data.public, disabled: data.public_is_fixed });
  parts.target.value = data.target;
  drawColumns(view);
  Object.assign(root.dataset, { id: data.id, stage: data.stage });
  const finish = () => {
    drawRelease(view);
    write(parts.disclosures, data.disclosures);
    root.dataset.ready = "true";
    goOn(view, Math.max(data.pause, data.stage > 1 ? 0 : CALM));
  };
  const next = (then) => requestAnimationFrame(() => view.data === data && then());
  if (view.printing) finish();
  else next(() => next(finish));
}

/* The figures of both columns, which appear in one frame: both places are read before any is drawn,
   as a reading in between lays the page out again. */
function drawColumns(view) {
  const { data, parts: { curves, beside }, root, look, Plotly } = view;
  const { curves: figure, beside: other } = data;
  const { l, r } = figure.layout.margin;
  root.style.setProperty("--scale", sizeAt(figure, root.clientWidth && curves.parentElement.clientWidth - l - r).scale);
  const [left, right] = [frameIn(curves, figure), frameIn(beside, other)];
  const room = presenting();
  /* No zoom in a room: where the chip is dragged nothing else may move. */
  if (room) drawFigure(Plotly, curves, onlyPanel(figure, "y", data.room, { ticks: false }), look, { ...left, domains: {}, phone: true });
  else drawFigure(Plotly, curves, figure, look, { ...left, phone: view.narrow });
  listenTo(curves, { chosen: (key) => view.say("mechanism", key), zoomed: () => readAxis(view), patient: true });
  readAxis(view);
  performance.mark("dpca-painted", { detail: data.id });
  if (room) return;
  drawFigure(Plotly, beside, other, look, { ...right, phone: true });
  performance.mark("dpca-beside", { detail: data.id });
}

/* Ruler, ladder and rule stand over the axis of the curves, which may be zoomed. */
function readAxis(view) {
  view.axis = axisOf(view.parts.curves, view.data.axis.values);
  const { left, width, low, high } = view.axis;
  for (const [name, value] of Object.entries({ left: `${left}px`, width: `${width}px`, low, high })) view.root.style.setProperty(`--axis-${name}`, value);
  redraw(view);
}

function build(view) {
  const { track, rule, handle, copy, change } = view.parts;
  bindRule(view, [track, rule], handle, redraw, () => {
    /* Titles that wrap differently have moved the frames: at rest the figures follow. */
    drawColumns(view);
    view.say("epsilon", view.data.axis.values[view.index]);
    goOn(view);
  });
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(location.href);
    copy.toggleAttribute("data-on", true);
    setTimeout(() => copy.removeAttribute("data-on"), COPIED_FOR);
  });
  /* On a phone the row of controls is folded away: its button is pressed from here. */
  change.addEventListener("click", () => change.toggleAttribute("data-on", document.body.classList.toggle("dpca-controls-open")));
  bindFrames(view);
}

/* Refinements that come fast are left out, and those that come after a touch, which would keep its
   own answer waiting: the next one shows what they had. */
function arrive(view, before) {
  const { data } = view;
  if (data.later) Object.assign(data, { release: before.release && { ...before.release, old: true }, projection: before.projection });
  const early = Math.max(view.paintedAt, view.touched ?? 0) + PAINT_EVERY - performance.now();
  return before.id !== data.id || data.complete || data.says.notice || !(early > 0);
}

export default pageOf({ build, paint, arrive });
