import { filled, helpButton, html, plain, write } from "../charts/dom.js";
import { saveFile } from "../charts/downloads.js";
import { mount, MOUNTED } from "../charts/mount.js";
import { askLater, CALM, stopAsking } from "../charts/refinement.js";
import { themeOf } from "../charts/theme.js";
import { drawGround, drawNotes } from "./annotations.js";
import { drawCurves } from "./curves.js";
import { drawDisclosures } from "./disclosures.js";
import { bindRule, drawRuler, moveRule } from "./epsilon_rule.js";
import { tickText } from "./epsilon_scale.js";
import { build } from "./layout.js";
import { drawLadder, fillLadder } from "./needed_epsilon.js";
import { PANELS, sizeOf } from "./panels.js";
import { bindFrames, drawRelease, markStale } from "./release.js";
import { drawDots } from "./release_dots.js";
import { drawBadge, sentencesAt } from "./sentences.js";
import { drawSpectrum } from "./spectrum.js";

function measure(view) {
  const phone = view.root.clientWidth < 700;
  view.root.classList.toggle("dpca-narrow", phone);
  const left = view.root.querySelector(".dpca-left").clientWidth;
  const gutters = phone ? { left: 10, right: 52 } : { left: 138, right: 48 };
  view.size = { ...gutters, width: Math.max(left - gutters.left - gutters.right, 120) };
  /* A page that is being left has no width. */
  view.rightWidth = Math.max(view.root.querySelector(".dpca-right").clientWidth, 120);
}

/* Everything that depends on the rule: words, dots, band, ladder; no server. */
export function redraw(view) {
  const { data, index, blocks } = view;
  const sentences = sentencesAt(view);
  moveRule(view);
  write(view.answer, sentences.answer);
  write(view.odds.text, sentences.odds);
  drawBadge(view, sentences.badge);
  write(view.ruler.brief, sentences.brief);
  write(view.at, filled(data.words.at, { epsilon: tickText(data.epsilons[index]) }));
  for (const panel of Object.keys(PANELS)) write(blocks[panel].title, sentences[panel]);
  const [before, after] = sentences.ladder.split("{target}");
  write(blocks.ladder.title, before);
  write(blocks.ladder.extra.lastChild, after);
  write(blocks.ladder.sub, sentences.ladder_sub);
  write(blocks.dots.title, sentences.dots);
  write(blocks.dots.sub, sentences.dots_sub);
  write(blocks.sinDots.title, sentences.sin_dots);
  write(blocks.spectrum.title, sentences.spectrum);
  write(view.smooth, sentences.smooth_sensitivity);
  for (const panel of ["kept", "sin"]) drawDots(view.dots[panel], view, panel);
  drawSpectrum(view);
  fillLadder(view);
  markStale(view);
  for (const [node, block] of [[view.dots.kept, blocks.dots], [view.dots.sin, blocks.sinDots], [view.spectrum, blocks.spectrum]]) node.setAttribute("aria-label", block.title.textContent);
  view.root.dataset.epsilon = data.epsilons[index];
  performance.mark("dpca-redraw");
}

/* What stays while the rule moves. */
function paint(view) {
  const { data, root } = view;
  view.theme = themeOf(root);
  root.classList.toggle("dpca-dark", view.theme.dark);
  measure(view);
  for (const panel of Object.keys(PANELS)) drawPanel(view, panel);
  frameWords(view);
  drawRuler(view);
  drawLadder(view, view.pick);
  redraw(view);
  Object.assign(root.dataset, { id: data.id, stage: data.stage });
  performance.mark("dpca-painted", { detail: data.id });
  requestAnimationFrame(() => view.data === data && finish(view));
}

/* Pictures of releases follow a frame later; then the server may refine, once nobody moves. */
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

/* Asks for a refined picture once nobody has touched anything for a moment. */
function plan(view, calm = CALM) {
  const { id, stage, complete } = view.data;
  stopAsking(view);
  if (!complete) askLater(view, () => view.dragging || view.send("more", { id, stage }), calm);
}

