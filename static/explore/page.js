import { filled, html, plain, write } from "../charts/dom.js";
import { saveFile } from "../charts/downloads.js";
import { mount, MOUNTED } from "../charts/mount.js";
import { askLater, CALM, stopAsking } from "../charts/refinement.js";
import { lookOf } from "../charts/colours.js";
import { drawBeside, moveBeside, restBeside } from "./beside.js";
import { drawCurves, settleCurves } from "./curves.js";
import { drawDisclosures } from "./disclosures.js";
import { bindRule, drawRuler, moveRule } from "./epsilon_rule.js";
import { bindControls, build } from "./layout.js";
import { drawLadder, fillLadder } from "./needed_epsilon.js";
import { bindFrames, drawRelease, markStale } from "./release.js";
import { drawBadge, sentencesAt } from "./sentences.js";

const PAINT_EVERY = 400;

/* Everything that depends on the rule: words, dots, band, ladder; no server and no Plotly. */
export function redraw(view) {
  const { data, index, blocks } = view;
  const sentences = sentencesAt(view);
  moveRule(view);
  write(view.answer, sentences.answer);
  write(view.odds.text, sentences.odds);
  drawBadge(view, sentences.badge);
  write(view.ruler.brief, sentences.brief);
  write(view.at, filled(data.words.at, { epsilon: data.epsilon_texts[index] }));
  for (const name of ["kept", "sin", "noise", "dots", "spectrum"]) write(blocks[name].title, sentences[name]);
  write(blocks.sinDots.title, sentences.sin_dots);
  write(blocks.dots.sub, sentences.dots_sub);
  const [before, after] = sentences.ladder.split("{target}");
  write(blocks.ladder.title, before);
  write(blocks.ladder.extra.lastChild, after);
  write(blocks.ladder.sub, sentences.ladder_sub);
  write(view.smooth, sentences.smooth_sensitivity);
  moveBeside(view);
  fillLadder(view);
  markStale(view);
  view.root.dataset.epsilon = data.epsilons[index];
  performance.mark("dpca-redraw");
}

/* What stays while the rule moves. The right column follows a frame later, releases in the next. */
function paint(view) {
  const { data, root } = view;
  const phone = root.clientWidth < 700;
  view.look = lookOf(root, view.palette);
  view.phoneSize = phone;
  root.classList.toggle("dpca-dark", view.look.dark);
  root.classList.toggle("dpca-narrow", phone);
  view.paintedAt = performance.now();
  frameWords(view);
  drawCurves(view);
  drawRuler(view);
  drawLadder(view);
  redraw(view);
  Object.assign(root.dataset, { id: data.id, stage: data.stage });
  performance.mark("dpca-painted", { detail: data.id });
  const next = (then) => (view.printing ? then() : requestAnimationFrame(() => view.data === data && then()));
  next(() => {
    drawBeside(view);
    performance.mark("dpca-beside", { detail: data.id });
    next(() => finish(view));
  });
}

/* Pictures of releases come last; then the server may refine, once nobody moves. */
function finish(view) {
  const { data, root } = view;
  drawRelease(view);
  drawDisclosures(view);
  write(view.footer, data.footer);
  write(view.takeAway.title, data.release_download.title);
  write(view.takeAway.text, data.release_download.text);
  write(view.takeAway.button, data.release_download.button);
  root.dataset.ready = "true";
  plan(view, Math.max(data.pause, data.stage > 1 ? 0 : CALM));
}

/* Asks for a refined picture once nobody has touched anything for a moment, unless stopped. */
export function plan(view, calm = CALM) {
  const { id, stage, complete } = view.data;
  stopAsking(view);
  if (!complete && !view.stopped) askLater(view, () => view.dragging || view.send("more", { id, stage }), calm);
}

function frameWords(view) {
  const { data, root, blocks } = view;
  write(view.notice, data.notice || "");
  view.notice.hidden = !data.notice;
  write(view.busy, data.busy);
  view.busy.hidden = !data.busy;
  write(view.phone.text, data.phone);
  write(view.warning.text, view.phoneSize ? data.warning.short : data.warning.text);
  write(view.warning.label, view.phoneSize ? data.warning.public_short : data.warning.public_label);
  view.warning.box.checked = data.warning.public;
  view.warning.box.disabled = data.warning.fixed;
  root.classList.toggle("dpca-public", data.warning.public);
  view.pin.textContent = data.pinned ? data.words.unpin : data.words.pin;
  for (const name of ["kept", "sin", "noise", "spectrum"]) write(blocks[name].sub, data.subs[name]);
  write(blocks.sinDots.sub, data.subs.sin_dots);
  if (view.target.children.length !== data.targets.length) view.target.replaceChildren(...data.targets.map((t) => html("option", { value: t, text: `${Math.round(t * 100)} %` })));
  view.target.value = data.target;
  const sentences = sentencesAt(view);
  view.curves.setAttribute("aria-label", ["kept", "sin", "noise"].map((p) => `${plain(sentences[p])}. ${data.subs[p]}`).join(". "));
  view.beside.setAttribute("aria-label", ["dots", "sin_dots", "spectrum"].map((p) => plain(sentences[p])).join(". "));
  view.work.classList.toggle("dpca-idle", data.complete);
  view.bar.style.width = `${Math.round((data.progress?.share ?? 1) * 100)}%`;
  write(view.progress, view.stopped ? data.words.stopped : data.progress?.text || "");
}

function createView(component, palette, plotly) {
  const root = html("div", { class: "dpca dpca-explore", "data-ready": "false" });
  const view = { root, palette, plotly, data: component.data, index: component.data.epsilon_index, frame: 0, dragX: null };
  build(root, view);
  view.zoomed = () => {
    view.range = view.curves.layout.xaxis.range.map(Number);
    drawRuler(view);
    drawLadder(view);
    redraw(view);
  };
  view.pick = (key) => key && !view.data.mechanisms.find((m) => m.key === key)?.chosen && view.say("mechanism", key);
  const rest = () => {
    settleCurves(view);
    restBeside(view);
    view.say("epsilon", view.data.epsilons[view.index]);
    plan(view);
  };
  bindRule(view, redraw, rest);
  bindControls(view, plan);
  return mount(view, component.parentElement, paint, bindFrames(view));
}

export function draw(component, palette, plotly) {
  const { parentElement, data, setStateValue, setTriggerValue } = component;
  if (!data) return undefined;
  const view = MOUNTED.get(parentElement) || createView(component, palette, plotly);
  const another = view.data.id !== data.id;
  if (another) {
    view.stopped = false;
  }
  /* The rule stays where it was put, until ε is set elsewhere. */
  if ((another || data.renewals !== view.data.renewals) && !view.dragging) view.index = data.epsilon_index;
  stopAsking(view);
  if (data.file && data.file.number !== view.data.file?.number) saveFile(data.file);
  if (data.later) Object.assign(data, { release: view.data.release && { ...view.data.release, old: true }, projection: view.data.projection });
  view.data = data;
  /* State, not a trigger: of two triggers in one moment Streamlit keeps the later only. */
  view.say = (name, value) => setStateValue(name, { value, at: Date.now() });
  view.send = setTriggerValue;
  const early = view.paintedAt + PAINT_EVERY - performance.now();
  if (another || data.complete || data.file || data.notice || !(early > 0)) paint(view);
  else plan(view, data.pause);
  return view.close;
}