function frameWords(view) {
  const { data, root, blocks } = view;
  write(view.notice, data.notice || "");
  view.notice.hidden = !data.notice;
  write(view.busy, data.busy);
  view.busy.hidden = !data.busy;
  write(view.phone.text, data.phone);
  const phone = root.classList.contains("dpca-narrow");
  write(view.warning.text, phone ? data.warning.short : data.warning.text);
  write(view.warning.label, phone ? data.warning.public_short : data.warning.public_label);
  view.warning.box.checked = data.warning.public;
  view.warning.box.disabled = data.warning.fixed;
  root.classList.toggle("dpca-public", data.warning.public);
  view.pin.textContent = data.ghost ? data.words.unpin : data.words.pin;
  for (const panel of Object.keys(PANELS)) write(blocks[panel].sub, data.subs[panel]);
  write(blocks.sinDots.sub, data.subs.sin_dots);
  write(blocks.spectrum.sub, data.subs.spectrum);
  if (view.target.children.length !== data.targets.length) view.target.replaceChildren(...data.targets.map((t) => html("option", { value: t, text: `${Math.round(t * 100)} %` })));
  view.target.value = data.target;
}

function drawPanel(view, panel) {
  const { data, theme } = view;
  const { frame, ground, curves, notes } = view.plots[panel];
  const size = sizeOf(view, panel);
  frame.style.height = `${size.height}px`;
  frame.setAttribute("aria-label", `${plain(sentencesAt(view)[panel])}. ${data.subs[panel]}`);
  drawGround(ground, panel, data, theme, size);
  drawCurves(curves, panel, data, theme, size);
  drawNotes(notes, panel, data, theme, size, view.pick);
}

function terms(view) {
  const { hovers } = view.data;
  view.odds.hover.replaceChildren(helpButton(hovers.odds));
  view.blocks.noise.extra.replaceChildren(helpButton(`${hovers["noise norm"]} ${hovers.eigengap}`));
  view.blocks.kept.extra.replaceChildren(helpButton(`${hovers["variation kept"]} ${hovers.epsilon} ${hovers.delta} ${hovers.neighbours}`));
  view.blocks.sin.extra.replaceChildren(helpButton(`${hovers.angle} ${hovers.reliable}`));
  view.blocks.ladder.extra.replaceChildren(view.target, html("span", {}));
}

function createView(component) {
  const root = html("div", { class: "dpca dpca-explore", "data-ready": "false" });
  const view = { root, data: component.data, index: component.data.epsilon_index, frame: 0, dragX: null };
  build(root, view);
  terms(view);
  view.pick = (key) => !view.data.mechanisms.find((m) => m.key === key)?.chosen && view.say("mechanism", key);
  const rest = () => {
    view.say("epsilon", view.data.epsilons[view.index]);
    plan(view);
  };
  bindRule(view, redraw, rest);
  const still = bindFrames(view);
  view.target.addEventListener("change", () => view.say("target", Number(view.target.value)));
  view.warning.box.addEventListener("change", () => view.say("public", view.warning.box.checked));
  view.pin.addEventListener("click", () => view.say("pin", view.data.ghost ? "off" : "on"));
  view.takeAway.button.addEventListener("click", () => view.say("release", true));
  view.copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(location.href);
    view.copy.textContent = view.data.words.copied;
    setTimeout(() => (view.copy.textContent = view.data.words.copy), 1500);
  });
  view.phone.change.addEventListener("click", () => {
    const open = document.body.classList.toggle("dpca-controls-open");
    view.phone.change.textContent = open ? view.data.words.done : view.data.words.change;
  });
  return mount(view, component.parentElement, paint, still);
}

export function draw(component) {
  const { parentElement, data, setStateValue, setTriggerValue } = component;
  if (!data) return undefined;
  const view = MOUNTED.get(parentElement) || createView(component);
  const another = view.data.id !== data.id;
  if (another && !view.dragging) view.index = data.epsilon_index;
  stopAsking(view);
  if (data.file && data.file.number !== view.data.file?.number) saveFile(data.file);
  if (data.later) Object.assign(data, { release: view.data.release && { ...view.data.release, old: true }, projection: view.data.projection });
  view.data = data;
  /* State, not a trigger: of two triggers in one moment Streamlit keeps the later only. */
  view.say = (name, value) => setStateValue(name, { value, at: Date.now() });
  view.send = setTriggerValue;
  paint(view);
  return view.close;
}
